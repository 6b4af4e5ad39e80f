//! Runs the Python of `docs/analysts.md` as one program. The lines that begin with `#>` are what it prints.

use std::{env, fs, io::Write, process::Command};

const PAGE: &str = include_str!("../../../../docs/analysts.md");

/// The packages that the page installs.
const IMPORTS: &str = "import duckdb, pandas, polars, pyarrow";

#[test]
fn python_prints_what_the_page_shows() {
    // `cargo xtask ci --all` names a Python that has the packages.
    let python = env::var_os("SORTID_PYTHON").unwrap_or_else(|| "python3".into());
    if !Command::new(&python).args(["-c", IMPORTS]).output().is_ok_and(|it| it.status.success()) {
        let _ = writeln!(
            std::io::stderr(),
            "left out: Python of docs/analysts.md, because python3 or one of its packages is not installed: {IMPORTS}"
        );
        return;
    }
    let blocks = PAGE.split("```python\n").skip(1).map(|block| block.split("```").next().unwrap());
    let program = blocks.collect::<Vec<_>>().concat();
    let shown: Vec<_> = program.lines().filter_map(|line| line.strip_prefix("#> ")).collect();
    assert!(shown.len() > 5, "{} lines", shown.len());

    // The page writes this file with the program.
    let folder = env::temp_dir().join(format!("sortid-python-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("functions.sql"), sortid_sql::Database::Duckdb.sql()).unwrap();
    let output = Command::new(&python).args(["-c", &program]).current_dir(&folder).output();
    let _ = fs::remove_dir_all(&folder);
    let output = output.unwrap();
    let [found, errors] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    assert!(output.status.success(), "{errors}");
    assert_eq!(found.lines().collect::<Vec<_>>(), shown);
}
