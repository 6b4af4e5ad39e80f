//! The program `sortid`.
#![forbid(unsafe_code)]

fn main() -> std::process::ExitCode {
    sortid_cli::main()
}

/// Runs before `main`, and before the standard library prepares it.
#[cfg(unix)]
#[ctor::ctor]
fn before_main() {
    sortid_cli::look_at_descriptors();
}
