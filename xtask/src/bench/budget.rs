//! The performance targets, line by line.

use super::measured::{Kind, Measured, Spread};

/// A target for our time.
enum Limit {
    /// At most this multiple of the time of another benchmark in the group.
    Part(f64, &'static str),
    /// At most this multiple of the time of the fastest of these benchmarks.
    Fastest(f64, &'static [&'static str]),
    /// At most this multiple of the times of these benchmarks together.
    Sum(f64, &'static [&'static str]),
    Nanos(f64),
    /// At least this many million IDs per second.
    Millions(f64),
    MegabytesASecond(f64),
}

struct Line {
    work: &'static str,
    group: &'static str,
    /// Our benchmarks, a row for each.
    ours: &'static [&'static str],
    /// Peers that do the same work: as many characters, or as many random bits.
    peers: &'static [&'static str],
    bound: Option<&'static str>,
    limits: &'static [Limit],
}

use Limit::{Fastest, MegabytesASecond, Millions, Nanos, Part, Sum};

const CLOCK: &str = "SystemTime::now";

const PEERS_OF_GENERATE: &[&str] =
    &["ulid Ulid::generate", "ferroid thread-local", "uuid now_v7", "scru128 new", "euid 0.1.7 create"];

const LINES: &[Line] = &[
    Line {
        work: "encode 27 to 32 characters into an array",
        group: "encode",
        ours: &["scru160", "euid", "evently-id"],
        peers: &["ulid", "ferroid", "data-encoding base32hex", "euid 0.1.7"],
        bound: None,
        limits: &[Fastest(0.4, &["ulid", "ferroid"])],
    },
    Line {
        work: "parse",
        group: "parse",
        ours: &["scru160", "euid", "evently-id"],
        peers: &["ulid", "ferroid", "data-encoding base32hex", "euid 0.1.7"],
        bound: None,
        limits: &[Fastest(0.55, &["ulid", "ferroid"])],
    },
    Line {
        work: "`Generator::generate`, all random bits fresh",
        group: "generate",
        ours: &["euid"],
        peers: PEERS_OF_GENERATE,
        bound: Some(CLOCK),
        limits: &[
            Sum(1.05, &[CLOCK, "ChaCha12, 4 bytes"]),
            Part(1.0, "ulid Ulid::generate"),
            Part(0.5, "uuid now_v7"),
            Part(0.125, "euid 0.1.7 create"),
        ],
    },
    Line {
        work: "`Generator::generate`, all random bits fresh",
        group: "generate",
        ours: &["scru160"],
        peers: PEERS_OF_GENERATE,
        bound: Some(CLOCK),
        limits: &[Sum(1.15, &[CLOCK, "ChaCha12, 12 bytes"]), Part(0.5, "uuid now_v7")],
    },
    Line {
        work: "`fill`, SCRU160 with 96 fresh bits each",
        group: "fill",
        ours: &["scru160, 1024"],
        peers: &["ferroid thread-local"],
        bound: Some("ChaCha12, 12 of 12 288 bytes"),
        limits: &[Nanos(10.0), Part(1.0, "ferroid thread-local")],
    },
    Line {
        work: "`SharedGenerator` from 2 threads",
        group: "threads",
        ours: &["scru160 SharedGenerator, 2"],
        peers: &["ferroid LockMonoUlidGenerator, 2", "uuid now_v7, 2", "scru128 new, 2"],
        bound: None,
        limits: &[Part(0.5, "scru160 Mutex<Generator>, 2")],
    },
    Line {
        work: "RON print",
        group: "ron_print",
        ours: &["ron-uid"],
        peers: &["ron-uuid 0.4"],
        bound: None,
        limits: &[Part(0.25, "ron-uuid 0.4")],
    },
    Line {
        work: "RON parse",
        group: "ron_parse",
        ours: &["ron-uid"],
        peers: &["ron-uuid 0.4"],
        bound: None,
        limits: &[Part(0.25, "ron-uuid 0.4")],
    },
    Line {
        work: "`sortid new scru160 -n 10000000 >/dev/null`",
        group: "program",
        ours: &["new scru160"],
        peers: &[],
        bound: None,
        limits: &[Millions(15.0)],
    },
    Line {
        work: "`sortid check`, `inspect --json`, `convert`",
        group: "program",
        ours: &[
            "check scru160",
            "inspect --json --spec scru160",
            "convert --spec scru160 --to hex",
            "convert --to hex",
        ],
        peers: &[],
        bound: None,
        limits: &[MegabytesASecond(100.0)],
    },
    Line {
        work: "`sortid ledger verify`",
        group: "program",
        ours: &["ledger verify, 1 thread"],
        peers: &[],
        bound: None,
        limits: &[MegabytesASecond(400.0)],
    },
    Line {
        work: "`sortid inspect --json` of any specification",
        group: "program",
        ours: &[
            "inspect --json, scru160",
            "inspect --json, euid",
            "inspect --json, ulid-flake",
            "inspect --json, ron-uid",
            "inspect --json, evently-id",
        ],
        peers: &[],
        bound: None,
        limits: &[MegabytesASecond(100.0)],
    },
    // A verifier does more than a parser: it checks that JSON is canonical, the checksum, the order and the chain. For
    // that, it may take a quarter more time.
    Line {
        work: "`Verifier::verify_chunk`",
        group: "ledger_verify",
        ours: &["classic, 1 thread"],
        peers: &["classic, simd-json parses", "classic, sonic-rs parses"],
        bound: Some("classic, CRC-32C alone"),
        limits: &[
            MegabytesASecond(400.0),
            Part(1.25, "classic, simd-json parses"),
            Part(1.25, "classic, sonic-rs parses"),
        ],
    },
    Line {
        work: "`Verifier::verify_chunk`",
        group: "ledger_verify",
        ours: &["entities, 1 thread"],
        peers: &["entities, simd-json parses", "entities, sonic-rs parses"],
        bound: Some("entities, CRC-32C alone"),
        limits: &[
            MegabytesASecond(400.0),
            Part(1.25, "entities, simd-json parses"),
            Part(1.25, "entities, sonic-rs parses"),
        ],
    },
];

