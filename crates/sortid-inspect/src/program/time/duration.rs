//! Durations: `30s`, `1m30s`.

use jiff::SignedDuration;
use std::time::Duration;

/// Reads a duration: `30s`, `5m`, `1m30s`, `500ms`.
pub fn parse_duration(text: &str) -> Result<Duration, String> {
    const EXPECTED: &str = "expected a duration with its unit, such as 30s, 5m or 500ms";

    let duration = text.parse::<SignedDuration>().map_err(|_| EXPECTED.to_owned())?;
    Duration::try_from(duration).map_err(|_| format!("{EXPECTED}, found a negative duration"))
}

#[cfg(test)]
mod tests {
    use super::parse_duration;
    use std::time::Duration;

    #[test]
    fn a_duration_has_a_unit() {
        for (text, millis) in [
            ("30s", 30_000),
            ("0s", 0),
            ("5m", 300_000),
            ("1m30s", 90_000),
            ("500ms", 500),
            ("2 hours", 7_200_000),
        ] {
            assert_eq!(parse_duration(text), Ok(Duration::from_millis(millis)), "{text}");
        }
        for (text, message) in [
            ("", "expected a duration with its unit, such as 30s, 5m or 500ms"),
            ("30", "with its unit"),
            ("-1s", "found a negative duration"),
            ("1s ago", "found a negative duration"),
            ("1 month", "expected a duration with its unit"),
            ("soon", "expected a duration with its unit"),
        ] {
            assert!(parse_duration(text).unwrap_err().contains(message), "{text}");
        }
    }
}
