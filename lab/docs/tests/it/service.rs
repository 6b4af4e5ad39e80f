//! The dependencies of `docs/service.md` are those of `examples/service`.

use std::{fs, path::Path};

#[test]
fn the_page_has_the_dependencies_of_the_service() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let read = |path: &str| fs::read_to_string(root.join(path)).unwrap();
    let page = read("docs/service.md");
    let block = page.split("```toml\n").nth(1).unwrap().split("```").next().unwrap();
    let manifest = read("examples/service/Cargo.toml");
    let git = r#"git = "https://git.example/sortid""#;
    let manifest = ["euid", "sortid-fleet"]
        .iter()
        .fold(manifest, |text, name| text.replace(&format!(r#"path = "../../crates/{name}""#), git));
    let (_, dependencies) = manifest.split_once("[dependencies]\n").unwrap();
    let dependencies = dependencies.split_once("\n\n").unwrap().0;
    assert_eq!(block, format!("[dependencies]\n{dependencies}\n"));
}
