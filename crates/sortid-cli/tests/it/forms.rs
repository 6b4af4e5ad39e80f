//! `inspect`, `check` and `convert` read what columns of databases print.

use crate::common::{json_lines, run, shown, specs, text};
use insta::assert_snapshot;
use serde_json::{Value, json};
use sortid::Spec;

/// New IDs of a specification in a form, one per line.
fn new(spec: &str, form: &str, count: usize) -> String {
    let origin: &[&str] = if spec == "ron-uid" { &["--origin", "Xgritzk0_D"] } else { &[] };
    let count = count.to_string();
    let output = run(&[&["new", spec, "-n", &count, "--format", form][..], origin].concat(), b"");
    assert_eq!(output.status.code(), Some(0), "{}", shown(&output));
    text(&output.stdout)
}

/// The name of a form, and what turns what the program prints in this form into the spelling.
type Spelling = (&'static str, fn(&str) -> String);

/// The spellings of IDs of a specification.
fn spellings(spec: &str) -> Vec<Spelling> {
    let mut spellings: Vec<Spelling> = vec![
        ("text", str::to_owned),
        ("hex", str::to_owned),
        ("hex", |hex| hex.to_uppercase()),
        ("hex", |hex| format!("\\x{hex}")),
        ("hex", |hex| format!("0x{hex}")),
        ("hex", |hex| format!("0X{}", hex.to_uppercase())),
    ];
    let bytes = spec.parse::<Spec>().unwrap().bytes();
    if bytes <= 16 {
        spellings.push(("int", str::to_owned));
        // As languages print an integer in hex.
        spellings.push(("hex", |hex| format!("0x{}", hex.trim_start_matches('0'))));
    }
    if bytes == 16 {
        spellings.push(("uuid", str::to_owned));
        spellings.push(("uuid", |uuid| uuid.to_uppercase()));
        spellings.push(("uuid", |uuid| format!("{{{uuid}}}")));
        spellings.push(("uuid", |uuid| format!("{{{}}}", uuid.replace('-', ""))));
        spellings.push(("uuid", |uuid| format!("urn:uuid:{uuid}")));
    }
    spellings
}

#[test]
fn every_spelling_is_read_wherever_text_is() {
    const COUNT: usize = 300;

    for spec in specs() {
        for (form, spell) in spellings(spec) {
            let printed = new(spec, form, COUNT);
            let lines: String = printed.lines().map(|line| spell(line) + "\n").collect();
            let first = lines.lines().next().unwrap();
            // Hex digits can be the text of an Event ID or of a SCRU160.
            let is_text = form == "text"
                || form == "hex" && !first.contains(['x', 'X']) && ["evently-id", "scru160"].contains(&spec);

            let from = if is_text { "text" } else { form };
            let suffix = if is_text { String::new() } else { format!(" ({COUNT} {form})") };
            let expected = format!("exit 0\n--- stderr\n{spec}: {COUNT} valid, 0 invalid{suffix}\n");
            assert_eq!(shown(&run(&["check", spec], lines.as_bytes())), expected, "{first}");
            let suffix = if form == "text" { String::new() } else { format!(" ({COUNT} {form})") };
            let expected = format!("exit 0\n--- stderr\n{spec}: {COUNT} valid, 0 invalid{suffix}\n");
            assert_eq!(shown(&run(&["check", spec, "--from", form], lines.as_bytes())), expected, "{first}");

            let to_form = run(&["convert", "--spec", spec, "--to", form], lines.as_bytes());
            assert_eq!(shown(&to_form), format!("exit 0\n{printed}"), "{first}");

            let inspected = run(&["inspect", "--json", "--spec", spec], lines.as_bytes());
            let objects = json_lines(&inspected.stdout);
            assert_eq!(objects.len(), COUNT);
            for (object, line) in objects.iter().zip(lines.lines()) {
                assert_eq!((&object["input"], &object["valid"]), (&json!(line), &json!(true)));
                assert_eq!(object["from"], if from == "text" { Value::Null } else { json!(from) });
                assert_eq!(object.get("also"), None, "{line}");
            }
            // Without the specification, the likeliest reading is the right one.
            let found = run(&["inspect", "--json", first], b"");
            let found = &json_lines(&found.stdout)[0];
            let likely = if form == "int" && spec != "ulid-flake" { found } else { &objects[0] };
            assert_eq!(found["text"], likely["text"], "{first}");
            assert_eq!(found["spec"], likely["spec"], "{first}");
        }
    }
}

#[test]
fn one_form_only_is_read_if_it_is_named() {
    for spec in specs() {
        let forms: Vec<_> = ["text", "hex", "int", "uuid", "base64url"]
            .into_iter()
            .filter(|form| run(&["convert", "--spec", spec, "--to", form], b"").status.code() == Some(0))
            .collect();
        for form in &forms {
            // Hex digits without a letter are an integer, too.
            let line = loop {
                let line = new(spec, form, 1);
                if *form != "hex" || line.trim_end().bytes().any(|byte| byte.is_ascii_alphabetic()) {
                    break line;
                }
            };
            for from in &forms {
                // An Event ID's text is hex. A word of RON can be anything.
                let is_same = from == form
                    || spec == "evently-id"
                        && ["text", "hex"].contains(from)
                        && ["text", "hex"].contains(form)
                    || spec == "scru160" && *from == "text" && *form == "hex";
                for args in [
                    &["check", spec, "--from", from][..],
                    &["inspect", "--spec", spec, "--from", from],
                    &["convert", "--spec", spec, "--to", "hex", "--from", from],
                ] {
                    let output = run(args, line.as_bytes());
                    assert_eq!(output.status.code(), Some(i32::from(!is_same)), "{args:?} {line}");
                }
            }
        }
    }
    let refused = [
        &["check", "scru160", "--from", "int"][..],
        &["inspect", "--spec", "ulid-flake", "--from", "uuid", "1"],
        &["inspect", "--from", "int", "14246757444195114"],
        &["inspect", "--from", "hex", "00CMXB6TAK4SA"],
        &["inspect", "--spec", "ulid-flake", "--from", "hex", "0x329d59b4a9932g"],
        &["inspect", "--spec", "ulid-flake", "--from", "hex", "0x0329d59b4a9932a00"],
    ];
    let answers: Vec<_> = refused
        .iter()
        .map(|args| format!("$ sortid {}\n{}", args.join(" "), shown(&run(args, b""))))
        .collect();
    assert_snapshot!("named_forms", answers.join("\n"));
}

#[test]
fn an_id_that_can_be_two_things_says_so() {
    // An integer of early 2024 is 16 hex digits, and an integer of its first minutes is a text.
    for (id, forms) in [("1234567890123456", ["int", "hex"]), ("1234567890123", ["text", "int"])] {
        for spec in [&["--spec", "ulid-flake"][..], &[]] {
            let output = run(&[&["inspect", "--json", id], spec].concat(), b"");
            let object = &json_lines(&output.stdout)[0];
            let also = object["also"].as_array().unwrap();
            let found: Vec<_> =
                [object, &also[0]].map(|object| object["from"].as_str().unwrap_or("text")).to_vec();
            assert_eq!((found, also.len()), (forms.to_vec(), 1), "{id} {spec:?}");
        }
        let picture = text(&run(&["inspect", "--spec", "ulid-flake", id], b"").stdout);
        assert_eq!(picture.matches("  spec  ulid-flake\n").count(), 2, "{picture}");
        let one = text(&run(&["inspect", "--spec", "ulid-flake", "--from", forms[1], id], b"").stdout);
        assert_eq!(one.matches("  spec  ulid-flake\n").count(), 1, "{one}");
    }
    let checked = run(&["check", "ulid-flake"], b"1234567890123456\n1234567890123\n");
    assert_eq!(
        shown(&checked),
        "exit 0\n--- stderr\nulid-flake: 2 valid, 0 invalid (1 text, 1 int)\n\
         valid IDs with a time that is more than a minute from now: 1. They may be Snowflakes\n"
    );
    let checked = run(&["check", "--json", "ulid-flake"], b"1234567890123456\n1234567890123\n");
    let totals = json!({ "lines": 2, "invalid": 0, "forms": { "text": 1, "int": 1 }, "future_times": 1 });
    assert_eq!(json_lines(&checked.stdout), [totals]);
}

/// Even if the line looks like another form.
#[test]
fn a_line_as_long_as_the_text_is_the_text() {
    for (spec, line, kind) in [
        ("ulid-flake", "8000000000000", "overflow"),
        ("scru160", "0x7bdf6431bb33750751eb63beb3c3f8c5969d86", "character"),
        ("euid", "123456789012345678901234567", "check"),
    ] {
        let object = &json_lines(&run(&["inspect", "--json", "--spec", spec, line], b"").stdout)[0];
        assert_eq!((&object["valid"], &object["error"]["kind"]), (&json!(false), &json!(kind)), "{line}");
        assert_eq!(run(&["check", spec], line.as_bytes()).status.code(), Some(1), "{line}");
    }
}

#[test]
fn parts_of_ids_are_not_ids() {
    for spec in specs() {
        for form in ["text", "hex", "uuid"] {
            if form == "uuid" && ["scru160", "ulid-flake"].contains(&spec)
                || (spec, form) == ("ron-uid", "text")
            {
                continue;
            }
            let id = new(spec, form, 1);
            let id = id.trim();
            for len in 0..id.len() {
                // Decimal digits are an integer. As many digits as a text has can be a text.
                let is_int = len > 0 && id[..len].bytes().all(|byte| byte.is_ascii_digit());
                let is_text = form != "text" && [13, 27, 32].contains(&len);
                if is_int || is_text {
                    continue;
                }
                for line in
                    [id[..len].to_owned(), format!("{id}{}", &id[..len.max(1)]), format!("{{{}", &id[..len])]
                {
                    let output = run(&["check", spec], (line.clone() + "\n").as_bytes());
                    let is_other = spec == "ron-uid" && line.len() <= 21;
                    assert!(output.status.code() == Some(1) || is_other, "{spec} {line}: {}", shown(&output));
                }
            }
        }
    }
    // Row numbers, and IDs of 64 bits, are not IDs of 128 bits.
    for spec in ["euid", "evently-id", "ron-uid"] {
        for line in ["12345678901", "14246757444195114", "9223372036854775807", "0x329d59b4a9932a", "0x0b"] {
            // A RON UID of these digits is a name.
            let is_word = spec == "ron-uid" && line == "0x0b";
            let code = Some(i32::from(!is_word));
            assert_eq!(run(&["check", spec], line.as_bytes()).status.code(), code, "{spec} {line}");
        }
    }
    // Zeros before an integer, and 0 itself, are not what a column prints.
    for line in
        ["0", "00", "014246757444195114", "+1", "-1", "1.0", "1e3", "0x", "\\x", "{}", "{", "urn:uuid:"]
    {
        assert_eq!(run(&["check", "ulid-flake"], line.as_bytes()).status.code(), Some(1), "{line}");
    }
}

#[test]
fn a_form_with_a_wrong_digit_says_where() {
    let lines = [
        ("euid", "{621ce48c-99c0-0078-16e9-25e73ebf0fdg}"),
        ("euid", "{621ce48c-99c0-0078-16e9-25e73ebf0fda"),
        ("euid", "621ce48c-99c0_0078-16e9-25e73ebf0fda"),
        ("euid", "\\x621ce48c"),
        ("evently-id", "URN:UUID:621ce48c-99c0-0078-16e9-25e73ebf0fd"),
        ("ulid-flake", "0x329d59b4a9932g"),
        ("ulid-flake", "9223372036854775808"),
        ("ulid-flake", "99999999999999999999999999999999999999999999999"),
        ("scru160", "\\x017bdf6431bb33750751eb63beb3c3f8c5969d8g"),
        ("ron-uid", "f21ce48c99c0007816e925e73ebf0fda"),
    ];
    let answers: Vec<_> = lines
        .iter()
        .map(|(spec, line)| format!("{spec}: {}", text(&run(&["check", spec], line.as_bytes()).stdout)))
        .collect();
    assert_snapshot!("wrong_digits", answers.concat());
}

#[test]
fn an_integer_that_no_id_has_is_refused() {
    for int in ["0", "007", "340282366920938463463374607431768211456"] {
        let output = run(&["inspect", "--json", "--from", "int"], int.as_bytes());
        assert_eq!(output.status.code(), Some(1), "{}", shown(&output));
    }
    let output = run(&["inspect", "--from", "int", "007"], b"");
    let zero = "'0' at position 0, expected a digit from 1 to 9";
    let with_int = sortid::Spec::ALL.iter().filter(|spec| spec.bytes() <= 16).count();
    assert_eq!(text(&output.stdout).matches(zero).count(), with_int, "{}", shown(&output));
}

#[test]
fn copy_doubles_the_backslash() {
    let hex = new("scru160", "hex", 1);
    let line = format!("\\\\x{hex}");
    assert_eq!(run(&["check", "scru160"], line.as_bytes()).status.code(), Some(0), "{line}");
    assert_eq!(text(&run(&["convert", "--spec", "scru160", "--to", "hex"], line.as_bytes()).stdout), hex);
}

/// `convert` prints `0` for the least ID, so it reads `0` as well.
#[test]
fn convert_reads_all_decimal_digits() {
    for (spec, int) in
        [("ulid-flake", "0"), ("ulid-flake", "007"), ("euid", "1"), ("evently-id", "12345678901")]
    {
        let output = run(&["convert", "--spec", spec, "--to", "int", int], b"");
        assert_eq!(shown(&output), format!("exit 0\n{}\n", int.parse::<u64>().unwrap()));
    }
}

/// UUIDs of two kinds, and others.
#[test]
fn other_kinds_of_ids_are_named() {
    let answers = [
        // Any 16 bytes can be an EUID, including these UUIDs of version 7 and 4.
        ("check euid", "018f2b3c-4d5e-7f60-9abc-def012345678\n5f6b8c1e-2d3a-4b7c-8d9e-0f1a2b3c4d5e\n"),
        ("check --json euid", "018f2b3c-4d5e-7f60-9abc-def012345678\n"),
        ("check euid", "05TTUP1HNCPNA1QHTDHRTCU3V32PD7C6\n"),
        ("check scru160", "nonsense\n"),
        ("check ulid-flake", "01J2Z9V2JX8Q3M4N5P6R7S8T9V\n"),
        ("convert --spec euid --to text", "01890a5d-ac96-774b-bcce-b302099a8057\n"),
        ("check euid", "{\"id\":\"C8EE934SR007G5Q94QKKXFRFV8B\"}\n"),
        ("inspect", "01J2Z9V2JX8Q3M4N5P6R7S8T9V\n"),
        ("inspect", "2iBCtXuZCLYZLX3FHhvZT3Kx0yX\n"),
        ("inspect", "user_01h455vb4pex5vsknk084sn02q\n"),
        ("inspect", "user_C8EE934SR007G5Q94QKKXFRFV8B\n"),
    ]
    .map(|(line, input)| {
        let output = run(&line.split(' ').collect::<Vec<_>>(), input.as_bytes());
        format!("$ sortid {line}\n{}", shown(&output))
    });
    assert_snapshot!("other_kinds", answers.join("\n"));
    let note = |input: &str| {
        let picture = text(&run(&["inspect"], input.as_bytes()).stdout);
        picture.lines().find_map(|line| line.strip_prefix("  note  ")).unwrap_or_default().to_owned()
    };
    let of_version_7 = note("018f2b3c-4d5e-7f60-9abc-def012345678");
    assert!(of_version_7.contains("UUID of version 7, made at 2024-04-"), "{of_version_7}");
    assert!(note("5f6b8c1e-2d3a-4b7c-8d9e-0f1a2b3c4d5e").contains("UUID of version 4"));
    for euid in new("euid", "uuid", 50).lines() {
        assert_eq!(note(euid), "", "{euid}");
    }
}
