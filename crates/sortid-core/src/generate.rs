//! The trait of all generators.

// The generators have methods of the same names as the trait, so code that knows its generator needs no import.
//
// A typed generator wraps a generator of its specification, and has no state of its own. So the ID types of a
// specification can share one order, and a fleet needs no generator for each of them.

use crate::{Clock, Entropy, GenerateError, Generator, Rules};
use core::marker::PhantomData;

/// A type that generates IDs, each greater than the one before: the `Generator` of each specification, the generators
/// of a fleet, the generators of your [ID types](Self::typed), and `&`, `Box`, `Rc` and
/// `Arc` of them.
///
/// A service takes `impl Generate` or `dyn Generate`. Its test passes a generator with a clock that stands still, or
/// a type of its own:
///
/// ```
/// # use sortid_core::{Generate, GenerateError};
/// use std::{cell::Cell, sync::Arc};
///
/// struct Orders {
///     ids: Arc<dyn Generate<Id = u32>>,
/// }
///
/// impl Orders {
///     fn place(&self) -> Result<String, GenerateError> {
///         Ok(format!("order {}", self.ids.generate()?))
///     }
/// }
///
/// struct Counted(Cell<u32>);
///
/// impl Generate for Counted {
///     type Id = u32;
///
///     fn generate(&self) -> Result<u32, GenerateError> {
///         self.0.set(self.0.get() + 1);
///         Ok(self.0.get())
///     }
///
///     fn try_generate(&self) -> Result<u32, GenerateError> {
///         self.generate()
///     }
/// }
///
/// let orders = Orders { ids: Arc::new(Counted(Cell::new(0))) };
/// assert_eq!(orders.place()?, "order 1");
/// assert_eq!(orders.place()?, "order 2");
/// # Ok::<(), GenerateError>(())
/// ```
///
/// `std::iter::repeat_with(|| ids.generate())` is an iterator over the next IDs.
///
/// The methods are those of the generators. The documentation of each generator says what happens when the clock is set
/// back, and when a tick has no ID left.
pub trait Generate {
    /// The type of the IDs.
    type Id;

    /// Generates the next ID. Waits when a tick is used up.
    ///
    /// # Errors
    ///
    /// Those of the generator.
    fn generate(&self) -> Result<Self::Id, GenerateError>;

    /// Generates the next ID. Does not wait: [`retry_after`](GenerateError::retry_after) of the error says how long to wait.
    ///
    /// # Errors
    ///
    /// Those of the generator.
    fn try_generate(&self) -> Result<Self::Id, GenerateError>;

    /// Fills `ids` with the next IDs, as calls of [`generate`](Self::generate) do. The generators of this project do so
    /// faster. IDs of other threads may lie between them.
    ///
    /// # Errors
    ///
    /// Those of the generator. The content of `ids` is unspecified after an error.
    fn fill(&self, ids: &mut [Self::Id]) -> Result<(), GenerateError> {
        for id in ids {
            *id = self.generate()?;
        }
        Ok(())
    }

    /// Fills the first of `ids` as far as it can without waiting, and returns how many: at least one, unless `ids` is empty.
    #[doc(hidden)]
    fn try_fill(&self, ids: &mut [Self::Id]) -> Result<usize, GenerateError> {
        for (filled, id) in ids.iter_mut().enumerate() {
            match self.try_generate() {
                Ok(made) => *id = made,
                Err(_) if filled > 0 => return Ok(filled),
                Err(error) => return Err(error),
            }
        }
        Ok(ids.len())
    }

    /// Returns a generator of an ID type of yours, such as one of `typed_id!`. Several ID types can share a generator: pass
    /// a reference or an `Arc` of it.
    ///
    /// ```
    /// # use sortid_core::{Generate, GenerateError};
    /// #[derive(Debug, PartialEq)]
    /// struct OrderId(u32);
    ///
    /// impl From<u32> for OrderId {
    ///     fn from(id: u32) -> Self {
    ///         Self(id)
    ///     }
    /// }
    ///
    /// fn order(ids: &dyn Generate<Id = u32>) -> Result<OrderId, GenerateError> {
    ///     ids.typed().generate()
    /// }
    /// ```
    fn typed<I>(self) -> Typed<I, Self>
    where
        Self: Sized,
        Self::Id: Into<I>,
    {
        Typed { ids: self, id: PhantomData }
    }
}

for_pointers!(Generate {
    type Id;
    fn generate(&self) -> Result<T::Id, GenerateError>;
    fn try_generate(&self) -> Result<T::Id, GenerateError>;
    fn fill(&self, ids: &mut [T::Id]) -> Result<(), GenerateError>;
    fn try_fill(&self, ids: &mut [T::Id]) -> Result<usize, GenerateError>;
});

impl<R: Rules, C: Clock, E: Entropy> Generate for Generator<R, C, E> {
    type Id = R::Id;

    #[inline]
    fn generate(&self) -> Result<R::Id, GenerateError> {
        Self::generate(self)
    }

    #[inline]
    fn try_generate(&self) -> Result<R::Id, GenerateError> {
        Self::try_generate(self)
    }

    #[inline]
    fn fill(&self, ids: &mut [R::Id]) -> Result<(), GenerateError> {
        Self::fill(self, ids)
    }

    fn try_fill(&self, ids: &mut [R::Id]) -> Result<usize, GenerateError> {
        Self::try_fill(self, ids)
    }
}

/// A generator of the ID type `I`, around the generator `G` of its specification. [`Generate::typed`] returns it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Typed<I, G> {
    ids: G,
    id: PhantomData<fn() -> I>,
}

impl<I, G> Typed<I, G> {
    /// Returns the generator of the specification.
    pub const fn get(&self) -> &G {
        &self.ids
    }
}

/// How many IDs [`Typed`] takes from its generator at once.
const RUN: usize = 64;

impl<I, G: Generate<Id: Copy + Into<I>>> Generate for Typed<I, G> {
    type Id = I;

    #[inline]
    fn generate(&self) -> Result<I, GenerateError> {
        self.ids.generate().map(Into::into)
    }

    #[inline]
    fn try_generate(&self) -> Result<I, GenerateError> {
        self.ids.try_generate().map(Into::into)
    }

    fn fill(&self, ids: &mut [I]) -> Result<(), GenerateError> {
        let Some((first, rest)) = ids.split_first_mut() else { return Ok(()) };
        let made = self.ids.generate()?;
        *first = made.into();
        let mut run = [made; RUN];
        for ids in rest.chunks_mut(RUN) {
            let run = &mut run[..ids.len()];
            self.ids.fill(run)?;
            for (id, &made) in ids.iter_mut().zip(&*run) {
                *id = made.into();
            }
        }
        Ok(())
    }
}
