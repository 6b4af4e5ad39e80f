//! The code of `docs/service.md` is the code of `examples/service`, whose tests run it.

use std::{fs, path::Path};

#[test]
fn the_service_of_the_page_is_the_one_that_is_tested() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let read = |path: &str| fs::read_to_string(root.join(path)).unwrap();
    let page = read("docs/service.md");
    let blocks = |language: &str| {
        let fence = format!("```{language}\n");
        let blocks = page.split(&fence).skip(1).map(|rest| rest.split("```").next().unwrap());
        blocks.map(str::to_owned).collect::<Vec<_>>()
    };
    let code = blocks("rust,ignore");
    assert_eq!(code.len(), 3);
    assert_eq!(code[0], read("examples/service/src/lib.rs"));
    let parts = read("examples/service/src/main.rs") + &read("examples/service/tests/handlers.rs");
    for part in code[1..].iter().flat_map(|block| block.split("\n\n")) {
        assert!(parts.contains(part.trim_end()), "examples/service does not have: {part}");
    }

    let manifest = read("examples/service/Cargo.toml");
    let git = r#"git = "https://git.example/sortid""#;
    let manifest = ["euid", "sortid-fleet"]
        .iter()
        .fold(manifest, |text, name| text.replace(&format!(r#"path = "../../crates/{name}""#), git));
    let (_, dependencies) = manifest.split_once("[dependencies]\n").unwrap();
    let dependencies = dependencies.split_once("\n\n").unwrap().0;
    assert_eq!(blocks("toml"), [format!("[dependencies]\n{dependencies}\n")]);
}
