//! `sortid range`.

use crate::common::{json_lines, run, shown, text};
use insta::assert_snapshot;
use sortid::{AnyId, Spec};

fn range(args: &[&str]) -> [String; 2] {
    let output = run(&[&["range"], args].concat(), b"");
    assert_eq!(output.status.code(), Some(0), "{}", shown(&output));
    let lines: Vec<_> = text(&output.stdout).lines().map(str::to_owned).collect();
    lines.try_into().unwrap()
}

#[test]
fn only_ids_made_in_the_span_are_between_the_bounds() {
    for spec in Spec::ALL {
        let made = |at: &str| {
            let options: &[&str] = if *spec == Spec::RonUid { &["--origin", "X"] } else { &[] };
            let output = run(&[&["new", spec.name(), "--at", at], options].concat(), b"");
            AnyId::parse(*spec, text(&output.stdout).trim_end()).unwrap()
        };
        let [least, greatest] = range(&[
            spec.name(),
            "--since",
            "2024-06-06T06:06:06.666Z",
            "--until",
            "2024-06-06T06:06:07.000999Z",
        ])
        .map(|id| AnyId::parse(*spec, &id).unwrap());
        for at in ["2024-06-06T06:06:06.666Z", "1717653966800", "2024-06-06T08:06:07+02:00"] {
            let id = made(at);
            assert!(least <= id && id <= greatest, "{spec} {at}");
        }
        assert!(made("2024-06-06T06:06:06.665Z") < least, "{spec}");
        assert!(greatest < made("2024-06-06T06:06:07.001Z"), "{spec}");
    }
}

#[test]
fn the_last_date_belongs_to_the_span_until_its_end() {
    let day = range(&["euid", "--since", "2024-06-06", "--until", "2024-06-06"]);
    let times = range(&["euid", "--since", "2024-06-06T00:00:00Z", "--until", "2024-06-06T23:59:59.999999Z"]);
    assert_eq!(day, times);
}

#[test]
fn an_integer_that_looks_like_another_unit_gets_a_warning() {
    let seconds = "1970-01-20T21:07:33.966000Z; if these are seconds, write @1717653966";
    let date = "if this is a year or a date, write it as YYYY-MM-DD";
    for (option, int, warning) in [
        ("--since", "1717653966", seconds),
        ("--until", "1717653966", seconds),
        ("--since", "20240606", &format!("1970-01-01T05:37:20.606000Z; {date}")),
        ("--since", "2024", &format!("1970-01-01T00:00:02.024000Z; {date}")),
    ] {
        let output = run(&["range", "euid", option, int], b"");
        assert_eq!(output.status.code(), Some(0));
        assert_eq!(text(&output.stderr), format!("warning: {int} is read as milliseconds: {warning}\n"));
        let quiet = run(&["range", "euid", option, warning.split(';').next().unwrap()], b"");
        assert_eq!(shown(&quiet), format!("exit 0\n{}", text(&output.stdout)));
    }
    for int in ["0", "1000", "1717653966666", "946684800000", "4102444799999"] {
        let output = run(&["range", "euid", "--until", int], b"");
        assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), String::new()), "{int}");
    }
    // Microseconds are beyond the range; the warning says why.
    let output = run(&["new", "euid", "--at", "1717653966666666"], b"");
    assert_eq!(output.status.code(), Some(2));
    assert!(
        text(&output.stderr)
            .contains("if these are microseconds, write 2024-06-06T06:06:06.666666Z\nerror: ")
    );
    for command in
        [&["new", "euid", "--at"][..], &["new", "ulid-flake", "--epoch"], &["inspect", "0", "--epoch"]]
    {
        let output = run(&[command, &["1717653966"]].concat(), b"");
        assert!(
            text(&output.stderr).starts_with("warning: 1717653966 is read as milliseconds"),
            "{command:?}"
        );
    }
}

#[test]
fn a_time_that_the_program_printed_is_read() {
    assert_eq!(
        range(&["scru160", "--since", "0", "--until", "+010889-08-02T05:31:50.655Z"]),
        range(&["scru160", "--since", "1970-01-01"])
    );
    assert_eq!(
        range(&["scru160", "--until", "9999-12-31"]),
        range(&["scru160", "--until", "9999-12-31T23:59:59.999Z"])
    );
    let last = text(&run(&["new", "scru160", "--at", "+010889-08-02T05:31:50.654Z"], b"").stdout);
    let output = run(&["inspect", "--json", last.trim_end()], b"");
    assert_eq!(json_lines(&output.stdout)[0]["time"], "+010889-08-02T05:31:50.654Z");
}

