//! How long each step took, and how long it took before.

use crate::{shell::Result, workspace::target};
use serde_json::{Value, json};
use std::{fs, path::PathBuf, time::Duration};

/// The times of the last runs, in seconds, in `target/ci-times.json`.
pub(super) struct Times {
    path: PathBuf,
    /// `ci` and `ci --all` take different times for a step of the same name.
    tier: &'static str,
    known: Value,
}

impl Times {
    pub(super) fn read(tier: &'static str) -> Result<Self> {
        let path = target()?.join("ci-times.json");
        let known = fs::read(&path).ok().and_then(|json| serde_json::from_slice(&json).ok());
        Ok(Self { path, tier, known: known.unwrap_or_else(|| json!({})) })
    }

    /// The time of the last run of the step.
    pub(super) fn of(&self, step: &str) -> Option<Duration> {
        self.known[self.tier][step].as_u64().map(Duration::from_secs)
    }

    pub(super) fn keep(&mut self, step: &str, took: Duration) -> Result {
        if !self.known[self.tier].is_object() {
            self.known[self.tier] = json!({});
        }
        self.known[self.tier][step] = took.as_secs().into();
        fs::write(&self.path, serde_json::to_string_pretty(&self.known)?)?;
        Ok(())
    }
}
