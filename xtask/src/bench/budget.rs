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
    limits: &'static [Limit],
}

use Limit::{Fastest, MegabytesASecond, Millions, Nanos, Part, Sum};

const CLOCK: &str = "SystemTime::now";

const LINES: &[Line] = &[
    Line {
        work: "encode 27 to 32 characters into an array",
        group: "encode",
        ours: &["scru160", "euid", "evently-id"],
        limits: &[Fastest(0.6, &["ulid", "ferroid"])],
    },
    Line {
        work: "parse",
        group: "parse",
        ours: &["scru160", "euid", "evently-id"],
        limits: &[Fastest(0.55, &["ulid", "ferroid"])],
    },
    Line {
        work: "`Generator::generate`, all random bits fresh",
        group: "generate",
        ours: &["euid"],
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
        limits: &[Sum(1.15, &[CLOCK, "ChaCha12, 12 bytes"]), Part(0.5, "uuid now_v7")],
    },
    Line {
        work: "a batch of one",
        group: "fill",
        ours: &["scru160, 1"],
        limits: &[Part(1.1, "scru160, generate")],
    },
    Line {
        work: "a batch of one",
        group: "fill",
        ours: &["euid, 1"],
        limits: &[Part(1.1, "euid, generate")],
    },
    Line {
        work: "a batch of one",
        group: "fill",
        ours: &["ulid-flake, 1"],
        limits: &[Part(1.1, "ulid-flake, generate")],
    },
    Line {
        work: "a batch of one",
        group: "fill",
        ours: &["ron-uid, 1"],
        limits: &[Part(1.1, "ron-uid, generate")],
    },
    Line {
        work: "a batch of one",
        group: "fill",
        ours: &["evently-id, 1"],
        limits: &[Part(1.1, "evently-id, generate")],
    },
    Line {
        work: "`fill`, SCRU160 with 96 fresh bits each",
        group: "fill",
        ours: &["scru160, 1024"],
        limits: &[Nanos(10.0), Part(1.0, "ferroid thread-local")],
    },
    Line {
        work: "`Generator` from 2 threads",
        group: "threads",
        ours: &["scru160 Generator, 2"],
        limits: &[Part(1.0, "ferroid LockMonoUlidGenerator, 2")],
    },
    // Two threads take at most 1/1.9 of the time of one.
    Line {
        work: "`new_unordered` from 2 threads",
        group: "threads",
        ours: &["euid new_unordered, 2"],
        limits: &[Part(0.526, "euid new_unordered, 1")],
    },
    Line {
        work: "`new_unordered` from 2 threads",
        group: "threads",
        ours: &["scru160 new_unordered, 2"],
        limits: &[Part(0.526, "scru160 new_unordered, 1")],
    },
    Line { work: "RON print", group: "ron_print", ours: &["ron-uid"], limits: &[Part(0.25, "ron-uuid 0.4")] },
    Line { work: "RON parse", group: "ron_parse", ours: &["ron-uid"], limits: &[Part(0.25, "ron-uuid 0.4")] },
    Line {
        work: "`sortid new scru160 -n 10000000 >/dev/null`",
        group: "program",
        ours: &["new scru160"],
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
        limits: &[MegabytesASecond(100.0)],
    },
    Line {
        work: "`sortid ledger verify`",
        group: "program",
        ours: &["ledger verify, 1 thread"],
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
        limits: &[MegabytesASecond(100.0)],
    },
    // A verifier does more than a parser: it checks that JSON is canonical, the checksum, the order and the chain. For
    // that, it may take a quarter more time.
    Line {
        work: "`Verifier::verify_chunk`",
        group: "ledger_verify",
        ours: &["classic, 1 thread"],
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

/// What is met and what is not, for each line whose benchmarks were all measured.
pub(crate) fn shown(measured: &[Measured]) -> String {
    let mut text = String::new();
    for line in LINES {
        let group: Vec<_> = measured.iter().filter(|it| it.group == line.group).collect();
        for name in line.ours {
            let Some(ours) = group.iter().find(|it| it.kind == Kind::Ours && it.name == *name) else {
                continue;
            };
            for (limit, is_met) in line.limits.iter().filter_map(|limit| limit.judge(ours, &group)) {
                let verdict = if is_met { "met" } else { "NOT MET" };
                text.push_str(&format!("{verdict:<7}  {}, {name}: {}, {limit}\n", line.work, ours.shown()));
            }
        }
    }
    text
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
    fn a_target_needs_the_benchmarks_that_it_names() {
        let mut all = [
            measured(Kind::Ours, "euid", 7.2),
            measured(Kind::Peer, "ulid", 12.0),
            measured(Kind::Peer, "ferroid", 13.0),
        ];
        let work = "encode 27 to 32 characters into an array";
        let limit = "0.60 × the faster of ulid and ferroid, at most 0.600";
        assert_eq!(shown(&all), format!("met      {work}, euid: 7.20 ns, {limit}\n"));
        assert_eq!(shown(&all[..2]), "");
        all[0].nanos = vec![7.3];
        let limit = "0.61 × the faster of ulid and ferroid, at most 0.600";
        assert_eq!(shown(&all), format!("NOT MET  {work}, euid: 7.30 ns, {limit}\n"));
    }

    #[test]
    fn a_target_is_judged_by_the_median_of_the_ratios_of_the_runs() {
        let mut all = [
            measured(Kind::Ours, "euid", 6.0),
            measured(Kind::Peer, "ulid", 10.0),
            measured(Kind::Peer, "ferroid", 20.0),
        ];
        // In each run the machine was otherwise busy: the times differ, and the ratios less.
        all[0].nanos.extend([12.0, 5.9]);
        all[1].nanos.extend([40.0, 30.0]);
        all[2].nanos.extend([20.0, 10.0]);
        let text = shown(&all);
        assert!(text.contains("0.60 (0.59 to 0.60) × the faster of ulid and ferroid"), "{text}");
        assert!(text.starts_with("met "), "{text}");
    }

    #[test]
    fn a_sum_of_bounds_is_a_target() {
        let all = [
            Measured { group: "generate".into(), ..measured(Kind::Ours, "scru160", 33.0) },
            Measured { group: "generate".into(), ..measured(Kind::Bound, CLOCK, 20.0) },
            Measured { group: "generate".into(), ..measured(Kind::Bound, "ChaCha12, 12 bytes", 10.0) },
        ];
        let text = shown(&all);
        assert!(text.contains("1.10 × (SystemTime::now and ChaCha12, 12 bytes), at most 1.150"), "{text}");
    }
}
