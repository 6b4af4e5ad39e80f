//! What was compared, and what differs.

use std::collections::BTreeMap;

#[derive(Default)]
pub(crate) struct Report {
    /// How many rows each function was compared for.
    compared: BTreeMap<String, u64>,
    failures: Vec<String>,
    /// How often the failures of a kind were reported.
    kinds: BTreeMap<String, usize>,
}

/// How many failures of a kind are shown.
const MOST: usize = 3;

impl Report {
    /// Prints and keeps the result of a comparison in bulk.
    pub(crate) fn compared(&mut self, name: &str, where_: &str, rows: u64, differences: u64) {
        println!("{name:<32} {where_:<28} {rows:>8} rows {differences:>7} differences");
        if where_.is_empty() {
            *self.compared.entry(name.to_owned()).or_default() += rows;
        }
        if differences > 0 {
            self.failures.push(format!("{name} {where_}: {differences} of {rows} rows differ"));
        }
    }

    /// Keeps a failure. Of each kind, only the first ones are printed.
    pub(crate) fn fail(&mut self, kind: &str, what: &str) {
        let count = self.kinds.entry(kind.to_owned()).or_default();
        *count += 1;
        if *count <= MOST {
            println!("  {kind}: {what}");
            self.failures.push(format!("{kind}: {what}"));
        }
    }

    /// Says how many cases of a kind there were, and how many of them failed.
    pub(crate) fn cases(&mut self, kind: &str, cases: usize) {
        let failed = self.kinds.get(kind).copied().unwrap_or_default();
        println!("{kind:<61} {cases:>8} cases {failed:>6} failures");
        if cases == 0 {
            self.failures.push(format!("{kind}: no case"));
        }
    }

    pub(crate) fn rows_of(&self, name: &str) -> Option<u64> {
        self.compared.get(name).copied()
    }

    pub(crate) fn into_failures(self) -> Vec<String> {
        self.failures
    }
}
