//! What happens when crashes and losses end.

use crate::{Fleet, Message, State, TICK};
use sortid_fleet::{
    __private::{Now, Process, Swap, Wish, size},
    Millis, Record,
};
use std::collections::BTreeSet;

/// How many ticks the fair end of a history takes.
const ROUNDS: Millis = 3;

/// Carries out a swap.
fn arrives(records: &mut [Option<Record>], swap: &Swap) -> bool {
    let record = &mut records[swap.node_id as usize];
    let is_swapped = *record == swap.expected;
    if is_swapped {
        *record = Some(swap.next.clone());
    }
    is_swapped
}

impl Fleet {
    /// Returns whether all processes that can have a node ID get one, in a fair continuation of this state: messages on the
    /// way arrive, or are lost; all clocks are right, and past the last reservation; the processes take turns, and each
    /// swap is answered. Then one process releases its node ID, and one that has none gets it.
    pub(crate) fn is_live(&self, state: &State) -> bool {
        [false, true].into_iter().all(|arrive| {
            let mut records = (*state.records).clone();
            let mut processes: Vec<Process> =
                state.members.iter().map(|member| member.process.clone()).collect();
            if arrive {
                for Message { sent, .. } in &state.orphans {
                    arrives(&mut records, sent);
                }
                for (member, process) in state.members.iter().zip(&mut processes) {
                    for Message { swap, sent, is_swapped } in &member.messages {
                        process.answered(swap, *is_swapped || arrives(&mut records, sent));
                    }
                }
            }
            self.ends_well(records, processes)
        })
    }

    fn ends_well(&self, mut records: Vec<Option<Record>>, mut processes: Vec<Process>) -> bool {
        let records = &mut records;
        let last = records
            .iter()
            .flatten()
            .map(|record| record.until)
            .max()
            .unwrap_or(0)
            .max(self.bounds.ticks * TICK);
        // Without a fleet, an operator creates one.
        let first = self.bounds.sizes.first().copied().unwrap_or(self.bounds.node_ids);
        if records.iter().all(Option::is_none) {
            records[0] = Some(Record::beginning(first));
        }
        let node_ids = size(&crate::by_node_id(records)).unwrap_or(0);
        let can_hold = processes.len().min(node_ids as usize);
        let mut time = last;
        for _ in 0..ROUNDS {
            self.round(records, &mut processes, time);
            time += TICK;
        }
        time -= TICK;
        let holds = |process: &&mut Process| process.window().contains(&time);
        if processes.iter_mut().filter(holds).count() != can_hold {
            return false;
        }
        let has_waiting = processes.len() > can_hold;
        let Some(leaver) = processes.iter().position(|process| process.window().contains(&time)) else {
            return true;
        };
        let mut left = processes.remove(leaver);
        Self::carry_out(records, &mut left, |process, _| process.release(Some(time + TICK)));
        self.round(records, &mut processes, time + TICK);
        let holds = |process: &&Process| process.window().contains(&(time + TICK));
        left.node_id().is_none()
            && processes.iter().filter(holds).count() == can_hold - usize::from(!has_waiting)
    }

    /// Each process does what it does in a third of its window.
    fn round(&self, records: &mut [Option<Record>], processes: &mut [Process], time: Millis) {
        let now = Now { clock: time, store: Some(time) };
        for index in 0..processes.len() {
            // Holders of the same name that are alive are known, because they raise their bounds.
            let namesakes: BTreeSet<u32> =
                processes.iter().filter(|it| it.is_holding()).filter_map(Process::node_id).collect();
            let process = &mut processes[index];
            if process.is_holding() {
                Self::carry_out(records, process, |process, _| process.raise(now));
            } else if process.node_id().is_some() && !process.is_lost() {
                Self::carry_out(records, process, |process, _| process.release(None));
                Self::carry_out(records, process, |process, _| process.release(None));
            }
            if let Some(node_id) = process.asked() {
                process.seen(node_id, records[node_id as usize].as_ref());
            }
            if process.is_lost() || process.node_id().is_none() {
                let start = index as u32;
                let wish = Wish { node_id: None, start, prefers_its_own: true, namesakes };
                Self::carry_out(records, process, |process, records| {
                    process.take(&crate::by_node_id(records), now, &wish).ok()
                });
            }
        }
    }

    fn carry_out(
        records: &mut [Option<Record>],
        process: &mut Process,
        propose: impl FnOnce(&mut Process, &[Option<Record>]) -> Option<Swap>,
    ) {
        let Some(swap) = propose(process, records) else { return };
        if arrives(records, &swap) {
            process.answered(&swap, true);
        } else {
            process.seen(swap.node_id, records[swap.node_id as usize].as_ref());
        }
    }
}
