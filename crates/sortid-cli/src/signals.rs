//! Work to do before a signal ends the program, such as Ctrl-C.

#[cfg(unix)]
pub(crate) use unix::{await_end, before_end, outlive_file_limit};

#[cfg(unix)]
mod unix {
    use signal_hook::{
        consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ},
        flag,
        iterator::Signals,
        low_level::emulate_default_handler,
    };
    use std::{
        ffi::c_int,
        fs, io,
        sync::{
            Arc,
            atomic::{AtomicBool, Ordering::SeqCst},
        },
        thread,
    };

    /// Whether a signal is ending the program.
    static IS_ENDING: AtomicBool = AtomicBool::new(false);

    /// Lets a write above the limit of `ulimit -f` fail, as on a full disk. Otherwise it would end the program.
    pub(crate) fn outlive_file_limit() {
        // Nobody reads the flag. If the signal cannot be handled, it ends the program, as it ends others.
        let _ = flag::register(SIGXFSZ, Arc::default());
    }

    /// Does this work when a signal ends the program. A second signal ends it at once.
    pub(crate) fn before_end(work: impl FnOnce() + Send + 'static) -> io::Result<()> {
        let has_come = Arc::new(AtomicBool::new(false));
        let ending = ending();
        for &signal in &ending {
            flag::register_conditional_default(signal, Arc::clone(&has_come))?;
            flag::register(signal, Arc::clone(&has_come))?;
        }
        let mut signals = Signals::new(&ending)?;
        thread::Builder::new().name("signals".to_owned()).spawn(move || {
            if let Some(signal) = signals.forever().next() {
                IS_ENDING.store(true, SeqCst);
                work();
                // It ends the program, as if nobody had waited for the signal.
                let _ = emulate_default_handler(signal);
            }
        })?;
        Ok(())
    }

    /// Waits for the end, if a signal is ending the program. What fails meanwhile is not worth a message.
    pub(crate) fn await_end() {
        while IS_ENDING.load(SeqCst) {
            thread::park();
        }
    }

    /// The signals that end this program. Signals that this process ignores stay ignored: `nohup` ignores one, and a
    /// shell ignores some for its background jobs. Only Linux lists them; elsewhere, `SIGHUP` is left alone.
    fn ending() -> Vec<c_int> {
        let Some(ignored) = ignored() else { return vec![SIGINT, SIGTERM] };
        [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|signal| ignored >> (signal - 1) & 1 == 0).collect()
    }

    /// The mask of the signals that this process ignores.
    fn ignored() -> Option<u64> {
        let status = fs::read_to_string("/proc/self/status").ok()?;
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"))?;
        u64::from_str_radix(mask.trim(), 16).ok()
    }
}

/// On other systems, the signal ends the program without this work.
#[cfg(not(unix))]
pub(crate) fn before_end(_: impl FnOnce() + Send + 'static) -> std::io::Result<()> {
    Ok(())
}

#[cfg(not(unix))]
pub(crate) fn await_end() {}

#[cfg(not(unix))]
pub(crate) fn outlive_file_limit() {}
