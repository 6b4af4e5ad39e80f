//! How long to wait before the next attempt.

use std::time::Duration;

/// Pauses between attempts, which become longer. They are random, so that processes do not try in step.
pub(super) struct Pause {
    millis: u32,
    random: u64,
}

impl Pause {
    const FIRST: u32 = 20;
    const LONGEST: u32 = 400;

    pub(super) const fn new(seed: u64) -> Self {
        Self { millis: Self::FIRST, random: seed | 1 }
    }

    /// A number below `bound`. It need not be unpredictable.
    pub(super) fn random(&mut self, bound: u32) -> u32 {
        self.random =
            self.random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.random >> 33) % u64::from(bound.max(1))) as u32
    }

    pub(super) fn next(&mut self) -> Duration {
        let millis = self.millis + self.random(self.millis);
        self.millis = (self.millis * 2).min(Self::LONGEST);
        Duration::from_millis(millis.into())
    }

    pub(super) const fn reset(&mut self) {
        self.millis = Self::FIRST;
    }
}
