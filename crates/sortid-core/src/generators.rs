//! The macros that write the generators and the backfill of each spec crate, around the generic ones.

// The spec crates have types of their own, not aliases of the generic type. The documentation of an alias would be
// that of this crate. But the documentation of `scru160::Generator` has to describe SCRU160 in its units, and to list
// only the methods that the type has. The price: the macro writes the same one-line methods for each type.

/// Defines the types `Generator`, `SharedGenerator` and `Backfill` of a spec crate, which wrap this crate's generic types.
/// The spec crate passes their documentation, with its own units and limits in the table of situations. It passes `set_back` if
/// its generators do more than to refuse after the clock was set back: `starts_over`, or a text that says what `generate` does.
#[macro_export]
#[doc(hidden)]
macro_rules! __generators {
    (
        rules: $rules:ty,
        id: $id:ty,
        set_back: $set_back:literal,
        $(#[$($local:tt)*])* Generator,
        $(#[$($shared:tt)*])* SharedGenerator,
        $(#[$($backfill:tt)*])* Backfill $(,)?
    ) => {
        $crate::__generators!(@type () $rules, $id, $set_back, $crate::LocalCell, $(#[$($local)*])* Generator);
        $crate::__generators!(
            @type (#[cfg(target_has_atomic = "ptr")]) $rules, $id, $set_back, $crate::SharedCell,
            $(#[$($shared)*])* SharedGenerator
        );
        $crate::__generators!(@backfill $rules, $id, $(#[$($backfill)*])*);
    };
    (rules: $rules:ty, id: $id:ty, # $($types:tt)*) => {
        $crate::__generators! {
            rules: $rules,
            id: $id,
            set_back: "If the clock was set back by more than the [rollback allowance](Self::rollback_allowance), 10 s by \
                default, the generator returns an error until the clock has caught up: an ID of an earlier time could be a \
                duplicate of one that it made before.",
            # $($types)*
        }
    };
    (rules: $rules:ty, id: $id:ty, set_back: starts_over, # $($types:tt)*) => {
        $crate::__generators! {
            rules: $rules,
            id: $id,
            set_back: "If the clock was set back by more than the [rollback allowance](Self::rollback_allowance), 10 s by \
                default, the generator *starts over*: it continues at the new, earlier time, so this ID is less than the \
                last one. [`rollbacks`](Self::rollbacks) counts this, and [`try_generate`](Self::try_generate) returns an \
                error instead.",
            # $($types)*
        }
    };
    (@backfill $rules:ty, $id:ty, $(#[$($doc:tt)*])*) => {
        $(#[$($doc)*])*
        ///
        /// `E` is the source of random bytes, an [`Entropy`](crate::Entropy). The default is the source of the
        /// system. Use [`from_parts`](Self::from_parts) for your own.
        #[derive(Debug)]
        pub struct Backfill<E = $crate::DefaultEntropy>($crate::Backfill<$rules, E>);

        const _: () = {
            use core::time::Duration;
            use $crate::{BackfillError, Entropy, UnixTime};

            #[cfg(feature = "std")]
            impl Backfill {
                /// Creates a backfill with these options and the system's random bytes.
                #[must_use]
                pub fn with_options(options: $rules) -> Self {
                    Self($crate::Backfill::with_options(options))
                }
            }

            impl<E> Backfill<E> {
                /// Creates a backfill with these options, and with random bytes of your own.
                ///
                /// Without the feature `alloc`, the times have to ascend, as with [`ascending`](Self::ascending).
                #[must_use]
                pub fn from_parts(options: $rules, entropy: E) -> Self {
                    Self($crate::Backfill::from_parts(options, entropy))
                }

                /// Expects times that ascend or repeat. Then the backfill remembers only the last ID, and all IDs ascend.
                ///
                /// A time of an earlier tick is an error, [`Descending`](crate::BackfillErrorKind::Descending). Call it
                /// before the first ID: the backfill forgets all IDs but the greatest one.
                #[must_use]
                pub fn ascending(self) -> Self {
                    Self(self.0.ascending())
                }

                /// Lets the IDs of a full tick *borrow* following ticks. An ID is at most `at_most` later than its
                /// time.
                ///
                /// IDs of one tick keep their order. IDs that borrow a tick lie among the other IDs of that tick.
                #[must_use]
                pub fn borrow(self, at_most: Duration) -> Self {
                    Self(self.0.borrow(at_most))
                }
            }

            impl<E: Entropy> Backfill<E> {
                /// Makes an ID for this time. It is greater than the IDs that this backfill made for the same tick.
                ///
                /// # Errors
                ///
                /// See the [table](Backfill#situations). An error leaves the backfill as it was.
                #[inline]
                pub fn generate(&mut self, time: impl UnixTime) -> Result<$id, BackfillError> {
                    self.0.generate(time)
                }

                /// Makes an ID for each time, as calls of [`generate`](Self::generate) do.
                ///
                /// # Errors
                ///
                /// See the [table](Backfill#situations). [`index`](BackfillError::index) is the place of the time
                /// that has no ID. The IDs of the times before it are lost, and the backfill continues after them.
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
                /// [`NoTime`](crate::BackfillErrorKind::NoTime) if no ID can follow this one. The error leaves the
                /// backfill as it was.
                pub fn resume_after(&mut self, id: $id) -> Result<(), BackfillError> {
                    self.0.resume_after(id)
                }
            }
        };
    };
    (@type ($($cfg:tt)*) $rules:ty, $id:ty, $set_back:literal, $cell:ty, $(#[$($doc:tt)*])* $name:ident) => {
        $($cfg)*
        $(#[$($doc)*])*
        ///
        /// `C` is the [`Clock`](crate::Clock), and `E` the source of random bytes, an [`Entropy`](crate::Entropy). The defaults
        /// are the clock and the source of the system. Use [`from_parts`](Self::from_parts) for your own.
        #[derive(Debug)]
        pub struct $name<C = $crate::DefaultClock, E = $crate::DefaultEntropy>(
            $crate::Generator<$rules, $cell, C, E>,
        );

        $($cfg)*
        const _: () = {
            use core::{future::Future, time::Duration};
            use $crate::{Clock, Entropy, GenerateError};

            #[cfg(feature = "std")]
            impl $name {
                /// Creates a generator with these options, the system's clock and random bytes.
                #[must_use]
                pub const fn with_options(options: $rules) -> Self {
                    Self($crate::Generator::with_options(options))
                }
            }

            impl<C, E> $name<C, E> {
                /// Creates a generator with these options, and with a clock and random bytes of your own.
                #[must_use]
                pub const fn from_parts(options: $rules, clock: C, entropy: E) -> Self {
                    Self($crate::Generator::from_parts(options, clock, entropy))
                }

                /// Sets the *rollback allowance*: how far the clock may go back before the generator treats it as set back.
                ///
                /// Within the allowance, the generator continues from its last ID. The IDs of one tick must then last
                /// until the clock catches up, and [`generate`](Self::generate) may wait that long, and longer if the
                /// clock is set back again.
                #[must_use]
                pub const fn rollback_allowance(mut self, allowance: Duration) -> Self {
                    self.0.set_rollback_allowance(allowance);
                    self
                }

                /// Returns how often the generator *started over*: when the clock was set back by more than the rollback
                /// allowance, the generator gave up the old order and continued at the new, earlier time. Generators
                /// whose IDs have too few random bits return an error instead.
                ///
                /// If two calls return the same number, the IDs generated between them are in order, whichever threads
                /// generated them. After 65 535 the number continues from 0. It stays 0 if a generator does not start over.
                #[must_use]
                pub fn rollbacks(&self) -> u16 {
                    self.0.rollbacks()
                }
            }

            impl<C: Clock, E: Entropy> $name<C, E> {
                /// Continues after an ID of an earlier generator, for example the greatest ID of a table when a program
                /// starts: all later IDs are greater.
                ///
                /// # Errors
                ///
                /// [`Ahead`](crate::GenerateErrorKind::Ahead) if the ID is further ahead of the clock than the
                /// [rollback allowance](Self::rollback_allowance);
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

            impl<C: Clock, E: Entropy> $crate::Generate for $name<C, E> {
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
            }

            impl<C: Clock, E: Entropy> $name<C, E> {
                /// Generates the next ID. Does not wait, and does not start over.
                ///
                /// # Errors
                ///
                /// See the [table](Generator#situations).
                #[inline(always)]
                pub fn try_generate(&self) -> Result<$id, GenerateError> {
                    self.0.try_generate()
                }

                /// Generates the next ID. Waits where the [table](Generator#situations) says so.
                ///
                #[doc = $set_back]
                ///
                /// The system's clock of a JavaScript host (feature `js`) refuses to wait for more than 50 ms, with the error
                /// [`Exhausted`](crate::GenerateErrorKind::Exhausted). There, await
                /// [`generate_async`](Self::generate_async).
                ///
                /// # Errors
                ///
                /// See the [table](Generator#situations).
                #[inline(always)]
                pub fn generate(&self) -> Result<$id, GenerateError> {
                    self.0.generate()
                }

                /// Fills `ids` with the next IDs, as calls of [`generate`](Self::generate) do, but faster. IDs of other
                /// threads may lie between them.
                ///
                /// # Errors
                ///
                /// See the [table](Generator#situations). The content of `ids` is unspecified after an error.
                #[inline]
                pub fn fill(&self, ids: &mut [$id]) -> Result<(), GenerateError> {
                    self.0.fill(ids)
                }

                /// Generates the next ID, as [`generate`](Self::generate) does, but waits with `sleep` instead of blocking the
                /// thread. `sleep` is a timer of your runtime: `tokio::time::sleep`, or `smol::Timer::after`.
                ///
                /// The wait ends with the error `Exhausted` if the clock stands still during 100 to 1000 waits. If a timer returns early, other tasks run before the next wait.
                ///
                /// A future that is dropped while it waits has used no ID.
                ///
                /// # Errors
                ///
                /// See the [table](Generator#situations).
                ///
                /// ```
                #[doc = concat!("use ", env!("CARGO_CRATE_NAME"), "::{GenerateError, SharedGenerator};")]
                /// use core::{future::Future, time::Duration};
                ///
                /// async fn two<F: Future>(
                ///     ids: &SharedGenerator,
                ///     sleep: impl Fn(Duration) -> F, // in a program with tokio: tokio::time::sleep
                /// ) -> Result<(), GenerateError> {
                ///     let first = ids.generate_async(&sleep).await?;
                ///     assert!(first < ids.generate_async(&sleep).await?);
                ///     Ok(())
                /// }
                /// ```
                pub async fn generate_async<F: Future>(
                    &self,
                    sleep: impl Fn(Duration) -> F,
                ) -> Result<$id, GenerateError> {
                    self.0.generate_async(sleep).await
                }

                /// Fills `ids` with the next IDs, as calls of [`generate_async`](Self::generate_async) do, but faster. IDs of
                /// other threads and tasks may lie between them. It does not yield to other tasks while it need not wait, so
                /// fill at most some 100 000 IDs at a time.
                ///
                /// # Errors
                ///
                /// See the [table](Generator#situations). The content of `ids` is unspecified after an error, and after the
                /// future is dropped before it is complete. No ID is generated twice.
                pub async fn fill_async<F: Future>(
                    &self,
                    ids: &mut [$id],
                    sleep: impl Fn(Duration) -> F,
                ) -> Result<(), GenerateError> {
                    self.0.fill_async(ids, sleep).await
                }
            }
        };
    };
}

/// Adds `new()` and `Default` to the types that [`__generators!`] defines, if the options have defaults, and the functions
/// `new` and `shared`. The arguments are the first lines of the documentation of `new`, and what its clock must not be.
#[macro_export]
#[doc(hidden)]
macro_rules! __generator_defaults {
    ($(#[$docs:meta])* new: $id:ident, wrong_clock: $wrong_clock:literal, random_bits: $bits:literal) => {
        $crate::__generator_defaults! {
            $(#[$docs])*
            #[doc = ""]
            #[doc = "After the clock was set back by more than 10 s, it *starts over*: it continues at the new, earlier time, so"]
            #[doc = "this ID is less than the last one. [`rollbacks`](SharedGenerator::rollbacks) of the generator counts this, and"]
            #[doc = "its [`try_generate`](SharedGenerator::try_generate) returns an error instead."]
            new: $id,
            wrong_clock: $wrong_clock,
            order: "unless the system's clock is set back by more than 10 s. Then the generator starts over at the new time, \
                and [`rollbacks`](SharedGenerator::rollbacks) counts it."
        }

        /// Generates an ID with a generator that only this thread uses. Threads do not wait for each other, so many threads
        /// generate more IDs than with [`new`].
        ///
        /// Each ID is greater than the IDs before it of this thread. IDs of different threads have the order of their
        /// times, and no order within a tick. What makes them distinct within a tick are
        #[doc = concat!($bits, " random bits.")]
        ///
        /// After the clock was set back by more than 10 s, the generator *starts over*, as that of [`new`] does.
        ///
        /// ```
        #[doc = concat!("use ", env!("CARGO_CRATE_NAME"), "::new_in_thread;")]
        ///
        /// assert!(new_in_thread() < new_in_thread());
        /// let other = std::thread::spawn(new_in_thread).join().unwrap();
        /// assert_ne!(other, new_in_thread());
        /// ```
        ///
        /// # Panics
        ///
        /// As [`new`].
        #[cfg(feature = "std")]
        #[must_use]
        pub fn new_in_thread() -> $id {
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
        /// If [`generate`](SharedGenerator::generate) fails: the system's clock is
        #[doc = concat!($wrong_clock, ",")]
        /// or the source of random bytes fails.
        #[cfg(all(feature = "std", target_has_atomic = "ptr"))]
        #[must_use]
        #[doc(alias("now_v7", "new_v7", "new_v4", "generate", "now"))]
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
        pub fn shared() -> &'static SharedGenerator {
            static SHARED: SharedGenerator = SharedGenerator::new();
            &SHARED
        }

        $crate::__generator_defaults!(@type () Generator);
        $crate::__generator_defaults!(@type (#[cfg(target_has_atomic = "ptr")]) SharedGenerator);

        #[cfg(feature = "std")]
        impl Backfill {
            /// Creates a backfill with the specification's defaults and the system's random bytes.
            #[must_use]
            pub fn new() -> Self {
                Self($crate::Backfill::new())
            }
        }

        #[cfg(feature = "std")]
        impl Default for Backfill {
            fn default() -> Self {
                Self::new()
            }
        }
    };
    (@type ($($cfg:tt)*) $name:ident) => {
        $($cfg)*
        #[cfg(feature = "std")]
        impl $name {
            /// Creates a generator with the specification's defaults, the system's clock and random bytes.
            #[must_use]
            pub const fn new() -> Self {
                Self($crate::Generator::new())
            }
        }

        $($cfg)*
        #[cfg(feature = "std")]
        impl Default for $name {
            fn default() -> Self {
                Self::new()
            }
        }
    };
}
