//! The macros that write the generator and the backfill of each spec crate, around the generic ones.

// The spec crates have types of their own, not aliases of the generic type. The documentation of an alias would be
// that of this crate. But the documentation of `scru160::Generator` has to describe SCRU160 in its units, and to list
// only the methods that the type has. The price: the macro writes the same one-line methods for each type.

/// Defines the types `Generator` and `Backfill` of a spec crate, which wrap this crate's generic types, and the methods that the
/// options of all specifications share. The options have a field `rollback` of the type `RollbackPolicy`.
///
/// The spec crate passes the documentation, with its own units and limits in the table of situations, and what its generators do
/// by default after the clock was set back: `resets`, `fails`, or a text.
#[macro_export]
#[doc(hidden)]
macro_rules! __generators {
    (options: $options:ty, id: $id:ty, rollback: resets, $($types:tt)*) => {
        $crate::__generators! {
            options: $options,
            id: $id,
            rollback: "The default is [`Reset`](crate::Rollback::Reset) if the options leave at least 64 random bits, and \
                [`Fail`](crate::Rollback::Fail) if not.",
            $($types)*
        }
    };
    (options: $options:ty, id: $id:ty, rollback: fails, $($types:tt)*) => {
        $crate::__generators! {
            options: $options,
            id: $id,
            rollback: "The default is [`Fail`](crate::Rollback::Fail): IDs have too few random bits to make IDs of an \
                earlier time distinct from the IDs that were made then.",
            $($types)*
        }
    };
    (
        options: $options:ty,
        id: $id:ty,
        rollback: $rollback:literal,
        $(#[$($generator:tt)*])* Generator,
        $(#[$($backfill:tt)*])* Backfill $(,)?
    ) => {
        $(#[$($generator)*])*
        ///
        /// `C` is the [`Clock`](crate::Clock), and `E` the source of random bytes, an [`Entropy`](crate::Entropy). The defaults
        /// are the clock and the source of the system. Use [`Options::build_with`] for your own.
        #[derive(Debug)]
        pub struct Generator<C = $crate::DefaultClock, E = $crate::DefaultEntropy>(
            $crate::Generator<$options, C, E>,
        );

        $(#[$($backfill)*])*
        ///
        /// `E` is the source of random bytes, an [`Entropy`](crate::Entropy). The default is the source of the
        /// system. Use [`Options::backfill_with`] for your own.
        #[derive(Debug)]
        pub struct Backfill<E = $crate::DefaultEntropy>($crate::Backfill<$options, E>);

        impl $crate::__private::Sealed for $options {}

        const _: () = {
            use core::time::Duration;
            use $crate::{BackfillError, Clock, Entropy, GenerateError, Rollback, UnixTime};

            impl $options {
                /// Sets what the generator does when the clock is behind its last ID by more than the
                /// [rollback allowance](Self::rollback_allowance).
                ///
                #[doc = $rollback]
                #[must_use]
                pub const fn rollback(mut self, rollback: Rollback) -> Self {
                    self.rollback = self.rollback.with_rollback(rollback);
                    self
                }

                /// Sets the *rollback allowance*: how far the clock may go back before the generator does what
                /// [`rollback`](Self::rollback) says. The default is 10 s.
                ///
                /// Within the allowance, the generator continues from its last ID. The IDs of one tick must then last
                /// until the clock catches up, and [`generate`](Generator::generate) may wait that long, and longer if the
                /// clock is set back again.
                #[must_use]
                pub const fn rollback_allowance(mut self, allowance: Duration) -> Self {
                    self.rollback = self.rollback.with_allowance(allowance);
                    self
                }

                /// These options with another choice for a clock that goes back.
                #[doc(hidden)]
                #[must_use]
                pub const fn with_policy(mut self, policy: $crate::RollbackPolicy) -> Self {
                    self.rollback = policy;
                    self
                }

                /// Creates a generator with these options, the system's clock and random bytes.
                #[cfg(feature = "std")]
                #[must_use]
                pub const fn build(self) -> Generator {
                    self.build_with($crate::SystemClock, $crate::ThreadEntropy)
                }

                /// Creates a generator with these options, and with a clock and random bytes of your own.
                #[must_use]
                pub const fn build_with<C, E>(self, clock: C, entropy: E) -> Generator<C, E> {
                    Generator($crate::Generator::from_parts(self, clock, entropy))
                }

                /// Creates a backfill with these options and the system's random bytes.
                #[cfg(feature = "std")]
                #[must_use]
                pub fn backfill(self) -> Backfill {
                    self.backfill_with($crate::ThreadEntropy)
                }

                /// Creates a backfill with these options, and with random bytes of your own.
                ///
                /// Without the feature `alloc`, the times have to ascend, as with [`ascending`](Backfill::ascending).
                #[must_use]
                pub fn backfill_with<E>(self, entropy: E) -> Backfill<E> {
                    Backfill($crate::Backfill::from_parts(self, entropy))
                }
            }

            impl<C: Clock, E: Entropy> Generator<C, E> {
                /// Generates the next ID. Waits where the [table](Self#situations) says so.
                ///
                /// The system's clock of a JavaScript host (feature `js`) refuses to wait for more than 50 ms, with the error
                /// [`Exhausted`](crate::GenerateErrorKind::Exhausted).
                ///
                /// # Errors
                ///
                /// See the [table](Self#situations).
                #[inline(always)]
                pub fn generate(&self) -> Result<$id, GenerateError> {
                    self.0.generate()
                }

                /// Generates the next ID. Does not wait: where [`generate`](Self::generate) does, it returns an error, and
                /// [`retry_after`](GenerateError::retry_after) says how long to wait. Asynchronous code waits with it.
                ///
                /// # Errors
                ///
                /// See the [table](Self#situations).
                #[inline(always)]
                pub fn try_generate(&self) -> Result<$id, GenerateError> {
                    self.0.try_generate()
                }

                /// Fills `ids` with the next IDs, as calls of [`generate`](Self::generate) do, but faster. IDs of other
                /// threads may lie between them.
                ///
                /// # Errors
                ///
                /// See the [table](Self#situations). The content of `ids` is unspecified after an error.
                #[inline]
                pub fn fill(&self, ids: &mut [$id]) -> Result<(), GenerateError> {
                    self.0.fill(ids)
                }

                /// Fills the first of `ids` as far as it can without waiting, and returns how many: at least one, unless
                /// `ids` is empty.
                ///
                /// # Errors
                ///
                /// See the [table](Self#situations): why there is not even one.
                pub fn try_fill(&self, ids: &mut [$id]) -> Result<usize, GenerateError> {
                    self.0.try_fill(ids)
                }

                /// Continues after an ID of an earlier generator, for example the greatest ID of a table when a program
                /// starts: all later IDs are greater.
                ///
                /// # Errors
                ///
                /// [`Ahead`](crate::GenerateErrorKind::Ahead) if the ID is further ahead of the clock than the
                /// [rollback allowance](Options::rollback_allowance);
                /// [`NoTime`](crate::GenerateErrorKind::NoTime) if no generator can continue from the ID;
                /// [`ClockOutOfRange`](crate::GenerateErrorKind::ClockOutOfRange) if the time is unknown, or outside the
                /// range of the timestamp. An error leaves the generator unchanged.
                pub fn resume_after(&self, id: $id) -> Result<(), GenerateError> {
                    self.0.resume_after(id)
                }

                /// Returns how far the last ID is ahead of the clock. Zero if it is not ahead, and before the first ID.
                ///
                /// The last ID is ahead if the clock went back within the rollback allowance, or if the generator resumed
                /// after an ID from the future.
                ///
                /// # Errors
                ///
                /// [`ClockOutOfRange`](crate::GenerateErrorKind::ClockOutOfRange) if the time is unknown, or outside the
                /// range of the timestamp.
                pub fn ahead(&self) -> Result<Duration, GenerateError> {
                    self.0.ahead()
                }
            }

            impl<C, E> Generator<C, E> {
                /// Returns how often the generator was reset: see [`Rollback::Reset`].
                ///
                /// If two calls return the same number, the IDs generated between them are in order, whichever threads
                /// generated them. After 65 535 the number continues from 0.
                #[must_use]
                pub fn resets(&self) -> u16 {
                    self.0.resets()
                }
            }

            impl<C: Clock, E: Entropy> $crate::Generate for Generator<C, E> {
                type Id = $id;

                #[inline]
                fn generate(&self) -> Result<$id, GenerateError> {
                    self.0.generate()
                }

                #[inline]
                fn try_generate(&self) -> Result<$id, GenerateError> {
                    self.0.try_generate()
                }

                #[inline]
                fn fill(&self, ids: &mut [$id]) -> Result<(), GenerateError> {
                    self.0.fill(ids)
                }

                fn try_fill(&self, ids: &mut [$id]) -> Result<usize, GenerateError> {
                    self.0.try_fill(ids)
                }
            }

            impl<E> Backfill<E> {
                /// Expects times that ascend or repeat. Then the backfill remembers only the last ID, and all IDs ascend.
                ///
                /// A time of an earlier tick is an error, [`ClockRollback`](crate::GenerateErrorKind::ClockRollback). Call it
                /// before the first ID: the backfill forgets all IDs but the greatest one.
                #[must_use]
                pub fn ascending(self) -> Self {
                    Self(self.0.ascending())
                }

                /// Lets the IDs of a full tick *spill* into following ticks. An ID is at most `at_most` later than its
                /// time.
                ///
                /// IDs of one tick keep their order. IDs that spill into a tick lie among the other IDs of that tick.
                #[must_use]
                pub fn spill(self, at_most: Duration) -> Self {
                    Self(self.0.spill(at_most))
                }
            }

            impl<E: Entropy> Backfill<E> {
                /// Makes an ID for this time. It is greater than the IDs that this backfill made for the same tick.
                ///
                /// # Errors
                ///
                /// See the [table](Self#situations). An error leaves the backfill as it was.
                #[inline]
                pub fn generate(&mut self, time: impl UnixTime) -> Result<$id, BackfillError> {
                    self.0.generate(time)
                }

                /// Makes an ID for each time, as calls of [`generate`](Self::generate) do.
                ///
                /// # Errors
                ///
                /// See the [table](Self#situations). [`index`](BackfillError::index) is the place of the time that has no
                /// ID. The IDs of the times before it are lost, and the backfill continues after them.
                #[cfg(feature = "alloc")]
                pub fn generate_all<T: UnixTime>(
                    &mut self,
                    times: impl IntoIterator<Item = T>,
                ) -> Result<$crate::__private::alloc::vec::Vec<$id>, BackfillError> {
                    self.0.generate_all(times)
                }

                /// Continues after an ID of an earlier backfill: all later IDs of its tick are greater. With
                /// [`ascending`](Self::ascending), all later IDs are greater.
                ///
                /// To continue a backfill of ascending times, pass its last ID. Otherwise pass all its IDs, in any order.
                /// The options have to be the same as before, such as the extension or the origin.
                ///
                /// # Errors
                ///
                /// [`NoTime`](crate::GenerateErrorKind::NoTime) if no ID can follow this one. The error leaves the
                /// backfill as it was.
                pub fn resume_after(&mut self, id: $id) -> Result<(), BackfillError> {
                    self.0.resume_after(id)
                }
            }
        };
    };
}

/// Adds `Default` to the types that [`__generators!`] defines, if the options have defaults, and the functions
/// `new` and `shared`. The arguments are the first lines of the documentation of `new`, and what its clock must not be; and the
/// number of random bits, if the generators reset by default.
#[macro_export]
#[doc(hidden)]
macro_rules! __generator_defaults {
    ($(#[$docs:meta])* new: $id:ident, wrong_clock: $wrong_clock:literal, random_bits: $bits:literal) => {
        $crate::__generator_defaults! {
            $(#[$docs])*
            #[doc = ""]
            #[doc = "After the clock was set back by more than 10 s, the generator *resets*: it continues at the new, earlier time,"]
            #[doc = "so this ID is less than the last one. [`resets`](Generator::resets) of the generator counts this."]
            new: $id,
            wrong_clock: $wrong_clock,
            order: "unless the system's clock is set back by more than 10 s. Then the generator resets, and \
                [`resets`](Generator::resets) counts it."
        }

        /// Generates an ID with a generator that only this thread uses. Threads do not wait for each other, so many threads
        /// generate more IDs than with [`new`].
        ///
        /// Each ID is greater than the IDs before it of this thread. IDs of different threads have the order of their
        /// times, and no order within a tick. What makes them distinct within a tick are
        #[doc = concat!($bits, " random bits.")]
        ///
        /// ```
        #[doc = concat!("use ", env!("CARGO_CRATE_NAME"), "::new_unordered;")]
        ///
        /// assert!(new_unordered() < new_unordered());
        /// let other = std::thread::spawn(new_unordered).join().unwrap();
        /// assert_ne!(other, new_unordered());
        /// ```
        ///
        /// # Panics
        ///
        /// As [`new`].
        #[cfg(feature = "std")]
        #[must_use]
        pub fn new_unordered() -> $id {
            ::std::thread_local!(static IDS: Generator = const { Generator::new() });
            IDS.with(Generator::generate)
                .unwrap_or_else(|error| panic!("no {}: {error}", <$id as $crate::SortableId>::TITLE))
        }
    };
    ($(#[$docs:meta])* new: $id:ident, wrong_clock: $wrong_clock:literal) => {
        $crate::__generator_defaults! {
            $(#[$docs])*
            #[doc = ""]
            #[doc = "After the clock was set back by more than 10 s, it panics until the clock has caught up: an ID of an earlier"]
            #[doc = "time could be a duplicate of one that it made before."]
            new: $id,
            wrong_clock: $wrong_clock,
            order: "whatever the system's clock does."
        }
    };
    ($(#[$docs:meta])* new: $id:ident, wrong_clock: $wrong_clock:literal, order: $order:literal) => {
        $(#[$docs])*
        ///
        /// ```
        #[doc = concat!("assert!(", env!("CARGO_CRATE_NAME"), "::new() < ", env!("CARGO_CRATE_NAME"), "::new());")]
        /// ```
        ///
        /// # Panics
        ///
        /// If [`generate`](Generator::generate) fails: the system's clock is
        #[doc = concat!($wrong_clock, ",")]
        /// or the source of random bytes fails.
        #[cfg(all(feature = "std", target_has_atomic = "ptr"))]
        #[must_use]
        #[doc(alias("now_v7", "new_v4", "generate", "now"))]
        pub fn new() -> $id {
            shared()
                .generate()
                .unwrap_or_else(|error| panic!("no {}: {error}", <$id as $crate::SortableId>::TITLE))
        }

        /// Returns the process-wide generator, which [`new`] uses.
        ///
        /// Its IDs are in order across all threads,
        #[doc = $order]
        ///
        /// ```
        #[doc = concat!("use ", env!("CARGO_CRATE_NAME"), "::{new, shared};")]
        ///
        /// let first = shared().generate()?;
        /// assert!(first < new());
        #[doc = concat!("# Ok::<(), ", env!("CARGO_CRATE_NAME"), "::GenerateError>(())")]
        /// ```
        #[cfg(all(feature = "std", target_has_atomic = "ptr"))]
        #[must_use]
        pub fn shared() -> &'static Generator {
            static SHARED: Generator = Generator::new();
            &SHARED
        }

        impl $id {
            /// Makes an ID for this time, with random bits of the system and without a state.
            ///
            /// Its other bits are those of the first ID of a tick, so IDs of one tick have no order, and only random bits make
            /// them distinct. For many times, such as those of existing rows, use a [`Backfill`]; for the bounds of a
            /// query, [`min_at`](Self::min_at) and [`max_at`](Self::max_at).
            ///
            /// ```
            #[doc = concat!("use ", env!("CARGO_CRATE_NAME"), "::", stringify!($id), ";")]
            /// use std::time::{Duration, UNIX_EPOCH};
            ///
            /// let time = UNIX_EPOCH + Duration::from_millis(1_717_653_966_666);
            #[doc = concat!("let id = ", stringify!($id), "::at(time)?;")]
            /// assert_eq!(id.time(), time);
            #[doc = concat!("# Ok::<(), ", env!("CARGO_CRATE_NAME"), "::BackfillError>(())")]
            /// ```
            ///
            /// # Errors
            ///
            /// [`ClockOutOfRange`](crate::GenerateErrorKind::ClockOutOfRange) if no ID has this time;
            /// [`Entropy`](crate::GenerateErrorKind::Entropy) if the source of random bytes fails.
            #[cfg(feature = "std")]
            #[doc(alias("new_v7", "from_datetime", "from_timestamp", "with_timestamp"))]
            pub fn at(time: impl $crate::UnixTime) -> Result<Self, $crate::BackfillError> {
                $crate::__private::one_at(&Options::new(), &$crate::ThreadEntropy, time)
            }
        }

        #[cfg(feature = "std")]
        impl Generator {
            /// Creates a generator with the specification's defaults, the system's clock and random bytes.
            #[must_use]
            pub const fn new() -> Self {
                Options::new().build()
            }
        }

        #[cfg(feature = "std")]
        impl Default for Generator {
            fn default() -> Self {
                Self::new()
            }
        }

        /// A backfill with the specification's defaults and the system's random bytes.
        #[cfg(feature = "std")]
        impl Default for Backfill {
            fn default() -> Self {
                Options::new().backfill()
            }
        }
    };
}
