//! The program `sortid`.
#![forbid(unsafe_code)]

fn main() -> std::process::ExitCode {
    sortid_cli::main()
}
