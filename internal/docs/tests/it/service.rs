//! The service of the README is that of `examples/service`, whose test runs it.

use std::{fs, path::Path};

#[test]
fn the_service_of_the_readme_is_the_one_that_is_tested() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let read = |path: &str| fs::read_to_string(root.join(path)).unwrap();
    let readme = read("README.md");
    let (_, section) = readme.split_once("\n## In a service\n").unwrap();
    let block = |language: &str| {
        let (_, block) = section.split_once(&format!("```{language}\n")).unwrap();
        block.split_once("```").unwrap().0
    };
    assert_eq!(block("rust,ignore"), read("examples/service/src/lib.rs"));

    let manifest = read("examples/service/Cargo.toml");
    let git = r#"git = "https://git.example/sortid""#;
    let manifest = ["euid", "sortid-fleet"]
        .iter()
        .fold(manifest, |text, name| text.replace(&format!(r#"path = "../../crates/{name}""#), git));
    let (_, dependencies) = manifest.split_once("[dependencies]\n").unwrap();
    let dependencies = dependencies.split_once("\n\n").unwrap().0;
    assert_eq!(block("toml"), format!("[dependencies]\n{dependencies}\n"));
}
