//! Users of each supported version of a library. Their lock files are new, so cargo chooses the versions as it does for a
//! user. The lock file of the workspace may have a version that it would not choose.

use crate::{
    shell::{self, Result, cargo, root},
    workspace::target,
};
use std::fs;

/// The libraries of which several versions have a feature, such as `utoipa5`: these versions, and the features that a user
/// turns on. `xtask/versions/` has the code of a user of each library.
const VERSIONS: [(&str, &[&str], &[&str]); 2] =
    [("sqlx", &["0.8", "0.9"], &["runtime-tokio", "sqlite", "uuid"]), ("utoipa", &["5", "6"], &[])];

pub(super) fn test() -> Result {
    let folder = target()?.join("versions");
    for (library, version, features) in VERSIONS
        .iter()
        .flat_map(|(library, all, features)| all.iter().map(move |version| (library, version, features)))
    {
        let feature = format!("{library}{}", version.replace('.', ""));
        let package = folder.join(&feature);
        shell::empty(&package)?;
        fs::create_dir(package.join("src"))?;
        let euid = root().join("crates/euid");
        fs::write(
            package.join("Cargo.toml"),
            format!(
                "[package]\nname = \"user-of-{feature}\"\nedition = \"2024\"\n\n[dependencies]\n\
                 {library} = {{ version = {version:?}, features = {features:?} }}\n\
                 euid = {{ path = {euid:?}, features = [\"serde\", {feature:?}] }}\n\
                 serde = {{ version = \"1\", features = [\"derive\"] }}\nserde_json = \"1\"\n\n[workspace]\n"
            ),
        )?;
        fs::copy(root().join(format!("xtask/versions/{library}.rs")), package.join("src/lib.rs"))?;
        let mut test = cargo(&["test", "--manifest-path"]);
        shell::run(test.arg(package.join("Cargo.toml")).arg("--target-dir").arg(folder.join("target")))?;
    }
    Ok(())
}
