//! Makes each page the documentation of a module, so that its Rust code is run.

use std::{env, fmt::Write as _, fs, io, path::Path};

fn main() -> io::Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize()?;
    println!("cargo::rerun-if-changed={}", root.join("docs").display());
    let mut pages = vec!["README.md".to_owned()];
    for entry in fs::read_dir(root.join("docs"))? {
        let name = entry?.file_name().into_string().expect("the names of pages are UTF-8");
        if name.ends_with(".md") {
            pages.push(format!("docs/{name}"));
        }
    }
    pages.sort_unstable();
    let mut modules = String::new();
    for page in &pages {
        let name = page.trim_end_matches(".md").replace(['/', '-'], "_").to_lowercase();
        let path = root.join(page);
        let _ = writeln!(modules, "#[cfg(doctest)]\n#[doc = include_str!({path:?})]\nmod {name} {{}}");
    }
    let _ =
        writeln!(modules, "/// The README and the pages of `docs/`.\npub const PAGES: &[&str] = &{pages:?};");
    let file = Path::new(&env::var_os("OUT_DIR").expect("cargo sets it")).join("pages.rs");
    fs::write(file, modules)
}
