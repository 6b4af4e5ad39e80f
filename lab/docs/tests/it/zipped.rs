//! The table of compressed RON UIDs in the README of `ron-uid`.

use ron_uid::RonUid;

#[test]
fn zip_and_unzip_agree_with_the_table() {
    let page = include_str!("../../../../crates/ron-uid/README.md");
    let (before, table) = page.split_once("\n| UID | written as |").unwrap();
    let context = before.rsplit('`').nth(1).unwrap().parse::<RonUid>().unwrap();
    let rows = table.lines().skip(2).take_while(|line| line.starts_with('|'));
    let mut count = 0;
    for row in rows {
        let [uid, text] = [1, 3].map(|index| row.split('`').nth(index).unwrap());
        let uid: RonUid = uid.parse().unwrap();
        assert_eq!(uid.zip(&context), text, "{row}");
        assert_eq!(RonUid::unzip(text, &context), Ok(uid), "{row}");
        count += 1;
    }
    assert_eq!(count, 5);
}