impl Limit {
    /// The measured value with its target, and whether the median of the runs meets it. `None` if another benchmark was not
    /// measured.
    fn judge(&self, ours: &Measured, group: &[&Measured]) -> Option<(String, bool)> {
        let plural = |names: &[&str]| names.join(" and ");
        Some(match *self {
            Part(most, name) => part(most, ours, &[other(name, ours, group)?], sum, name),
            Fastest(most, names) => {
                let fastest = |times: &[f64]| times.iter().copied().fold(f64::INFINITY, f64::min);
                part(
                    most,
                    ours,
                    &all(names, ours, group)?,
                    fastest,
                    &format!("the faster of {}", plural(names)),
                )
            }
            Sum(most, names) => {
                part(most, ours, &all(names, ours, group)?, sum, &format!("({})", plural(names)))
            }
            Nanos(most) => (format!("at most {most} ns"), ours.unit_nanos() <= most),
            Millions(least) => {
                let millions = Spread::of(ours.unit_nanos_of_runs().map(|nanos| 1000.0 / nanos));
                let shown = millions.shown(|millions| format!("{millions:.1}"));
                (format!("{shown} million/s, at least {least}"), millions.median >= least)
            }
            MegabytesASecond(least) => (format!("at least {least} MB/s"), ours.megabytes_a_second() >= least),
        })
    }
}

fn sum(times: &[f64]) -> f64 {
    times.iter().sum()
}

fn other<'a>(name: &str, ours: &Measured, group: &[&'a Measured]) -> Option<&'a Measured> {
    group.iter().find(|it| it.name == name && !it.is_same_work(ours)).copied()
}

fn all<'a>(names: &[&str], ours: &Measured, group: &[&'a Measured]) -> Option<Vec<&'a Measured>> {
    names.iter().map(|name| other(name, ours, group)).collect()
}

/// Our time as a part of the time that `of` makes of the others, in each run.
fn part(
    most: f64,
    ours: &Measured,
    others: &[&Measured],
    of: impl Fn(&[f64]) -> f64,
    names: &str,
) -> (String, bool) {
    let others: Vec<Vec<f64>> = others.iter().map(|other| other.unit_nanos_of_runs().collect()).collect();
    let parts = Spread::of(ours.unit_nanos_of_runs().enumerate().map(|(run, nanos)| {
        let times: Vec<_> = others.iter().filter_map(|other| other.get(run).copied()).collect();
        nanos / of(&times)
    }));
    let shown = parts.shown(|part| format!("{part:.2}"));
    (format!("{shown} × {names}, at most {most:.3}"), parts.median <= most)
}

