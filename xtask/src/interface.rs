//! The public interface of the published libraries: `crates/NAME/interface.txt` has a line for each public item. So every
//! change of the interface is seen in review.

// Only an unstable setting makes a stable rustdoc write JSON. In the environment of cargo, the setting would rebuild
// most dependencies, so `xtask` is the rustdoc of its own `cargo doc`. It runs the real rustdoc, and for the
// published libraries once more with the setting.

use crate::{
    shell::{self, Result, cargo, root, stdout_of},
    workspace::{Package, packages, target},
};
use public_api::{Builder, PublicItem};
use rustdoc_types::{Crate, FORMAT_VERSION, Id, Impl, ItemEnum};
use serde_json::Value;
use std::{
    collections::BTreeSet,
    env,
    ffi::{OsStr, OsString},
    fmt, fs, io,
    ops::AddAssign,
    path::{Path, PathBuf},
    process::Command,
};

/// The lines at the beginning of each listing.
const HEAD: &str = "\
# Each public item, with all features. `cargo xtask interface` writes this file, and `cargo xtask ci` compares it.
# The members of implementations of traits, and implementations that the compiler adds, are left out.
";

/// Writes the listings, and prints how much there is.
pub(crate) fn run() -> Result {
    let mut all = Totals::default();
    for Listing { package, lines, totals } in listings()? {
        fs::write(path(&package), format!("{HEAD}{}\n", lines.join("\n")))?;
        println!("{:<16} {totals}", package.name);
        all += totals;
    }
    println!("{:<16} {all}", "all");
    Ok(())
}

/// Builds the documentation, without a warning, and compares the listings with it.
pub(crate) fn check() -> Result {
    let mut differences = String::new();
    for Listing { package, lines, .. } in listings()? {
        let committed = match fs::read_to_string(path(&package)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            committed => committed?,
        };
        if let Some(difference) = difference(&committed, &lines) {
            let path = path(&package);
            let shown = path.strip_prefix(root()).unwrap_or(&path).display();
            differences.push_str(&format!("{shown}:\n{difference}"));
        }
    }
    if differences.is_empty() {
        return Ok(());
    }
    Err(format!(
        "the public interface differs from its listing:\n{differences}\
         If this is intended, run `cargo xtask interface`, and commit the listing with the change"
    )
    .into())
}

/// The committed lines that are gone, and the lines that are new. `None` if there are none.
fn difference(committed: &str, lines: &[String]) -> Option<String> {
    let committed: Vec<_> = committed.lines().collect();
    let expected: Vec<_> = HEAD.lines().chain(lines.iter().map(String::as_str)).collect();
    let (is_gone, is_new) = (not_in(&expected), not_in(&committed));
    let gone = committed.iter().filter(|line| is_gone(line)).map(|line| format!("- {line}\n"));
    let new = expected.iter().filter(|line| is_new(line)).map(|line| format!("+ {line}\n"));
    let difference: String = gone.chain(new).collect();
    match difference.is_empty() {
        false => Some(difference),
        true if committed == expected => None,
        true => Some("only the order or the number of the lines differs\n".to_owned()),
    }
}

