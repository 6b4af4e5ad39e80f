//! The protocol of fleets. Python has a [`Process`] as a pointer, and a record, a swap or the clocks as numbers.

use sortid_fleet::{
    __private::{Now, Process, Swap, Terms, Wish},
    Holder, Record,
};
use std::collections::{BTreeMap, BTreeSet};

/// The time of the process's clock; 1 if the store has a time, else 0; and the time of the store.
const fn now([clock, has_store, store]: [u64; 3]) -> Now {
    Now { clock, store: if has_store == 1 { Some(store) } else { None } }
}

/// A record: whether it is there, its generation, its holder and its bound. Holder 0 is none.
type Plain = [u64; 4];

fn holder(number: u64) -> Option<Holder> {
    match number {
        0 => None,
        1 => Some(Holder::new("a", "1")),
        _ => Some(Holder::new("b", "2")),
    }
}

fn record([there, generation, number, until]: Plain) -> Option<Record> {
    (there == 1).then(|| Record::new(2, generation, holder(number), until))
}

fn plain(record: Option<&Record>) -> Plain {
    let Some(record) = record else { return [0; 4] };
    let holder = record.holder.as_ref().map_or(0, |it| it.instance.parse().unwrap_or(0));
    [1, record.generation, holder, record.until]
}

/// The process whose holder is 1.
#[unsafe(no_mangle)]
pub extern "C" fn fleet_new(window: u64) -> *mut Process {
    Box::into_raw(Box::new(Process::new(Terms { window }, Holder::new("a", "1"))))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fleet_drop(process: *mut Process) {
    drop(unsafe { Box::from_raw(process) });
}

fn put(swap: Option<Swap>, out: &mut [Plain; 2]) -> u64 {
    let Some(swap) = swap else { return 0 };
    *out = [plain(swap.expected.as_ref()), plain(Some(&swap.next))];
    1
}

/// Returns whether it proposes to take node ID 1. Node ID 0 has a record, so that there is a fleet.
#[unsafe(no_mangle)]
pub extern "C" fn fleet_take(
    process: &mut Process,
    read: &Plain,
    times: &[u64; 3],
    out: &mut [Plain; 2],
) -> u64 {
    let mut records = BTreeMap::from([(0, Record::beginning(2))]);
    records.extend(record(*read).map(|it| (1, it)));
    let wish = Wish { node_id: Some(1), start: 0, prefers_its_own: true, namesakes: BTreeSet::new() };
    put(process.take(&records, now(*times), &wish).ok(), out)
}

#[unsafe(no_mangle)]
pub extern "C" fn fleet_raise(process: &Process, times: &[u64; 3], out: &mut [Plain; 2]) -> u64 {
    put(process.raise(now(*times)), out)
}

#[unsafe(no_mangle)]
pub extern "C" fn fleet_release(
    process: &mut Process,
    has_last: u64,
    after_last: u64,
    out: &mut [Plain; 2],
) -> u64 {
    put(process.release((has_last == 1).then_some(after_last)), out)
}

#[unsafe(no_mangle)]
pub extern "C" fn fleet_answered(process: &mut Process, swap: &[Plain; 2], swapped: u64) {
    let [expected, next] = *swap;
    if let Some(next) = record(next) {
        process.answered(&Swap { node_id: 1, expected: record(expected), next }, swapped == 1);
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn fleet_seen(process: &mut Process, read: &Plain) {
    process.seen(1, record(*read).as_ref());
}

#[unsafe(no_mangle)]
pub extern "C" fn fleet_lose(process: &mut Process) {
    process.lose();
}

/// The state: 0 outside, 1 asking, 2 holding, 3 releasing, 4 lost; the generation, or 0; and the window.
#[unsafe(no_mangle)]
pub extern "C" fn fleet_state(process: &Process, out: &mut [u64; 4]) {
    let kind = match process.node_id() {
        None if process.asked().is_some() => 1,
        None => 0,
        Some(_) if process.is_holding() => 2,
        Some(_) if process.is_lost() => 4,
        Some(_) => 3,
    };
    let window = process.window();
    *out = [kind, process.generation().unwrap_or(0), window.start, window.end];
}
