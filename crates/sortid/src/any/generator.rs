//! The generator and the backfill of any specification.

use super::{AnyId, AnyOptions as Options};
use sortid_core::{Clock, Entropy, GenerateError};

sortid_core::__private::generators! {
    options: Options,
    id: AnyId,
    rollback: "The default is that of the specification.",
    /// Generates IDs of the specification that its [`AnyOptions`](crate::AnyOptions) name. Threads can share it, without locks. Each ID is greater
    /// than all before it, whichever thread generated them, unless the generator was reset.
    ///
    /// It makes the IDs that the specification's own `Generator` makes with the same options, clock and random bytes. A
    /// program that knows the specification when it is compiled uses that one.
    ///
    /// # Situations
    ///
    /// The table of the specification's `Generator` says what happens when a tick is used up, when the clock is set back, and
    /// which errors there are. An ID of another specification is one from which it cannot continue.
    ///
    /// ```
    /// use sortid::{AnyOptions, Spec};
    ///
    /// for spec in [Spec::Scru160, Spec::Euid, Spec::UlidFlake] {
    ///     let ids = AnyOptions::new(spec, &[])?.build();
    ///     let (first, second) = (ids.generate()?, ids.generate()?);
    ///     assert!(first.spec() == spec && first < second);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    Generator,
    /// Makes IDs of any specification for given times, such as those of existing rows. [`AnyOptions::backfill`](crate::AnyOptions::backfill) creates it.
    ///
    /// It makes the IDs that the specification's own `Backfill` makes with the same options and random bytes.
    ///
    /// # Situations
    ///
    /// The table of the specification's `Backfill` has them.
    ///
    /// ```
    /// use sortid::{AnyOptions, Spec, UnixMillis};
    ///
    /// let times = [1_631_540_490_683, 1_577_836_800_000].map(UnixMillis);
    /// let ids = AnyOptions::new(Spec::Euid, &[("extension", "5:8")])?.backfill().generate_all(times)?;
    /// assert!(ids[1] < ids[0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    Backfill,
}

impl<C: Clock, E: Entropy> Generator<C, E> {
    /// Observes an ID of another generator: all later IDs are greater. An ID that is not greater than the last one changes
    /// nothing.
    ///
    /// # Errors
    ///
    /// [`Ahead`](crate::GenerateErrorKind::Ahead) if the ID is further ahead of the clock than the option `future_bound` of RON
    /// UIDs says; for the other specifications, if it is ahead at all. Otherwise those of
    /// [`resume_after`](Self::resume_after).
    pub fn observe(&self, id: AnyId) -> Result<(), GenerateError> {
        self.0.observe(id)
    }
}