/// A row for each line whose benchmarks were all measured.
pub(crate) fn table(measured: &[Measured]) -> String {
    let mut table =
        "| work | our time | fastest peer | lower bound | target | result |\n|---|---|---|---|---|---|\n"
            .to_owned();
    for line in LINES {
        let group: Vec<_> = measured.iter().filter(|it| it.group == line.group).collect();
        for name in line.ours {
            let Some(ours) = group.iter().find(|it| it.kind == Kind::Ours && it.name == *name) else {
                continue;
            };
            let Some(judged) = line.limits.iter().map(|limit| limit.judge(ours, &group)).collect() else {
                continue;
            };
            table.push_str(&row(line, ours, &group, judged));
        }
    }
    table
}

fn row(line: &Line, ours: &Measured, group: &[&Measured], judged: Vec<(String, bool)>) -> String {
    let best = group
        .iter()
        .filter(|it| it.kind == Kind::Peer && line.peers.contains(&it.name.as_str()))
        .min_by(|a, b| a.unit_nanos().total_cmp(&b.unit_nanos()));
    let bound = line.bound.and_then(|name| group.iter().find(|it| it.name == name));
    let other = |it: &Measured| format!("{}: {}", it.name, it.shown());
    let are_met = judged.iter().all(|(_, is_met)| *is_met);
    let limits: Vec<_> = judged
        .into_iter()
        .map(|(limit, is_met)| if is_met { limit } else { format!("**{limit}**") })
        .collect();
    format!(
        "| {} | {}: {} | {} | {} | {} | {} |\n",
        line.work,
        ours.name,
        ours.shown(),
        best.map_or_else(|| "–".to_owned(), |it| other(it)),
        bound.map_or_else(|| "–".to_owned(), |it| other(it)),
        limits.join("; "),
        if are_met { "met" } else { "**not met**" },
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::measured::Work;

    fn measured(kind: Kind, name: &str, nanos: f64) -> Measured {
        Measured {
            group: "encode".into(),
            kind,
            name: name.into(),
            work: Work::Elements(1.0),
            nanos: vec![nanos],
        }
    }

    #[test]
    fn a_line_is_met_if_all_its_targets_are_met() {
        let mut all = [
            measured(Kind::Ours, "euid", 4.8),
            measured(Kind::Peer, "ulid", 12.0),
            measured(Kind::Peer, "ferroid", 13.0),
        ];
        let row = |all: &[Measured]| table(all).lines().last().unwrap().to_owned();
        assert!(row(&all).ends_with("| met |"), "{}", row(&all));
        assert!(row(&all).contains("euid: 4.80 ns | ulid: 12.0 ns |"), "{}", row(&all));
        all[0].nanos = vec![4.9];
        let expected = "**0.41 × the faster of ulid and ferroid, at most 0.400** | **not met** |";
        assert!(row(&all).ends_with(expected), "{}", row(&all));
        assert_eq!(table(&all[..2]).lines().count(), 2, "a peer was not measured");
    }

    #[test]
    fn a_target_is_judged_by_the_median_of_the_ratios_of_the_runs() {
        let mut all = [
            measured(Kind::Ours, "euid", 5.0),
            measured(Kind::Peer, "ulid", 10.0),
            measured(Kind::Peer, "ferroid", 20.0),
        ];
        // In each run the machine was otherwise busy: the times differ, and the ratios less.
        all[0].nanos.extend([8.0, 3.9]);
        all[1].nanos.extend([40.0, 30.0]);
        all[2].nanos.extend([20.0, 10.0]);
        let row = table(&all).lines().last().unwrap().to_owned();
        assert!(row.contains("0.40 (0.39 to 0.50) × the faster of ulid and ferroid"), "{row}");
        assert!(row.ends_with("| met |"), "{row}");
    }

    #[test]
    fn a_sum_of_bounds_is_a_target() {
        let all = [
            Measured { group: "generate".into(), ..measured(Kind::Ours, "scru160", 33.0) },
            Measured { group: "generate".into(), ..measured(Kind::Bound, CLOCK, 20.0) },
            Measured { group: "generate".into(), ..measured(Kind::Bound, "ChaCha12, 12 bytes", 10.0) },
            Measured { group: "generate".into(), ..measured(Kind::Peer, "uuid now_v7", 70.0) },
        ];
        let row = table(&all).lines().last().unwrap().to_owned();
        assert!(row.contains("1.10 × (SystemTime::now and ChaCha12, 12 bytes), at most 1.150;"), "{row}");
    }
}
