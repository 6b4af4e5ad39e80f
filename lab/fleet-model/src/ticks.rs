//! Which holders of a node ID used which ticks.

use crate::{Member, State, TICK};
use sortid_fleet::{__private::Process, Millis};
use std::sync::Arc;

/// What the protocol must never do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Fault {
    /// Two holders of a node ID used one tick.
    Twice,
    /// A later holder used an earlier tick.
    Order,
    /// Two holders of a node ID have the same generation.
    Generation,
    /// Two records state two sizes of the space.
    Size,
    /// A record is what it was before.
    Returns,
}

/// The ticks of one holder, from the start to before the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Used {
    pub(crate) generation: u64,
    pub(crate) start: Millis,
    pub(crate) end: Millis,
}

/// The ticks of holders that make no more IDs, by generation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Ticks(Vec<Used>);

impl Ticks {
    pub(crate) fn add(&mut self, used: Used) {
        self.0.push(used);
        self.0.sort_unstable();
    }
}

/// The node ID of a process and the ticks that it is permitted to use, if there are any.
pub(crate) fn permitted(process: &Process) -> Option<(u32, Used)> {
    let window = process.window();
    let used = Used { generation: process.generation()?, start: window.start, end: window.end };
    (!window.is_empty()).then_some((process.node_id()?, used))
}

impl State {
    /// Joins entries that no later step can tell apart: those between which no generation can get more ticks.
    pub(crate) fn tidy(&mut self) {
        for (node_id, ticks) in (0..).zip(&mut self.ticks) {
            if ticks.0.is_empty() {
                continue;
            }
            let mut alive = Vec::new();
            alive.extend(self.records[node_id as usize].as_ref().map(|record| record.generation));
            let of_node_id =
                |process: &Process| process.generation().filter(|_| process.node_id() == Some(node_id));
            alive.extend(self.members.iter().filter_map(|member| of_node_id(&member.process)));
            let messages = self.members.iter().flat_map(|member| &member.messages).chain(&self.orphans);
            alive.extend(messages.filter(|it| it.swap.node_id == node_id).map(|it| it.swap.next.generation));
            ticks.0.dedup_by(|later, earlier| {
                let is_between =
                    |&generation: &u64| (earlier.generation + 1..later.generation).contains(&generation);
                // Two of one generation are a fault, which is to be found.
                let joins = later.generation != earlier.generation && !alive.iter().any(is_between);
                if joins {
                    earlier.generation = later.generation;
                    earlier.start = earlier.start.min(later.start);
                    earlier.end = earlier.end.max(later.end);
                }
                joins
            });
            // Later holders only have to begin after the end.
            let least = alive.iter().min().copied();
            if let Some(first) =
                ticks.0.first_mut().filter(|first| least.is_none_or(|least| first.generation <= least))
            {
                first.start = first.end - TICK;
            }
        }
    }

    /// Compares all ticks that were used, or may be, of each node ID.
    pub(crate) fn find_fault(&self) -> Option<Fault> {
        let mut sizes = self.records.iter().flatten().map(|record| record.size);
        let first = sizes.next();
        let mut fault = sizes.any(|size| Some(size) != first).then_some(Fault::Size);
        for (node_id, ticks) in (0..).zip(&self.ticks) {
            let mut all = ticks.0.clone();
            let of_node_id =
                |member: &Arc<Member>| permitted(&member.process).filter(|&(it, _)| it == node_id);
            all.extend(self.members.iter().filter_map(of_node_id).map(|(_, used)| used));
            all.sort_unstable();
            for (index, earlier) in all.iter().enumerate() {
                for later in &all[index + 1..] {
                    let found = if earlier.start < later.end && later.start < earlier.end {
                        Fault::Twice
                    } else if earlier.generation == later.generation {
                        Fault::Generation
                    } else if earlier.end > later.start {
                        Fault::Order
                    } else {
                        continue;
                    };
                    fault = Some(fault.map_or(found, |it| it.min(found)));
                }
            }
        }
        fault
    }
}