#[test]
fn without_an_end_the_bound_is_the_least_or_greatest_id() {
    assert_eq!(range(&["ulid-flake", "--until", "2024-01-01T00:00:00Z"]), ["0000000000000", "000000000ZZZZ"]);
    assert_eq!(range(&["ulid-flake", "--since", "1704067200001"]), ["0000000010000", "7ZZZZZZZZZZZZ"]);
    assert_eq!(range(&["ron-uid", "--until", "2010-01-01T00:00:00Z"])[0], "0");
}

#[test]
fn each_format_shows_the_same_bounds() {
    let euid = ["euid", "--since", "2024-01-01", "--until", "2024-12-31", "--format"];
    let of = |format| range(&[&euid[..], &[format]].concat());
    assert_eq!(of("text"), ["1HK153X00000000000000000010", "1JGFJJYZZZZZZZZZZZZZZZZZZW5"]);
    assert_eq!(of("hex"), ["0c66128fa00000000000000000000000", "0ca0f94bdfffffffffffffffffffffff"]);
    assert_eq!(of("uuid")[1], "0ca0f94b-dfff-ffff-ffff-ffffffffffff");
    assert_eq!(of("base64url")[0], "DGYSj6AAAAAAAAAAAAAAAA");
    assert_eq!(of("int")[0], u128::from_str_radix(&of("hex")[0], 16).unwrap().to_string());
    let bytes = run(&[&["range"], &euid[..], &["bytes"]].concat(), b"").stdout;
    assert_eq!(bytes.len(), 32);

    let output =
        run(&["range", "ulid-flake", "--since", "2021-01-01", "--epoch", "2020-01-01", "--json"], b"");
    let object = json_lines(&output.stdout).remove(0);
    assert_eq!(object["spec"], "ulid-flake");
    assert_eq!(object["least"]["time"], "2021-01-01T00:00:00.000Z");
    assert_eq!(object["least"]["fields"]["randomness"], 0);
    assert_eq!(object["greatest"]["text"], "7ZZZZZZZZZZZZ");
}

