//! A test runs every block of code of the README and of `docs/`, and every link has a target.

use sortid_docs::PAGES;
use std::{fs, path::Path};

/// The languages of blocks, each with the test that runs it, or the reason why none does.
const LANGUAGES: &[(&str, &str)] = &[
    ("rust", "doctests of this crate"),
    ("rust,no_run", "doctests of this crate compile it; it needs a server, or waits for a signal"),
    ("ini", "this crate, tests/it/recipes.rs"),
    ("yaml", "this crate, tests/it/recipes.rs"),
    (
        "console",
        "sortid-cli, tests/it/docs.rs; those of docs/sql.md: cargo xtask sql; of docs/engines.md: cargo xtask engines",
    ),
    ("sql", "this crate, tests/it/sql.rs; those of docs/sql.md: cargo xtask sql"),
    ("python", "bindings/python, tests/test_pages.py, which runs those of docs/analysts.md"),
    ("toml", "this crate, tests/it/dependencies.rs"),
    ("text", "no code"),
    (
        "sh",
        "the commands of the README, below; sortid-cli, tests/it/docs.rs; sortid-server, tests/it/deploy.rs",
    ),
];

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

fn read(page: &str) -> String {
    fs::read_to_string(root().join(page)).unwrap()
}

/// The language of each block of a page.
fn languages(page: &str) -> Vec<String> {
    let fences = page.lines().filter_map(|line| line.trim_start().strip_prefix("```"));
    fences.step_by(2).map(str::to_owned).collect()
}

#[test]
fn a_test_runs_every_block() {
    let mut blocks = 0;
    for &page in PAGES {
        for language in languages(&read(page)) {
            assert!(
                LANGUAGES.iter().any(|(known, _)| *known == language),
                "{page}: no test runs {language:?}"
            );
            blocks += 1;
        }
    }
    assert!(blocks > 20, "{blocks}");
}

#[test]
fn the_readme_shows_the_first_command_and_that_of_ci() {
    let ci = read(".ci/run");
    let command = ci.lines().last().unwrap();
    let readme = read("README.md");
    for command in ["cargo run --release -- new --all", command] {
        assert!(readme.contains(&format!("\n{command} ")), "{command}");
    }
}

/// The READMEs of the crates, most of which are the front pages of their documentation.
fn readmes() -> impl Iterator<Item = String> {
    let crates = fs::read_dir(root().join("crates")).unwrap();
    crates.map(|entry| format!("crates/{}/README.md", entry.unwrap().file_name().to_str().unwrap()))
}

/// Links to files, and to headings of files.
#[test]
fn every_link_has_a_target() {
    let mut links = 0;
    for page in PAGES.iter().map(|page| (*page).to_owned()).chain(readmes()) {
        let text = read(&page);
        let folder = root().join(&page).parent().unwrap().to_owned();
        for target in text.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(link, _)| link) {
            if target.starts_with("http") {
                continue;
            }
            let (path, heading) =
                target.split_once('#').map_or((target, None), |(path, it)| (path, Some(it)));
            let file = if path.is_empty() { root().join(&page) } else { folder.join(path) };
            assert!(file.exists(), "{page}: {target}");
            if let Some(heading) = heading {
                let file = fs::read_to_string(&file).unwrap();
                let mut headings = file.lines().filter(|line| line.starts_with('#')).map(anchor);
                assert!(headings.any(|it| it == heading), "{page}: {target}");
            }
            links += 1;
        }
    }
    assert!(links > 20, "{links}");
}

/// The anchor that GitHub makes of a heading.
fn anchor(heading: &str) -> String {
    let kept = |char: char| match char {
        ' ' => Some('-'),
        '-' | '_' => Some(char),
        _ => char.is_alphanumeric().then(|| char.to_ascii_lowercase()),
    };
    heading.trim_start_matches('#').trim().chars().filter_map(kept).collect()
}
