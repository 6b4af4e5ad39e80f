//! The tables and the chart of all that was measured.

use super::measured::{Kind, Measured, Work};
use crate::svg::{Bar, Panel};

/// The groups in their order, with what is measured.
const GROUPS: &[(&str, &str)] = &[
    ("encode", "Encode: an ID to text, in an array on the stack"),
    ("parse", "Parse: text to an ID"),
    ("generate", "Generate: one ID, on one thread"),
    ("fill", "Fill: one ID of a batch of 1, 16 or 1024"),
    ("threads", "Threads: one ID of all that 1 or 2 threads make together, in one order"),
    ("unix_millis", "Time accessor"),
    ("ron_print", "RON: print"),
    ("ron_parse", "RON: parse"),
    ("ron_zip", "RON: print in the context of another UID"),
    ("ron_unzip", "RON: parse in the context of another UID"),
    ("canonical_json", "Canonical JSON, an object of 100 000 members"),
    ("ledger_verify", "Ledger: verify 32 MiB"),
    ("ledger_append", "Ledger: append a line"),
    ("program", "The program, from start to end"),
];

/// Those of the chart, and what their bars may begin with.
const CHARTED: &[&str] = &["encode", "parse", "generate", "fill", "threads", "ron_print", "ron_parse"];

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

/// A ratio is that of times, so less is faster.
fn table(group: &[&Measured]) -> String {
    let (peer, bound) = (least(group, Kind::Peer), least(group, Kind::Bound));
    let mut heads = vec!["", "", ""];
    heads.extend(peer.map(|_| "of the best peer"));
    heads.extend(bound.map(|_| "of the bound"));
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

pub(crate) fn panels(measured: &[Measured]) -> Vec<Panel> {
    let charted = GROUPS.iter().filter(|(name, _)| CHARTED.contains(name));
    let panel = |&(name, title): &(&str, &str)| Panel {
        title: title.to_owned(),
        bars: group(measured, name)
            .into_iter()
            .filter(|it| matches!(it.work, Work::Elements(_)))
            .map(|it| Bar {
                label: it.name.clone(),
                class: match it.kind {
                    Kind::Ours => "ours",
                    Kind::Peer => "peer",
                    Kind::Bound => "bound",
                },
                value: it.unit_nanos(),
                shown: it.shown(),
            })
            .collect(),
    };
    charted.map(panel).filter(|panel| !panel.bars.is_empty()).collect()
}