#[test]
fn queries_have_the_literals_of_the_natural_types() {
    let mut snapshot = String::new();
    for spec in Spec::ALL {
        for dialect in ["postgresql", "mysql", "duckdb", "clickhouse", "sqlite"] {
            let span = ["--since", "2024-01-01", "--until", "2024-01-31"];
            let query = ["--sql", "shop.orders.id", "--dialect", dialect];
            let output = run(&[&["range", spec.name()], &span[..], &query].concat(), b"");
            snapshot.push_str(&format!("{dialect}\n{}\n", shown(&output)));
        }
    }
    for end in ["--since", "--until"] {
        for spec in ["ulid-flake", "ron-uid"] {
            let output = run(&["range", spec, end, "2024-01-01T00:00:00Z", "--sql", "id", "log"], b"");
            snapshot.push_str(&format!("{end}\n{}\n", shown(&output)));
        }
    }
    let hostile = run(&["range", "euid", "--since", "0", "--sql", r#"id" = "id"; --"#, "a`b"], b"");
    snapshot.push_str(&shown(&hostile));
    assert_snapshot!("queries", snapshot);
}

#[test]
fn a_query_names_its_column_in_two_ways() {
    let query = |sql: &[&str]| run(&[&["range", "euid", "--since", "2024-06", "--sql"], sql].concat(), b"");
    for (one, two) in
        [("orders.id", ["id", "orders"]), ("a.b.c", ["c", "a.b"]), ("user.order id", ["order id", "user"])]
    {
        let output = shown(&query(&[one]));
        assert!(output.starts_with("exit 0\nSELECT") && !output.contains("stderr"), "{output}");
        assert_eq!(output, shown(&query(&two)));
    }
    let swapped = text(&query(&["orders", "customer_id"]).stderr);
    assert_eq!(
        swapped,
        "warning: --sql orders customer_id is read as the column orders of the table customer_id; \
         for the column customer_id of the table orders, write --sql orders.customer_id\n"
    );
    let quoted = text(&query(&[r#""orders".id"#]).stderr);
    assert!(
        quoted.contains(r#"the quotes are read as a part of the name "orders"; leave them out"#),
        "{quoted}"
    );
}

#[test]
fn a_month_or_a_date_given_twice_is_all_of_it() {
    let of = |since, until| range(&["scru160", "--since", since, "--until", until]);
    assert_eq!(of("2024-02", "2024-02"), of("2024-02-01", "2024-02-29"));
    assert_eq!(of("2024-02-29", "2024-02-29"), of("2024-02-29T00:00:00Z", "2024-02-29 23:59:59.999Z"));
    assert_eq!(of("@1717653966", "@1717653966.666"), of("1717653966000", "1717653966666"));
}

#[test]
fn a_time_can_count_from_now() {
    for [since, until] in [
        ["--since=-1h", "--until=now"],
        ["--until=now", "--since=now"],
        ["--until=today", "--since=TODAY"],
        ["--since=1 week ago", "--until=in 2 days"],
    ] {
        let [least, greatest] = range(&["euid", since, until]);
        assert!(least < greatest, "{since} {until}");
    }
    let apart = range(&["euid", "--since", "-1d12h", "--until", "+1d"]);
    let id = text(&run(&["new", "euid", "--at", "-30m"], b"").stdout);
    assert!(*apart[0] < *id.trim_end() && *id.trim_end() < *apart[1]);

    let future = run(&["range", "euid", "--since", "3000-01-01"], b"");
    assert_eq!(text(&future.stderr), "warning: --since 3000-01-01T00:00:00.000000Z is in the future\n");
    for quiet in [&["--since", "now"][..], &["--since", "3000-01", "--until", "3000-01"]] {
        let output = run(&[&["range", "euid"], quiet].concat(), b"");
        assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), String::new()));
    }
}

#[test]
fn wrong_options_say_what_was_expected() {
    let all = [
        &["range"][..],
        &["range", "euid"],
        &["range", "scru128", "--since", "0"],
        &["range", "euid", "--since", "last week"],
        &["range", "euid", "--since", "-1"],
        &["range", "euid", "--since", "1h"],
        &["range", "euid", "--since", "-9000y"],
        &["range", "euid", "--since", "2024-06-06 06:06:06"],
        &["range", "euid", "--since", "2024-06-06T24:00"],
        &["range", "euid", "--since", "06/07/2024"],
        &["range", "euid", "--since", "@1717653966666666"],
        &["range", "ulid-flake", "--since", "2024-06", "--epoch", "now"],
        &["range", "euid", "--until", "1969-12-31"],
        &["range", "euid", "--since", "0001-01-01"],
        &["range", "euid", "--since", "-"],
        &["range", "euid", "--since", "2016-12-31T23:59:60Z"],
        &["range", "euid", "--until", "9999-12-31"],
        &["range", "scru160", "--until", "+010889-08-03"],
        &["range", "euid", "--since", "2024-01-02", "--until", "2024-01-01"],
        &["range", "euid", "--since", "2", "--until", "1"],
        &["range", "euid", "--since", "9999-01-01"],
        &["range", "ulid-flake", "--since", "2023-12-31"],
        &["range", "ulid-flake", "--until", "2023-12-31"],
        &["range", "ulid-flake", "--until", "2345-01-01"],
        &["range", "ulid-flake", "--until", "1", "--epoch", "2"],
        &["range", "euid", "--since", "0", "--epoch", "2"],
        &["range", "ron-uid", "--since", "2009-12-31"],
        &["range", "ron-uid", "--until", "2346-01-01"],
        &["range", "scru160", "--since", "0", "--format", "int"],
        &["range", "ulid-flake", "--until", "2025-01-01", "--format", "uuid"],
        &["range", "euid", "--since", "0", "--json", "--format", "hex"],
        &["range", "euid", "--since", "0", "--json", "--sql", "a", "b"],
        &["range", "euid", "--since", "0", "--dialect", "mysql"],
        &["range", "euid", "--since", "0", "--sql", "a", ""],
        &["range", "euid", "--since", "0", "--sql", "a", "b..c"],
        &["range", "euid", "--since", "0", "--sql", "orders"],
        &["range", "euid", "--since", "0", "--sql", "orders."],
        &["range", "euid", "--since", "0", "--sql", "SELECT id FROM orders"],
        &["range", "euid", "2024-06-01", "2024-06-30"],
        &["range", "euid", "2024-06"],
        &["range", "euid", "now"],
        &["range", "euid", "2024-06-01", "--until", "2024-06-30", "--json"],
        &[
            "range",
            "euid",
            "--since",
            "2024-06-01",
            "2024-06-30",
            "--sql",
            "id",
            "my orders",
            "--dialect",
            "sqlite",
        ],
        &["range", "ulid-flake", "0", "--epoch", "1970-01-01", "--format", "int"],
        &["range", "euid", "1", "2", "3"],
        &["range", "euid", "ulid-flake"],
    ];
    let mut snapshot = String::new();
    for args in all {
        let output = run(args, b"");
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{args:?}");
        let stderr = text(&output.stderr);
        let lines = stderr.lines().enumerate().filter(|(at, line)| *at == 0 || line.starts_with("  tip: "));
        let shown: String = lines.map(|(_, line)| format!("{line}\n")).collect();
        snapshot.push_str(&format!("$ sortid {}\n{shown}\n", args.join(" ")));
    }
    assert_snapshot!("wrong_options", snapshot);
}
