//! The package for JavaScript: packed, published to a registry, and installed from there.

use super::{Release, quick_start, registry::Registry};
use crate::{
    shell::{self, Result, root},
    web,
};
use std::{fs, path::Path, process::Command};

pub(super) const PAGE: (&str, &str) = ("bindings/web/package/README.md", "js");

pub(super) fn rehearse(release: &Release) -> Result<Registry> {
    web::run(web::Options::build())?;
    let mut pack = Command::new("npm");
    pack.args(["pack", "--pack-destination"])
        .arg(&release.files)
        .current_dir(root().join("target/web/package"));
    shell::run(&mut pack)?;
    let registry = Registry::of_javascript()?;
    publish(release, Some(registry.url()))?;
    Ok(registry)
}

/// Publishes the package to npm or to another registry.
pub(super) fn publish(release: &Release, registry: Option<&str>) -> Result {
    let mut npm = Command::new("npm");
    npm.arg("publish").arg(release.files.join(format!("sortid-{}.tgz", release.version)));
    if let Some(registry) = registry {
        // npm wants a token, also where none is needed.
        let (_, address) = registry.split_once(':').ok_or("expected a URL")?;
        npm.args(["--registry", registry, &format!("--{address}:_authToken=none")]);
    }
    shell::run(&mut npm)
}

pub(super) fn use_as_stranger(folder: &Path, registry: &str) -> Result {
    let in_folder =
        |program: &str, args: &[&str]| shell::run(Command::new(program).args(args).current_dir(folder));
    fs::write(folder.join("package.json"), "{ \"private\": true }\n")?;
    in_folder("npm", &["install", "--registry", registry, "sortid"])?;
    fs::write(folder.join("quick_start.mjs"), quick_start(PAGE.0, PAGE.1)?)?;
    in_folder("node", &["quick_start.mjs"])
}