fn not_in<'a>(lines: &[&'a str]) -> impl Fn(&&'a str) -> bool + use<'a> {
    let lines: BTreeSet<_> = lines.iter().copied().collect();
    move |line| !lines.contains(line)
}

fn path(package: &Package) -> PathBuf {
    Path::new(&package.manifest).with_file_name("interface.txt")
}

struct Listing {
    package: Package,
    lines: Vec<String>,
    totals: Totals,
}

/// The listings of all published libraries, from the JSON of rustdoc.
fn listings() -> Result<Vec<Listing>> {
    let folder = target()?.join("doc");
    let libraries = packages()?.into_iter().filter(|package| package.is_published);
    let libraries: Vec<_> = libraries
        .filter_map(|package| Some((package.library()?.name.replace('-', "_"), package)))
        .map(|(library, package)| (folder.join(format!("{library}.json")), library, package))
        .collect();
    if libraries.is_empty() {
        return Err("found no published library".into());
    }
    // Cargo does not know of the JSON, so it does not notice when files are missing.
    if folder.exists() && !libraries.iter().all(|(json, ..)| json.is_file()) {
        fs::remove_dir_all(&folder)?;
    }
    let names: Vec<_> = libraries.iter().map(|(_, library, _)| &**library).collect();
    let doc = ["doc", "--locked", "--workspace", "--no-deps", "--all-features"];
    let mut doc = cargo(&doc);
    // The second flag changes nothing, but cargo then does not reuse what `cargo doc` made, which has no JSON.
    doc.env("RUSTDOCFLAGS", "-D warnings --cfg interface").env("RUSTDOC", env::current_exe()?);
    shell::run(doc.env(LIBRARIES, names.join(",")))?;
    libraries.into_iter().map(|(json, _, package)| listing(&json, package)).collect()
}

fn listing(json: &Path, package: Package) -> Result<Listing> {
    let krate = read(json)?;
    let interface = Builder::from_rustdoc_json(json)
        .omit_blanket_impls(true)
        .omit_auto_trait_impls(true)
        .build()
        .map_err(|error| format!("cannot read {}: {error}", json.display()))?;
    let mut totals = Totals::default();
    let mut lines = vec![];
    for item in interface.items().filter(|item| is_listed(item, &krate)) {
        totals.count(item, &krate);
        lines.push(item.to_string());
    }
    Ok(Listing { package, lines, totals })
}

/// Reads what rustdoc wrote, if it is in the format that `rustdoc-types` knows.
fn read(json: &Path) -> Result<Crate> {
    let text =
        fs::read_to_string(json).map_err(|error| format!("cannot read {}: {error}", json.display()))?;
    match serde_json::from_str::<Crate>(&text) {
        Ok(krate) if krate.format_version == FORMAT_VERSION => Ok(krate),
        parsed => {
            let found = serde_json::from_str::<Value>(&text)?["format_version"].as_u64();
            if found == Some(FORMAT_VERSION.into()) {
                return Ok(parsed.map_err(|error| format!("cannot read {}: {error}", json.display()))?);
            }
            let compiler = stdout_of(Command::new("rustc").arg("--version"))?;
            Err(other_format(compiler.trim(), found).into())
        }
    }
}

fn other_format(compiler: &str, found: Option<u64>) -> String {
    let found = found.map_or_else(|| "an unknown version".to_owned(), |found| format!("version {found}"));
    format!(
        "expected the JSON of rustdoc in version {FORMAT_VERSION}, as Rust 1.95 writes it, found {found}, of {compiler}. \
         Use Rust 1.95, as in `cargo +1.95 xtask interface`, or give public-api and rustdoc-types in Cargo.toml the \
         versions that read it"
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

/// How much a reader of the documentation meets. Re-exported items count in the crate that defines them.
#[derive(Default, Clone, Copy, PartialEq, Eq, Debug)]
struct Totals {
    /// Modules, types, traits, functions, constants and macros.
    items: usize,
    /// Methods and constants of types and traits.
    members: usize,
}

impl Totals {
    fn count(&mut self, item: &PublicItem, krate: &Crate) {
        let Some(of) = krate.index.get(&item.id()) else { return };
        match &of.inner {
            ItemEnum::Module(module) if module.is_crate => {}
            ItemEnum::AssocConst { .. } => self.members += 1,
            ItemEnum::Function(_) => {
                let parent = item.parent_id().and_then(|parent| krate.index.get(&parent));
                match parent.map(|parent| &parent.inner) {
                    Some(ItemEnum::Impl(_) | ItemEnum::Trait(_)) => self.members += 1,
                    _ => self.items += 1,
                }
            }
            ItemEnum::Module(_)
            | ItemEnum::Struct(_)
            | ItemEnum::Enum(_)
            | ItemEnum::Union(_)
            | ItemEnum::Trait(_)
            | ItemEnum::TypeAlias(_)
            | ItemEnum::Constant { .. }
            | ItemEnum::Static(_)
            | ItemEnum::Macro(_)
            | ItemEnum::ProcMacro(_) => self.items += 1,
            _ => {}
        }
    }
}

impl AddAssign for Totals {
    fn add_assign(&mut self, other: Self) {
        self.items += other.items;
        self.members += other.members;
    }
}

impl fmt::Display for Totals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:>4} items, {:>4} methods and constants of types and traits", self.items, self.members)
    }
}

