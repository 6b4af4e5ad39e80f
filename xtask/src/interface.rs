//! The public interface of the published libraries: `crates/NAME/interface.txt` has a line for each public item. So every
//! change of the interface is seen in review.

// Only an unstable setting makes a stable rustdoc write JSON. In the environment of cargo, the setting would rebuild
// most dependencies, so `xtask` is the rustdoc of its own `cargo doc`. It runs the real rustdoc, and for the
// published libraries once more with the setting.

use crate::{
    shell::{self, Result, cargo, stdout_of},
    workspace::{packages, target},
};
use public_api::{Builder, PublicItem};
use rustdoc_types::{Crate, FORMAT_VERSION, Id, Impl, ItemEnum};
use serde_json::Value;
use std::{
    env,
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// The lines at the beginning of each listing.
const HEAD: &str = "\
# Each public item, with all features. `cargo xtask interface` writes this file, and `cargo xtask ci` compares it.
# The members of implementations of traits, and implementations that the compiler adds, are left out.
";

/// Writes the listings.
pub(crate) fn run() -> Result {
    listings()?.into_iter().try_for_each(|(path, listing)| Ok(fs::write(path, listing)?))
}

/// Builds the documentation, without a warning, and compares the listings with it.
pub(crate) fn check() -> Result {
    let new = target()?.join("interface.txt");
    let mut differs = false;
    for (path, listing) in listings()? {
        fs::write(&new, listing)?;
        let mut diff = Command::new("git");
        diff.args(["--no-pager", "diff", "--no-index", "--unified=0"]).arg(path).arg(&new);
        differs |= !diff.status()?.success();
    }
    if differs {
        return Err("the public interface differs from its listing. If this is intended, run `cargo xtask interface`, \
                    and commit the listing with the change"
            .into());
    }
    Ok(())
}

/// The listings of all published libraries, from the JSON of rustdoc, with their paths.
fn listings() -> Result<Vec<(PathBuf, String)>> {
    let folder = target()?.join("doc");
    let packages = packages()?;
    let libraries = packages.iter().filter(|package| package.is_published);
    let libraries: Vec<_> = libraries
        .filter_map(|package| Some((package.library()?.name.replace('-', "_"), Path::new(&package.manifest))))
        .map(|(library, manifest)| (folder.join(format!("{library}.json")), library, manifest))
        .collect();
    if libraries.is_empty() {
        return Err("found no published library".into());
    }
    // Cargo does not know of the JSON, so it does not notice when files are missing.
    if folder.exists() && !libraries.iter().all(|(json, ..)| json.is_file()) {
        fs::remove_dir_all(&folder)?;
    }
    let names: Vec<_> = libraries.iter().map(|(_, library, _)| &**library).collect();
    let mut doc = cargo(&["doc", "--locked", "--workspace", "--no-deps", "--all-features"]);
    // The second flag changes nothing, but cargo then does not reuse what `cargo doc` made, which has no JSON.
    doc.env("RUSTDOCFLAGS", "-D warnings --cfg interface").env("RUSTDOC", env::current_exe()?);
    shell::run(doc.env(LIBRARIES, names.join(",")))?;
    let listing = |(json, _, manifest): &(PathBuf, String, &Path)| {
        Ok((manifest.with_file_name("interface.txt"), listing(json)?))
    };
    libraries.iter().map(listing).collect()
}

fn listing(json: &Path) -> Result<String> {
    let text = fs::read_to_string(json).map_err(|error| format!("{}: {error}", json.display()))?;
    let version = &serde_json::from_str::<Value>(&text)?["format_version"];
    if *version != FORMAT_VERSION {
        let compiler = stdout_of(Command::new("rustc").arg("--version"))?;
        return Err(other_format(compiler.trim(), version).into());
    }
    let krate = serde_json::from_str(&text)?;
    let interface = Builder::from_rustdoc_json(json).omit_blanket_impls(true).omit_auto_trait_impls(true);
    let interface = interface.build().map_err(|error| format!("{}: {error}", json.display()))?;
    let items = interface.items().filter(|item| is_listed(item, &krate));
    Ok(items.fold(HEAD.to_owned(), |lines, item| format!("{lines}{item}\n")))
}

fn other_format(compiler: &str, found: &Value) -> String {
    format!(
        "expected the JSON of rustdoc in version {FORMAT_VERSION}, as Rust 1.95 writes it, found version {found}, of \
         {compiler}. Use Rust 1.95, as in `cargo +1.95 xtask interface`, or give public-api and rustdoc-types in \
         Cargo.toml the versions that read it"
    )
}

/// Whether an item says something that the others do not.
fn is_listed(item: &PublicItem, krate: &Crate) -> bool {
    let of_trait = |id| matches!(implementation(krate, id), Some(Impl { trait_: Some(_), .. }));
    match (implementation(krate, Some(item.id())), item.parent_id()) {
        // The compiler adds this trait, which is not stable, to each derived `PartialEq`.
        (Some(Impl { trait_: Some(name), .. }), _) => name.path != "StructuralPartialEq",
        // The methods have the type in their paths. Only generics of an implementation have bounds.
        (Some(Impl { trait_: None, generics, .. }), _) => !generics.params.is_empty(),
        (None, parent) => !of_trait(parent),
    }
}

fn implementation(krate: &Crate, id: Option<Id>) -> Option<&Impl> {
    match &krate.index.get(&id?)?.inner {
        ItemEnum::Impl(implementation) => Some(implementation),
        _ => None,
    }
}

/// The libraries that [`rustdoc`] describes in JSON, by their names in Rust. While the variable is set, this program is the
/// rustdoc that cargo runs.
pub(crate) const LIBRARIES: &str = "XTASK_INTERFACE";

/// Runs rustdoc, and for one of the libraries once more, for the JSON beside the pages. A stable compiler writes JSON only
/// with the setting of the second run. In the environment of cargo, it would build most dependencies again.
pub(crate) fn rustdoc(libraries: &OsStr) -> Result {
    let args: Vec<_> = env::args_os().skip(1).collect();
    let follows = |option: &str, value: &str| args.windows(2).any(|pair| pair == [option, value]);
    let libraries = libraries.to_string_lossy();
    let is_library =
        follows("--crate-type", "lib") && libraries.split(',').any(|name| follows("--crate-name", name));
    for is_json in [false, true].into_iter().take(1 + usize::from(is_library)) {
        let mut rustdoc = Command::new("rustdoc");
        rustdoc.args(&args);
        if is_json {
            rustdoc.args(["-Zunstable-options", "--output-format", "json"]).env("RUSTC_BOOTSTRAP", "1");
        }
        // It prints nothing of its own, because cargo shows what rustdoc prints.
        if !rustdoc.status()?.success() {
            return Err("rustdoc failed".into());
        }
    }
    Ok(())
}
