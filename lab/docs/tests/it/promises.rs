//! Each guarantee and each limit leads to the page, or to the step of `ci`, that shows how it was tried.

use std::{fs, path::Path};

#[test]
fn each_guarantee_and_each_limit_has_a_link() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../SECURITY.md");
    let page = fs::read_to_string(page).unwrap();
    let items: Vec<_> = page.split("\n- ").skip(1).collect();
    assert!(items.len() > 15, "{} guarantees and limits", items.len());
    for item in items {
        let (item, _) = item.split_once("\n\n").unwrap_or((item, ""));
        let has_link = ["](docs/", "](crates/", "](xtask/src/"].iter().any(|link| item.contains(link));
        assert!(has_link, "without a link: {item}");
    }
}
