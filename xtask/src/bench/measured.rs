//! The results that Criterion writes: a folder for each benchmark, with its name and its estimates.

use crate::shell::Result;
use serde_json::{Value, json};
use std::{cmp::Ordering, fs, path::Path};

/// Whose code a benchmark measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    Ours,
    Peer,
    Bound,
}

/// The amount of work in one iteration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Work {
    Elements(f64),
    Bytes(f64),
}

#[derive(Clone, Debug)]
pub(crate) struct Measured {
    pub(crate) group: String,
    pub(crate) kind: Kind,
    pub(crate) name: String,
    pub(crate) work: Work,
    /// The median time of one iteration, in each run.
    pub(crate) nanos: Vec<f64>,
}

impl Measured {
    pub(crate) fn read_all(home: &Path) -> Result<Vec<Self>> {
        let mut all = vec![];
        for entry in fs::read_dir(home)? {
            let path = entry?.path();
            if path.ends_with("new") {
                all.push(Self::read(&path)?);
            } else if path.is_dir() && !path.ends_with("base") {
                all.extend(Self::read_all(&path)?);
            }
        }
        Ok(all)
    }

    fn read(folder: &Path) -> Result<Self> {
        let read = |name| -> Result<Value> { Ok(serde_json::from_slice(&fs::read(folder.join(name))?)?) };
        let (benchmark, estimates) = (read("benchmark.json")?, read("estimates.json")?);
        Self::of(&benchmark, &estimates).ok_or_else(|| {
            format!("the files in {} do not have the members that Criterion writes", folder.display()).into()
        })
    }

    fn of(benchmark: &Value, estimates: &Value) -> Option<Self> {
        let throughput = benchmark["throughput"].as_object()?;
        Some(Self {
            group: benchmark["group_id"].as_str()?.to_owned(),
            kind: match benchmark["function_id"].as_str()? {
                "ours" => Kind::Ours,
                "peer" => Kind::Peer,
                "bound" => Kind::Bound,
                _ => return None,
            },
            name: benchmark["value_str"].as_str()?.to_owned(),
            work: match throughput.iter().next()? {
                (unit, count) if unit == "Elements" => Work::Elements(count.as_f64()?),
                (unit, count) if unit == "Bytes" => Work::Bytes(count.as_f64()?),
                _ => return None,
            },
            nanos: vec![estimates["median"]["point_estimate"].as_f64()?],
        })
    }

    pub(crate) fn is_same_work(&self, other: &Self) -> bool {
        (&self.group, self.kind, &self.name) == (&other.group, other.kind, &other.name)
    }

    /// Ours first, then the peers, then the bounds; the fastest of each first.
    pub(crate) fn order(&self, other: &Self) -> Ordering {
        let key = |it: &Self| (it.group.clone(), it.kind);
        key(self).cmp(&key(other)).then(self.unit_nanos().total_cmp(&other.unit_nanos()))
    }

    /// The time for one ID or for one byte, in each run.
    pub(crate) fn unit_nanos_of_runs(&self) -> impl Iterator<Item = f64> {
        let (Work::Elements(count) | Work::Bytes(count)) = self.work;
        self.nanos.iter().map(move |nanos| nanos / count)
    }

    /// The time for one ID or for one byte: the median of the runs.
    pub(crate) fn unit_nanos(&self) -> f64 {
        Spread::of(self.unit_nanos_of_runs()).median
    }

    /// Millions of bytes per second.
    pub(crate) fn megabytes_a_second(&self) -> f64 {
        1000.0 / self.unit_nanos()
    }

    pub(crate) fn shown(&self) -> String {
        match self.work {
            Work::Elements(_) => nanos(self.unit_nanos()),
            Work::Bytes(_) => format!("{:.0} MB/s", self.megabytes_a_second()),
        }
    }

    pub(crate) fn to_json(&self) -> Value {
        let kind = format!("{:?}", self.kind).to_lowercase();
        let Self { group, name, .. } = self;
        match self.work {
            Work::Elements(_) => json!({"group": group, "kind": kind, "name": name, "ns": self.unit_nanos()}),
            Work::Bytes(_) => {
                json!({"group": group, "kind": kind, "name": name, "mb_per_s": self.megabytes_a_second()})
            }
        }
    }
}

/// The median of the values of several runs, the least and the greatest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Spread {
    pub(crate) median: f64,
    pub(crate) least: f64,
    pub(crate) greatest: f64,
}

impl Spread {
    /// # Panics
    ///
    /// If there is no value.
    pub(crate) fn of(values: impl Iterator<Item = f64>) -> Self {
        let mut values: Vec<_> = values.collect();
        values.sort_by(f64::total_cmp);
        let (half, len) = (values.len() / 2, values.len());
        let median = if len % 2 == 1 { values[half] } else { (values[half - 1] + values[half]) / 2.0 };
        Self { median, least: values[0], greatest: values[len - 1] }
    }

    /// The median, and the spread if there were several runs.
    pub(crate) fn shown(self, value: impl Fn(f64) -> String) -> String {
        let Self { median, least, greatest } = self;
        if least == greatest {
            value(median)
        } else {
            format!("{} ({} to {})", value(median), value(least), value(greatest))
        }
    }
}

pub(crate) fn nanos(nanos: f64) -> String {
    match nanos {
        ..10.0 => format!("{nanos:.2} ns"),
        ..100.0 => format!("{nanos:.1} ns"),
        _ => format!("{nanos:.0} ns"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_of_runs_has_a_spread() {
        let spread = |values: &[f64]| Spread::of(values.iter().copied());
        assert_eq!(spread(&[3.0, 1.0, 9.0]), Spread { median: 3.0, least: 1.0, greatest: 9.0 });
        assert_eq!(spread(&[4.0, 2.0]).shown(|value| value.to_string()), "3 (2 to 4)");
        assert_eq!(spread(&[4.0]).shown(|value| value.to_string()), "4");
    }

    #[test]
    fn a_benchmark_is_read_with_its_work() {
        let benchmark = json!({
            "group_id": "encode", "function_id": "peer", "value_str": "ulid",
            "throughput": {"Elements": 1024}, "full_id": "encode/peer/ulid",
        });
        let estimates = json!({"mean": {"point_estimate": 3000.0}, "median": {"point_estimate": 2048.0}});
        let measured = Measured::of(&benchmark, &estimates).unwrap();
        assert_eq!((measured.kind, &*measured.name, measured.unit_nanos()), (Kind::Peer, "ulid", 2.0));
        assert_eq!(measured.shown(), "2.00 ns");
        assert_eq!(measured.to_json(), json!({"group": "encode", "kind": "peer", "name": "ulid", "ns": 2.0}));
        let verify = Measured { work: Work::Bytes(4096.0), ..measured };
        assert_eq!(verify.shown(), "2000 MB/s");
        assert!(Measured::of(&json!({"group_id": "encode"}), &estimates).is_none());
    }
}
