use crate::{ConfigError, Rollback, RollbackPolicy, error::create};
use core::time::Duration;

// Each option is described once, in `OPTIONS` of its spec crate. Command lines, services and packages make their own
// options from this description, or a test compares the two.
/// An option of the generators of a specification: what a command line, a service or a form needs to offer it.
///
/// ```
/// # use sortid_core::{OptionInfo, OptionKind};
/// # const OPTIONS: [OptionInfo; 1] = [OptionInfo::number("min_length", 5, 10, "the least number of digits of a time", "")];
/// let option = OPTIONS[0]; // one of `Spec::options` in the crate `sortid`
/// assert_eq!(option.name, "min_length");
/// assert_eq!(option.kind, OptionKind::Number { least: 5, greatest: 10 });
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct OptionInfo {
    /// The name, in lower case and with underscores: `counter_start_bits`.
    pub name: &'static str,
    /// What values the option has.
    pub kind: OptionKind,
    /// Whether a generator needs a value.
    pub is_required: bool,
    /// What the option is, as the end of a sentence.
    pub about: &'static str,
    /// The section of the specification; empty if the option is ours.
    pub section: &'static str,
}

/// What values an option has. As text, a number is in digits, and a duration in seconds with up to six digits after the
/// point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum OptionKind {
    /// `true` or `false`. The default is `false`.
    Flag,
    /// An integer in this range. Another option may make the range smaller.
    Number {
        /// The least value.
        least: u64,
        /// The greatest value.
        greatest: u64,
    },
    /// One of these words.
    Choice(&'static [&'static str]),
    /// A text of this form.
    Text(&'static str),
    /// A duration.
    Duration,
}

/// Options that a program sets by name: the `Options` of each specification.
#[doc(hidden)]
pub trait Configure: Sized {
    /// The options. A program that has several sets them in this order.
    const OPTIONS: &'static [OptionInfo];

    /// Sets the option of this name.
    ///
    /// # Errors
    ///
    /// If there is no option of this name, or it does not have this value.
    fn set(self, name: &str, value: &str) -> Result<Self, ConfigError>;
}

impl OptionInfo {
    /// What the generator does after its clock was set back. All specifications have it.
    #[doc(hidden)]
    pub const ROLLBACK: Self = Self::new(
        "rollback",
        OptionKind::Choice(&["fail", "continue", "reset"]),
        "what the generator does when the clock is behind its last ID by more than the allowance",
        "",
    );

    /// How far the clock may go back. All specifications have it.
    #[doc(hidden)]
    pub const ROLLBACK_ALLOWANCE: Self = Self::new(
        "rollback_allowance",
        OptionKind::Duration,
        "how far the clock may go back before `rollback` says what happens",
        "",
    );

    /// Describes an option.
    #[doc(hidden)]
    #[must_use]
    pub const fn new(
        name: &'static str,
        kind: OptionKind,
        about: &'static str,
        section: &'static str,
    ) -> Self {
        Self { name, kind, is_required: false, about, section }
    }

    /// Describes an option whose values are numbers.
    #[doc(hidden)]
    #[must_use]
    pub const fn number(
        name: &'static str,
        least: u64,
        greatest: u64,
        about: &'static str,
        section: &'static str,
    ) -> Self {
        Self::new(name, OptionKind::Number { least, greatest }, about, section)
    }

    /// Describes an option whose values are texts.
    #[doc(hidden)]
    #[must_use]
    pub const fn text(
        name: &'static str,
        form: &'static str,
        about: &'static str,
        section: &'static str,
    ) -> Self {
        Self::new(name, OptionKind::Text(form), about, section)
    }

    /// The option, without which there is no generator.
    #[doc(hidden)]
    #[must_use]
    pub const fn required(self) -> Self {
        Self { is_required: true, ..self }
    }
}

/// Sets an option that all specifications have.
///
/// # Errors
///
/// If none of `all` has this name, or the option does not have this value.
pub fn set_rollback(
    policy: RollbackPolicy,
    all: &'static [OptionInfo],
    name: &str,
    value: &str,
) -> Result<RollbackPolicy, ConfigError> {
    match name {
        "rollback" => match Rollback::ALL.into_iter().find(|choice| choice.name() == value) {
            Some(rollback) => Ok(policy.with_rollback(rollback)),
            None => Err(create::option_form("rollback", "fail, continue or reset", value)),
        },
        "rollback_allowance" => Ok(policy.with_allowance(duration("rollback_allowance", value)?)),
        _ => Err(create::unknown_option(all, name)),
    }
}

/// Reads the value of a flag.
///
/// # Errors
///
/// If it is not `true` or `false`.
pub fn flag(option: &'static str, value: &str) -> Result<bool, ConfigError> {
    value.parse().map_err(|_| create::option_form(option, "true or false", value))
}

/// Reads a number. The option itself checks its range.
///
/// # Errors
///
/// If it is not a number, or too great for its type.
pub fn number<N: core::str::FromStr>(option: &'static str, value: &str) -> Result<N, ConfigError> {
    let is_digits = !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit());
    match value.parse() {
        Ok(number) if is_digits => Ok(number),
        _ if is_digits => Err(create::option_form(option, "a smaller number", value)),
        _ => Err(create::option_form(option, "a number", value)),
    }
}

/// Reads a value and the bits that it takes: `5:8` is 5 in 8 bits.
///
/// # Errors
///
/// If one of the two is not a number.
pub fn with_bits<V: core::str::FromStr, B: core::str::FromStr>(
    option: &'static str,
    value: &str,
) -> Result<(V, Option<B>), ConfigError> {
    Ok(match value.split_once(':') {
        Some((value, bits)) => (number(option, value)?, Some(number(option, bits)?)),
        None => (number(option, value)?, None),
    })
}

/// Reads seconds, with up to six digits after the point.
///
/// # Errors
///
/// If the value has another form.
pub fn duration(option: &'static str, value: &str) -> Result<Duration, ConfigError> {
    let (whole, fraction) = value.split_once('.').unwrap_or((value, "0"));
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !is_digits(whole) || !is_digits(fraction) || fraction.len() > 6 {
        let expected = "seconds, with up to six digits after the point";
        return Err(create::option_form(option, expected, value));
    }
    let micros = fraction.bytes().chain(core::iter::repeat(b'0')).take(6);
    let micros = micros.fold(0, |sum, digit| 10 * sum + u32::from(digit - b'0'));
    Ok(Duration::new(number(option, whole)?, 1000 * micros))
}
