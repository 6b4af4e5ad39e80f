use std::process::ExitCode;

/// Whether all input was valid: exit code 0 or 1.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    Valid,
    Invalid,
}

impl From<Verdict> for ExitCode {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Valid => Self::SUCCESS,
            Verdict::Invalid => Self::from(1),
        }
    }
}