/// The libraries that [`rustdoc`] describes in JSON, by their names in Rust. While the variable is set, this program is the
/// rustdoc that cargo runs.
pub(crate) const LIBRARIES: &str = "XTASK_INTERFACE";

/// Runs rustdoc, and for one of the libraries once more, for the JSON beside the pages. A stable compiler writes JSON only
/// with the setting of the second run. In the environment of cargo, it would build most dependencies again.
pub(crate) fn rustdoc(libraries: &OsStr) -> Result {
    let args: Vec<_> = env::args_os().skip(1).collect();
    rustdoc_of(&args, false)?;
    let follows = |option: &str, value: &str| args.windows(2).any(|pair| pair == [option, value]);
    let libraries = libraries.to_string_lossy();
    if follows("--crate-type", "lib") && libraries.split(',').any(|name| follows("--crate-name", name)) {
        rustdoc_of(&args, true)?;
    }
    Ok(())
}

/// Prints nothing of its own, because cargo shows what rustdoc prints.
fn rustdoc_of(args: &[OsString], is_json: bool) -> Result {
    let mut rustdoc = Command::new("rustdoc");
    rustdoc.args(args);
    if is_json {
        rustdoc.args(["-Zunstable-options", "--output-format", "json"]).env("RUSTC_BOOTSTRAP", "1");
    }
    let status = rustdoc.status().map_err(|error| format!("cannot run rustdoc: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("rustdoc failed: {status}").into()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn committed(lines: &[&str]) -> String {
        format!("{HEAD}{}\n", lines.join("\n"))
    }

    #[test]
    fn a_changed_item_is_shown_as_it_was_and_as_it_is() {
        let lines = ["pub fn a::b()", "pub fn a::c() -> u64"].map(str::to_owned);
        let found = difference(&committed(&["pub fn a::b()", "pub fn a::c() -> u32"]), &lines);
        assert_eq!(found.as_deref(), Some("- pub fn a::c() -> u32\n+ pub fn a::c() -> u64\n"));
        assert_eq!(difference(&committed(&["pub fn a::b()", "pub fn a::c() -> u64"]), &lines), None);
    }

    #[test]
    fn a_listing_in_another_order_differs() {
        let lines = ["pub fn a::b()", "pub fn a::c()"].map(str::to_owned);
        assert!(difference(&committed(&["pub fn a::c()", "pub fn a::b()"]), &lines).is_some());
    }

    #[test]
    fn a_missing_listing_has_no_line() {
        let found = difference("", &["pub fn a::b()".to_owned()]).unwrap();
        assert!(found.ends_with("+ pub fn a::b()\n"), "{found}");
    }

    #[test]
    fn json_in_another_format_is_refused_with_both_versions() {
        let json = env::temp_dir().join(format!("xtask-interface-{}.json", std::process::id()));
        fs::write(&json, r#"{"root":"0:0","format_version":9999}"#).unwrap();
        let refused = read(&json).unwrap_err().to_string();
        fs::remove_file(&json).unwrap();
        let versions =
            format!("version {FORMAT_VERSION}, as Rust 1.95 writes it, found version 9999, of rustc ");
        assert!(refused.contains(&versions), "{refused}");
    }
}
