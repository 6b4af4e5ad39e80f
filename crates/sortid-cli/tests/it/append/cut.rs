//! What `append` cuts off, and where it keeps that.

use super::{append, event, events, verify};
use crate::common::{Folder, run, shown, sortid, text};
use std::{
    fs::{self, File},
    io::Write as _,
    os::unix::{
        fs::{PermissionsExt as _, chown, symlink},
        process::CommandExt as _,
    },
    path::Path,
    process::Stdio,
};

/// What the last line is, and what the program does with it.
#[test]
fn only_what_is_provably_half_a_line_is_cut() {
    let folder = Folder::new("provable");
    let source = folder.path("source");
    assert!(append(&source, &events(3)).status.success());
    let whole = fs::read_to_string(&source).unwrap();
    let lines: Vec<_> = whole.split_inclusive('\n').collect();
    let last = lines[2].trim_end();
    let micros = last.find("Z\"").unwrap();
    let with = |from: &str, to: &str| {
        let changed = last.replace(from, to);
        assert_ne!(changed, last);
        changed
    };
    let extended = |member: &str| last.strip_suffix('}').unwrap().to_owned() + member + "}";
    // JSON that this reader refuses, a complete object with something behind it, or not JSON.
    let refused = [
        with("Z\"", "+00:00\""),
        format!("{}0{}", &last[..micros], &last[micros..]),
        with("\"key\":\"2\"", "\"key\":2"),
        extended(",\"note\":\"\\ud800\""),
        extended(",\"note\":1e999999"),
        extended(&format!(",\"note\":{}1{}", "[".repeat(600), "]".repeat(600))),
        format!("{last},"),
        format!("{last} x"),
        format!("{last}]"),
        format!("{last}{{"),
        format!("{last}\0x"),
        last.replace("counted", "Counted"),
        last.replace("\"counted\"", "counted"),
        "{}".to_owned(),
        "hello".to_owned(),
        "{\"eventId\":\"\0\0\0\0\0\0\",\"".to_owned(),
    ];
    for before in [&lines[..2].concat(), ""] {
        for tail in &refused {
            let ledger = folder.path("ledger");
            let content = format!("{before}{tail}");
            fs::write(&ledger, &content).unwrap();
            let output = append(&ledger, &event(9));
            assert_eq!(output.status.code(), Some(2), "{content:?}: {}", shown(&output));
            assert_eq!(output.stdout, b"", "{content:?}");
            for part in ["sortid ledger verify", "sortid ledger repair"] {
                assert!(text(&output.stderr).contains(part), "{content:?}: {}", shown(&output));
            }
            assert_eq!(fs::read_to_string(&ledger).unwrap(), content);
            assert!(!Path::new(&folder.path("ledger.cut")).exists(), "{content:?}");
        }
    }
    // Half a line is kept apart, without the NULs behind it.
    let mut kept = vec![];
    let halves =
        ["{", "{\"event", &last[..50], &last[..last.len() - 1], "{\"note\":1e999999,", "{\"note\":\"\\ud800"];
    for half in halves.map(str::as_bytes).into_iter().chain([&b"{\"note\":\"\xf0\x9f"[..]]) {
        for nuls in [0, 1, 5000] {
            let ledger = folder.path("ledger");
            let tail = [half, &vec![0; nuls]].concat();
            fs::write(&ledger, [lines[..2].concat().as_bytes(), &tail].concat()).unwrap();
            let output = append(&ledger, &event(9));
            assert_eq!(output.status.code(), Some(0), "{half:?}: {}", shown(&output));
            let message = format!("kept in {ledger}.cut");
            assert!(text(&output.stderr).contains(&message), "{}", shown(&output));
            assert_eq!((verify(&ledger).events, verify(&ledger).faults), (3, 0));
            if !kept.is_empty() {
                kept.push(b'\n');
            }
            kept.extend(half);
            assert_eq!(fs::read(folder.path("ledger.cut")).unwrap(), kept);
        }
    }
}

#[test]
fn a_complete_event_before_nuls_stays() {
    let folder = Folder::new("nuls");
    let ledger = folder.path("ledger");
    append(&ledger, &events(2));
    let whole = fs::read(&ledger).unwrap();
    let first = whole.iter().position(|&byte| byte == b'\n').unwrap();
    for (events, content) in [(2, &whole[..whole.len() - 1]), (1, &whole[..first]), (2, &whole[..])] {
        fs::write(&ledger, [content, &[0; 700]].concat()).unwrap();
        let output = append(&ledger, &event(9));
        assert_eq!(output.status.code(), Some(0), "{}", shown(&output));
        assert!(text(&output.stderr).contains("700 NUL bytes"), "{}", shown(&output));
        assert!(!Path::new(&folder.path("ledger.cut")).exists());
        assert!(fs::read(&ledger).unwrap().starts_with(content));
        assert_eq!((verify(&ledger).events, verify(&ledger).faults), (events + 1, 0));
    }
}

