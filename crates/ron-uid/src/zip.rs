//! Compression in a context: the text of a UID relative to another UID, which the reader knows.

use crate::base64x64::no_digit;
use crate::text::{bare_scheme, out_of_place};
use crate::{Base64x64, RonUid, Scheme};
use sortid_core::{ParseError, Text};

/// The brackets that stand for the first 4, 5, … 9 digits of the context.
const BRACKETS: &[u8; 6] = b"([{}])";

/// The shortest prefix that has a bracket.
const LEAST_PREFIX: usize = 4;

/// How many digits a bracket stands for.
#[inline]
const fn prefix_of(byte: u8) -> Option<usize> {
    match byte {
        b'(' => Some(4),
        b'[' => Some(5),
        b'{' => Some(6),
        b'}' => Some(7),
        b']' => Some(8),
        b')' => Some(9),
        _ => None,
    }
}

/// How a part, the value or the origin, is printed.
#[derive(Clone, Copy, PartialEq)]
enum Form {
    /// Not at all: the part is the context's.
    LeftOut,
    /// A bracket for this many digits, and the other digits.
    Bracket(usize),
    /// In full.
    Whole,
}

impl Form {
    #[inline]
    const fn of(part: Base64x64, context: Base64x64) -> Self {
        match part.shared_digits(context) {
            Base64x64::TEXT_LEN => Self::LeftOut,
            0..LEAST_PREFIX => Self::Whole,
            shared => Self::Bracket(shared),
        }
    }

    #[inline]
    const fn push_to(self, part: Base64x64, text: &mut Text<{ RonUid::TEXT_LEN }>) {
        match self {
            Self::LeftOut => {}
            Self::Bracket(shared) => {
                text.push(BRACKETS[shared - LEAST_PREFIX]);
                text.push_text(&part.digits_from(shared));
            }
            Self::Whole => part.push_to(text),
        }
    }
}

impl RonUid {
    /// Returns the text in the context of another UID: at most [`TEXT_LEN`](Self::TEXT_LEN) characters.
    ///
    /// A part that equals the context's is left out. If a part begins with the same 4, 5, 6, 7, 8 or 9 digits, a bracket
    /// stands for these: `(`, `[`, `{`, `}`, `]` or `)`. The sign `-` is left out before a bracket, unless the value is left
    /// out, and after a bracket if the origin is left out: [`unzip`](Self::unzip) assumes it there. A UID whose text is the
    /// value alone, such as a transcendent name, is not compressed.
    ///
    /// In its own context, the text of a UID is empty. In the context of a UID that differs only by the scheme, the text is
    /// the sign.
    ///
    /// ```
    /// use ron_uid::{RonUid, ron_uid};
    ///
    /// let context = ron_uid!("1CQKneD1-X~");
    /// let uid = ron_uid!("1CQKneD2-X~");
    /// assert_eq!(uid.zip(&context), "}2");
    /// assert_eq!(RonUid::unzip("}2", &context)?, uid);
    ///
    /// assert_eq!(ron_uid!("1CQKneD1+X~").zip(&context), "+");
    /// assert_eq!(context.zip(&context), "");
    /// assert_eq!(ron_uid!("inc").zip(&context), "inc");
    /// assert_eq!(RonUid::NEVER.zip(&context), "~");
    /// assert_eq!(ron_uid!("1CQKneD1-X~").zip(&RonUid::ZERO), "1CQKneD1-X~");
    /// # Ok::<(), ron_uid::ParseError>(())
    /// ```
    #[must_use]
    pub const fn zip(&self, context: &Self) -> Text<{ Self::TEXT_LEN }> {
        if self.is_bare() {
            return self.encode();
        }
        if self.to_u128() == context.to_u128() {
            return Text::EMPTY;
        }
        let (value, origin) = (self.value(), self.origin());
        let value_form = Form::of(value, context.value());
        let origin_form = Form::of(origin, context.origin());
        // Without the sign, two numbers side by side would read as one number, and a number alone as a name.
        let reads_without_sign = match (value_form, origin_form) {
            (Form::Bracket(_), Form::LeftOut | Form::Bracket(_)) | (Form::Whole, Form::Bracket(_)) => true,
            (Form::LeftOut, _) | (_, Form::Whole) | (Form::Whole, Form::LeftOut) => false,
        };
        let mut text = Text::EMPTY;
        value_form.push_to(value, &mut text);
        if !(reads_without_sign && matches!(self.scheme(), Scheme::Event)) {
            text.push(self.scheme().sign_byte());
        }
        origin_form.push_to(origin, &mut text);
        text
    }

    /// Parses a text that [`zip`](Self::zip) returned for this context.
    ///
    /// A part that is left out is the context's. Digits without a sign or a bracket mean the same as for
    /// [`parse`](Self::parse), in every context. An empty text is the context itself.
    ///
    /// # Errors
    ///
    /// `Length` if a part has more than ten digits, including those of a bracket; `Character` if a character is not a
    /// digit, a sign, or a bracket in its place; `Sign` if there is a second sign. Positions count bytes from 0.
    pub const fn unzip(text: &str, context: &Self) -> Result<Self, ParseError> {
        Self::unzip_ascii(text.as_bytes(), context)
    }

    /// Parses a compressed text that may not be UTF-8.
    ///
    /// # Errors
    ///
    /// Those of [`unzip`](Self::unzip).
    pub const fn unzip_ascii(text: &[u8], context: &Self) -> Result<Self, ParseError> {
        Self::unzip_from(text, 0, context)
    }

    /// Reads `text[at..]`, so that errors count positions from the beginning of `text`.
    pub(crate) const fn unzip_from(text: &[u8], at: usize, context: &Self) -> Result<Self, ParseError> {
        if at == text.len() {
            return Ok(*context);
        }
        let (value, after_value) = match read_part(text, at, context.value()) {
            Ok(part) => part,
            Err(error) => return Err(error),
        };
        let is_number = after_value > at && prefix_of(text[at]).is_none();
        let (scheme, origin_at) = if after_value == text.len() {
            if is_number {
                return Ok(Self::from_fields(value, Base64x64::ZERO, bare_scheme(value)));
            }
            (Scheme::Event, after_value)
        } else {
            match Scheme::from_sign_byte(text[after_value]) {
                Some(scheme) => (scheme, after_value + 1),
                // A bracket after a value: the sign is left out.
                None if after_value > at && prefix_of(text[after_value]).is_some() => {
                    (Scheme::Event, after_value)
                }
                None => return Err(no_digit(text, after_value)),
            }
        };
        match read_part(text, origin_at, context.origin()) {
            Ok((origin, end)) if end == text.len() => Ok(Self::from_fields(value, origin, scheme)),
            Ok((_, end)) => Err(out_of_place(text, end)),
            Err(error) => Err(error),
        }
    }
}

/// Reads the part that begins at `text[at]`. Returns the part, which is the context's if there is none, and where it ends.
const fn read_part(text: &[u8], at: usize, context: Base64x64) -> Result<(Base64x64, usize), ParseError> {
    if at < text.len() {
        if let Some(kept) = prefix_of(text[at]) {
            return Base64x64::read(text, at + 1, context, kept);
        }
    }
    match Base64x64::read(text, at, context, 0) {
        Ok((_, end)) if end == at => Ok((context, at)),
        result => result,
    }
}
