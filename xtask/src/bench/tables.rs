//! The tables of all measurements.

use super::measured::{Kind, Measured};

/// The groups in the order of the page, with their titles.
const GROUPS: &[(&str, &str)] = &[
    ("encode", "Encode: time per ID, into an array on the stack"),
    ("parse", "Parse: time per ID"),
    ("generate", "Generate: time per ID, on one thread"),
    ("fill", "Fill: time per ID, in batches of 1, 16 or 1024"),
    ("threads", "Threads: time per ID, all IDs of 1 or 2 threads in one order"),
    ("unix_millis", "Read the time of an ID"),
    ("ron_print", "RON print: time per UID"),
    ("ron_parse", "RON parse: time per UID"),
    ("ron_zip", "RON print, shortened against another UID"),
    ("ron_unzip", "RON parse, expanded from another UID"),
    ("canonical_json", "Canonical JSON: an object with 100 000 members"),
    ("ledger_verify", "Ledger: verify 32 MiB"),
    ("ledger_append", "Ledger: append a line"),
    ("program", "The program, from start to exit"),
];

fn group<'m>(measured: &'m [Measured], name: &str) -> Vec<&'m Measured> {
    measured.iter().filter(|it| it.group == name).collect()
}

fn least(group: &[&Measured], kind: Kind) -> Option<f64> {
    group.iter().filter(|it| it.kind == kind).map(|it| it.unit_nanos()).min_by(f64::total_cmp)
}

pub(crate) fn all(measured: &[Measured]) -> String {
    let tables = GROUPS.iter().filter_map(|(name, title)| {
        let group = group(measured, name);
        (!group.is_empty()).then(|| format!("### {title}\n\n{}", table(&group)))
    });
    tables.collect::<Vec<_>>().join("\n")
}

/// Ratios compare times, so a smaller ratio is faster.
fn table(group: &[&Measured]) -> String {
    let (peer, bound) = (least(group, Kind::Peer), least(group, Kind::Bound));
    let mut heads = vec!["whose", "benchmark", "result"];
    heads.extend(peer.map(|_| "time ÷ fastest peer"));
    heads.extend(bound.map(|_| "time ÷ lower bound"));
    let mut table = format!("| {} |\n|{}\n", heads.join(" | "), "---|".repeat(heads.len()));
    for it in group {
        let kind = match it.kind {
            Kind::Ours => "ours",
            Kind::Peer => "peer",
            Kind::Bound => "bound",
        };
        let ratios = [peer, bound].into_iter().flatten().map(|other| match it.kind {
            Kind::Bound => String::new(),
            _ => format!("{:.2}", it.unit_nanos() / other),
        });
        let cells: Vec<_> =
            [kind.to_owned(), it.name.clone(), it.shown()].into_iter().chain(ratios).collect();
        table.push_str(&format!("| {} |\n", cells.join(" | ")));
    }
    table
}