#[test]
fn nothing_is_cut_if_it_cannot_be_kept() {
    let folder = Folder::new("not-kept");
    let ledger = folder.path("ledger");
    append(&ledger, &events(2));
    let half = [fs::read(&ledger).unwrap(), b"{\"eventId\":".to_vec()].concat();
    fs::write(&ledger, &half).unwrap();
    fs::create_dir(folder.path("ledger.cut")).unwrap();
    for args in [&["append", "--ledger"][..], &["repair", "--write"]] {
        let output = run(&[&["ledger"], args, &[&ledger]].concat(), event(9).as_bytes());
        assert_eq!(output.status.code(), Some(2), "{}", shown(&output));
        assert!(text(&output.stderr).contains("ledger.cut"), "{}", shown(&output));
        assert!(text(&output.stderr).contains("nothing is cut"), "{}", shown(&output));
        assert_eq!(fs::read(&ledger).unwrap(), half);
    }
}

#[test]
fn what_is_cut_is_as_private_as_the_ledger() {
    let folder = Folder::new("private");
    let ledger = folder.path("ledger");
    append(&ledger, &events(1));
    fs::set_permissions(&ledger, fs::Permissions::from_mode(0o600)).unwrap();
    File::options().append(true).open(&ledger).unwrap().write_all(b"{\"secret").unwrap();
    assert!(append(&ledger, "").status.success());
    let mode = fs::metadata(folder.path("ledger.cut")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}

/// The bits of the group of a file with an access control list are those of the list's mask.
#[test]
#[cfg(target_os = "linux")]
fn what_is_cut_from_a_ledger_with_an_access_control_list_is_the_owners() {
    let folder = Folder::new("list");
    let ledger = folder.path("ledger");
    append(&ledger, &events(1));
    // A list for the owner, a user, the group, the mask and all others: only the group and others may do nothing.
    let entries = [(1, 6, u32::MAX), (2, 6, 12_345), (4, 0, u32::MAX), (16, 6, u32::MAX), (32, 0, u32::MAX)];
    let mut list = 2_u32.to_le_bytes().to_vec();
    for (tag, may, id) in entries {
        list.extend([tag, may].map(u16::to_le_bytes).concat());
        list.extend(id.to_le_bytes());
    }
    let file = File::options().append(true).open(&ledger).unwrap();
    let flags = rustix::fs::XattrFlags::empty();
    if rustix::fs::fsetxattr(&file, "system.posix_acl_access", &list, flags).is_err() {
        println!("left out: the file system has no access control lists");
        return;
    }
    assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o660);
    (&file).write_all(b"{\"secret").unwrap();
    assert!(append(&ledger, "").status.success());
    let mode = fs::metadata(folder.path("ledger.cut")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}

/// To a file of another group, the members of the ledger's group are others.
#[test]
fn what_is_cut_and_cannot_have_the_group_of_the_ledger_is_the_owners() {
    const OWNER: u32 = 12_345;
    let folder = Folder::new("group");
    let ledger = folder.path("ledger");
    append(&ledger, &events(1));
    File::options().append(true).open(&ledger).unwrap().write_all(b"{\"secret").unwrap();
    // The mode bars the group, but not others.
    fs::set_permissions(&ledger, fs::Permissions::from_mode(0o604)).unwrap();
    let are_changed = chown(&ledger, Some(OWNER), Some(OWNER + 1)).is_ok()
        && chown(folder.path(""), Some(OWNER), Some(OWNER)).is_ok();
    let appended = sortid(&["ledger", "append", "--ledger", &ledger])
        .uid(OWNER)
        .gid(OWNER)
        .stdin(Stdio::null())
        .status();
    if !are_changed || appended.is_err() {
        println!("left out: this user cannot run programs as another one");
        return;
    }
    assert!(appended.unwrap().success());
    let mode = fs::metadata(folder.path("ledger.cut")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[test]
fn what_is_kept_goes_to_no_file_of_others_and_not_into_the_ledger() {
    let folder = Folder::new("kept");
    let (ledger, cut) = (folder.path("ledger"), folder.path("ledger.cut"));
    let halve = || {
        assert!(append(&ledger, &events(1)).status.success());
        File::options().append(true).open(&ledger).unwrap().write_all(b"{\"half").unwrap();
        fs::read(&ledger).unwrap()
    };
    let is_refused = |before: &[u8]| {
        let output = append(&ledger, &events(1));
        assert_eq!(output.status.code(), Some(2), "{}", shown(&output));
        assert_eq!(fs::read(&ledger).unwrap(), before);
    };
    let before = halve();
    fs::hard_link(&ledger, &cut).unwrap();
    is_refused(&before);
    fs::remove_file(&cut).unwrap();
    for target in ["ledger", "victim", "missing"] {
        fs::write(folder.path("victim"), "mine").unwrap();
        symlink(target, &cut).unwrap();
        is_refused(&before);
        fs::remove_file(&cut).unwrap();
        assert_eq!(fs::read(folder.path("victim")).unwrap(), b"mine");
    }
    // A file that others may read is made private.
    fs::write(&cut, "earlier ").unwrap();
    fs::set_permissions(&cut, fs::Permissions::from_mode(0o666)).unwrap();
    fs::set_permissions(&ledger, fs::Permissions::from_mode(0o600)).unwrap();
    assert!(append(&ledger, &events(1)).status.success());
    assert_eq!(fs::metadata(&cut).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(fs::read(&cut).unwrap(), b"earlier \n{\"half");
}
