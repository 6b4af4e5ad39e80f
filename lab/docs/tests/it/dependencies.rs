//! The dependencies in the pages are packages of this repository.

#![cfg(unix)]

use std::{
    env, fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::Command,
};

/// The address that stands for the address of the repository, until the repository has one.
const PLACEHOLDER: &str = "https://git.example/sortid";

/// The READMEs of the crates.
fn readmes(root: &Path) -> Vec<String> {
    let crates = fs::read_dir(root.join("crates")).unwrap();
    let names = crates.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.map(|name| format!("crates/{name}/README.md")).collect()
}

/// Runs a command, and returns its output. `None` if the program is not installed.
fn run(command: &mut Command) -> Option<String> {
    let output = command.output().ok()?;
    let [stdout, stderr] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    assert!(output.status.success(), "{command:?}\n{stdout}{stderr}");
    Some(stdout)
}

/// A temporary folder, removed when this value is dropped.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        let folder = env::temp_dir().join(format!("sortid-dependencies-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        Self(folder.canonicalize().unwrap())
    }

    /// Writes a package with these dependencies, and returns what Cargo resolves. Nothing is downloaded after `fetch`.
    fn resolve(&self, dependencies: &str, args: &[&str]) -> String {
        let package = self.0.join("page");
        fs::create_dir_all(package.join("src")).unwrap();
        fs::write(package.join("src/lib.rs"), "").unwrap();
        let head = "[package]\nname = \"page\"\nversion = \"0.0.0\"\nedition = \"2024\"\n[workspace]\n";
        fs::write(package.join("Cargo.toml"), format!("{head}{dependencies}")).unwrap();
        let mut cargo = Command::new(env::var_os("CARGO").unwrap_or("cargo".into()));
        cargo.args(args).current_dir(&package).env("CARGO_HOME", self.0.join("home"));
        run(&mut cargo).unwrap()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Commits the files of the working tree, and a package without dependencies, into a new repository. Returns its address.
fn repository(root: &Path, folder: &Path) -> Option<String> {
    let path = folder.join("repository");
    let git = |tree: &Path, args: &[&str]| {
        let mut git = Command::new("git");
        git.arg("--git-dir").arg(path.join(".git")).arg("--work-tree").arg(tree).current_dir(tree);
        git.args(["-c", "user.name=test", "-c", "user.email=test@example.com", "-c", "commit.gpgsign=false"])
            .args(args);
        run(&mut git)
    };
    let seed = folder.join("seed");
    fs::create_dir_all(seed.join("seed/src")).unwrap();
    fs::write(seed.join("seed/src/lib.rs"), "").unwrap();
    fs::write(seed.join("seed/Cargo.toml"), "[package]\nname = \"seed\"\nversion = \"0.0.0\"\n[workspace]\n")
        .unwrap();
    run(Command::new("git").args(["init", "--quiet"]).arg(&path))?;
    git(root, &["add", "--all"])?;
    git(&seed, &["add", "seed"])?;
    git(root, &["commit", "--quiet", "--no-verify", "--message", "the working tree"])?;
    Some(format!("file://{}", path.display()))
}

/// Makes a home for Cargo with the registry of the user's home. What these tests check out is removed with the folder.
fn home(folder: &Path) {
    let theirs = env::var_os("CARGO_HOME").map_or_else(
        || PathBuf::from(env::var_os("HOME").expect("a home folder")).join(".cargo"),
        PathBuf::from,
    );
    let ours = folder.join("home");
    fs::create_dir_all(&ours).unwrap();
    for name in ["registry", "config.toml"] {
        if theirs.join(name).exists() {
            symlink(theirs.join(name), ours.join(name)).unwrap();
        }
    }
}

#[test]
fn cargo_resolves_the_dependencies_of_every_page_to_this_repository() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap();
    let folder = Folder::new();
    home(&folder.0);
    let Some(address) = repository(&root, &folder.0) else {
        eprintln!("left out: the dependencies of the pages, because git is not installed");
        return;
    };
    // The package without dependencies needs no registry. Cargo then has the repository, and needs no network either.
    folder.resolve(&format!("[dependencies]\nseed = {{ git = \"{address}\" }}\n"), &["fetch", "--quiet"]);

    let mut count = 0;
    for page in sortid_docs::PAGES.iter().map(|page| (*page).to_owned()).chain(readmes(&root)) {
        let text = fs::read_to_string(root.join(&page)).unwrap();
        let blocks = text.split("```toml\n").skip(1).map(|block| block.split("```").next().unwrap());
        let blocks: Vec<_> = blocks.filter(|block| block.contains("[dependencies]")).collect();
        assert!(blocks.is_empty() || text.contains("placeholder"), "{page} does not say what the address is");
        for block in blocks {
            let lines: Vec<_> = block.lines().filter(|line| line.contains(PLACEHOLDER)).collect();
            assert!(!lines.is_empty() && !block.contains("path = "), "{page}:\n{block}");
            // `examples/service` has the other libraries of this block.
            let dependencies = if block.contains("axum") {
                &format!("[dependencies]\n{}\n", lines.join("\n"))
            } else {
                block
            };
            // Cargo leaves out what the page does not need, and downloads nothing.
            fs::copy(root.join("Cargo.lock"), folder.0.join("page/Cargo.lock")).unwrap();
            let args = ["tree", "--offline", "--depth", "1", "--prefix", "none"];
            let tree = folder.resolve(&dependencies.replace(PLACEHOLDER, &address), &args);
            for line in lines {
                count += 1;
                let name = line.split(' ').next().unwrap();
                let is_found =
                    |found: &str| found.starts_with(&format!("{name} v")) && found.contains(&address);
                assert!(tree.lines().any(is_found), "{page}: {line}\n{tree}");
            }
        }
    }
    assert!(count >= 13, "{count} dependencies");
}
