//! The dependencies that the pages tell to write are those of this repository.

use std::{env, fs, path::Path, process::Command};

#[test]
fn cargo_resolves_the_dependencies_of_every_page_to_this_repository() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap();
    let folder = env::temp_dir().join(format!("sortid-dependencies-{}", std::process::id()));
    let mut count = 0;
    for page in sortid_docs::PAGES {
        let text = fs::read_to_string(root.join(page)).unwrap();
        let blocks = text.split("```toml\n").skip(1).map(|block| block.split("```").next().unwrap());
        // The test of `examples/service` builds the block with the libraries of others.
        for block in blocks.filter(|block| block.contains("[dependencies]") && !block.contains("axum")) {
            count += 1;
            let crates = root.join("crates").display().to_string().replace('\\', "/");
            let block = block.replace("path = \"crates", &format!("path = \"{crates}"));
            let package =
                "[package]\nname = \"page\"\nversion = \"0.0.0\"\nedition = \"2024\"\n[workspace]\n";
            fs::create_dir_all(folder.join("src")).unwrap();
            fs::write(folder.join("src/lib.rs"), "").unwrap();
            fs::write(folder.join("Cargo.toml"), format!("{package}{block}")).unwrap();
            // Cargo leaves out what the page does not need, and downloads nothing.
            fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock")).unwrap();
            let mut cargo = Command::new(env::var_os("CARGO").unwrap_or("cargo".into()));
            cargo.args(["tree", "--offline", "--depth", "1", "--prefix", "none"]).current_dir(&folder);
            let output = cargo.output().unwrap();
            let [tree, error] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
            assert!(output.status.success(), "{page}:\n{block}\n{error}");
            // `package = …` renames a crate of others.
            for line in block.lines().filter(|line| line.contains(" = ") && !line.contains("package = ")) {
                let name = line.split(' ').next().unwrap();
                let is_ours =
                    |found: &str| found.starts_with(&format!("{name} v")) && found.contains("crates");
                assert!(tree.lines().any(is_ours), "{page}: {line}\n{tree}");
            }
        }
    }
    fs::remove_dir_all(&folder).unwrap();
    assert!(count >= 4, "{count} blocks");
}
