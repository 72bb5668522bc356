//! Termination signals: unfinished outputs are removed first.

/// Removes unfinished outputs on SIGINT, SIGTERM and SIGHUP, then ends the process by the same signal.
///
/// A signal that was ignored at the start, as under `nohup`, stays ignored. If no thread can be started, the signals
/// keep their default action.
#[cfg(unix)]
pub(crate) fn install() {
    use std::{process, thread};

    use robolog_convert::target::{Interrupted, remove_partial};
    use signal_hook::{
        consts::{SIGHUP, SIGINT, SIGTERM},
        iterator::Signals,
        low_level::emulate_default_handler,
    };

    use crate::render;

    let ignored = ignored();
    let wanted = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|signal| !is_ignored(ignored, *signal));
    let wait = move |mut signals: Signals| {
        if let Some(signal) = signals.forever().next() {
            let Interrupted { unfinished, complete, .. } = remove_partial();
            match (unfinished, complete) {
                (0, _) => {}
                (_, 0) => render::say("robolog: interrupted, nothing written"),
                _ => render::say("robolog: interrupted; what was complete is kept"),
            }
            // Shells check how a program ended: a loop continues after an exit, but not after SIGINT.
            let _ = emulate_default_handler(signal);
            process::exit(signal + 128);
        }
    };
    let (send, receive) = std::sync::mpsc::sync_channel::<Signals>(1);
    // The thread comes first: a handler without one would swallow the signals.
    let thread = thread::Builder::new().name("signals".into()).stack_size(256 << 10).spawn(move || {
        if let Ok(signals) = receive.recv() {
            wait(signals);
        }
    });
    if thread.is_ok()
        && let Ok(signals) = Signals::new(wanted)
    {
        let _ = send.send(signals);
    }
}

/// The mask of ignored signals, if the system reports it.
#[cfg(unix)]
fn ignored() -> u64 {
    let mask = || {
        let status = std::fs::read_to_string("/proc/self/status").ok()?;
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"))?;
        u64::from_str_radix(mask.trim(), 16).ok()
    };
    mask().unwrap_or(0)
}

#[cfg(unix)]
fn is_ignored(mask: u64, signal: i32) -> bool {
    let bit = u32::try_from(signal - 1).ok();
    bit.and_then(|bit| mask.checked_shr(bit)).is_some_and(|mask| mask & 1 == 1)
}

/// On other systems, the default action ends the program.
#[cfg(not(unix))]
pub(crate) fn install() {}
