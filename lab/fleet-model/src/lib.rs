//! A model of the protocol of reservations, for a checker that visits all of its states.
//!
//! The processes are [`sortid_fleet::__private::Process`] itself. The model is everything around them: the store, the
//! messages, the clocks, crashes and an administrator.
//!
//! - **Clocks** are arbitrary. Each proposal is made with any time of the process's clock and any time of the store's, or
//!   none. So clocks jump in both directions at each step, and a pause of any length is a step of other processes.
//! - **The creation.** Operators create the fleet at any time, with any of [`Bounds::sizes`], or die before. No process
//!   takes a node ID before.
//! - **IDs.** A tick is used as soon as the process is permitted to make an ID in it, whatever its clock says. So a state
//!   stands for all the ways to make IDs in it. A clean release chooses the last tick that was used.
//! - **Messages** arrive at any time, in any order, as often as they like, or never. So do answers. Of each process, only
//!   the last few messages are on the way.
//! - **Crashes** take the memory. The process starts again with the same name and another instance. All processes have
//!   the same name.
//!
//! A time is a multiple of [`TICK`]. [`Bounds`] make the number of states finite.

#![forbid(unsafe_code)]

mod fair;
mod steps;
mod ticks;

pub use ticks::Fault;

use sortid_fleet::{
    __private::{ALLOWANCE, Now, Process, Swap, Wish},
    Millis, Record,
};
use stateright::Property;
use std::{
    cell::RefCell,
    collections::{BTreeMap, HashMap},
    rc::Rc,
    sync::Arc,
};
use ticks::Ticks;

/// The unit of time of the model. The allowance is one tick.
pub const TICK: Millis = ALLOWANCE;

/// How large a fleet is, and how much happens to it.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// How many processes there are.
    pub processes: usize,
    /// How many node IDs there are, at most.
    pub node_ids: u32,
    /// The sizes with which operators create the fleet, each at most [`node_ids`](Self::node_ids).
    pub sizes: &'static [u32],
    /// How long a window is, in ticks.
    pub window: Millis,
    /// The end of time, in ticks: no reservation goes beyond it.
    pub ticks: Millis,
    /// The greatest generation of a node ID.
    pub generations: u64,
    /// How many messages of a process can be on the way.
    pub messages: usize,
    /// How many messages can be on the way whose process crashed or gave up.
    pub late: usize,
    /// Whether each state is continued to a fair end, to find whether each process that can have a node ID gets one.
    pub ends: bool,
    /// Whether processes crash.
    pub crashes: bool,
    /// Whether an administrator frees node IDs.
    pub frees: bool,
    /// Whether what a process reads can be late. Otherwise it learns the records of the moment.
    pub late_reads: bool,
    /// Whether the model forgets what cannot have an effect any more: messages that expect a past record, answers that
    /// tell nothing new, and the memory of a process whose reservation is past. This is sound because a record never
    /// returns to what it was, which is a property of the model. Without it, there are many more states.
    pub forgets: bool,
    /// Whether the store can go back to a backup once. An administrator repairs it then.
    pub restores: bool,
}

/// A fault that is put into the protocol, its environment, or the way that they are used. The model has to find it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mutation {
    /// A process creates a fleet that it does not find, with a size of its own.
    JoinsNoFleet,
    /// An operator creates a fleet that is there.
    BeginsAgain,
    /// A holder uses a later bound before the store has acknowledged it.
    UsesBeforeAcknowledged,
    /// A process that takes a node ID begins at its clock's time instead of the record's bound.
    BeginsAtClock,
    /// A clean release lowers the bound to the last tick that was used instead of the one after it.
    ReleasesLastTick,
    /// A process releases its node ID and goes on to make IDs.
    GeneratesAfterRelease,
    /// A process that takes a node ID keeps the generation.
    KeepsGeneration,
    /// The store does not compare the bound of a record.
    StoreIgnoresUntil,
    /// The store does not compare anything.
    StoreIgnoresAll,
    /// The store answers that it swapped when it did not.
    StoreAffirms,
    /// A process takes a record of its name for its own, whatever the instance is.
    BelievesName,
    /// Two processes have the same instance.
    SharesInstance,
    /// A process uses what it read before, after it has done other things.
    ReadsOutOfOrder,
    /// An administrator who frees a node ID lowers its bound.
    FreesBound,
    /// The store returns to a backup, and nobody repairs it.
    NeverRepairs,
    /// Processes take node IDs of a restored store before it is repaired.
    RepairsLate,
    /// The repaired bound is a tick below the greatest that was reserved.
    RepairsTooLow,
    /// A repair leaves out the node IDs whose record the store has lost.
    RepairsKnownOnly,
    /// A repaired record has the next generation, which a holder may have had after the backup.
    RepairsNextGeneration,
}

/// The model: bounds, and perhaps a fault.
#[derive(Clone, Copy, Debug)]
pub struct Fleet {
    /// How large it is.
    pub bounds: Bounds,
    /// What is wrong with it.
    pub mutation: Option<Mutation>,
}

/// A state of the whole fleet.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    records: Arc<Vec<Option<Record>>>,
    /// In the order of their instances.
    members: Vec<Arc<Member>>,
    /// Messages of processes that crashed.
    orphans: Vec<Message>,
    ticks: Vec<Ticks>,
    /// How many node IDs were asked for. The others are alike.
    asked: u32,
    /// The sizes of operators that have not created the fleet yet.
    sizes: Vec<u32>,
    backup: Backup,
    /// The greatest bound that was ever proposed, if the store can go back.
    highest: Millis,
    fault: Option<Fault>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Backup {
    None,
    Made(Arc<Vec<Option<Record>>>),
    Restored,
    Repaired,
}

/// A process, and what is on the way between it and the store.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Member {
    process: Process,
    /// The least that nothing else in the state has; [`NEW`] before it asks for a node ID.
    instance: u8,
    messages: Vec<Message>,
    /// What it has read, and not looked at.
    read: Option<Arc<Vec<Option<Record>>>>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Message {
    /// What the process proposed.
    swap: Swap,
    /// What the store gets. It differs only with a mutation.
    sent: Swap,
    is_swapped: bool,
}

/// The instance of a process that has not asked for a node ID since it started. All of them are alike, so the first of
/// them is the next to ask.
const NEW: u8 = u8::MAX;

/// A step of the model.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the fields are those that the names say")]
pub enum Action {
    /// An operator, who found no fleet, creates one.
    Begin { size: u32 },
    /// A process proposes to take a node ID.
    Take { process: usize, now: Now, wish: Wish },
    /// A process proposes to raise its bound.
    Raise { process: usize, now: Now },
    /// A process proposes to release its node ID. It has used ticks up to the last one.
    Release { process: usize, last: Option<Millis> },
    /// A process proposes its release again.
    ReleaseAgain { process: usize },
    /// A message arrives at the store, of a process or of one that crashed.
    Arrive { process: Option<usize>, message: usize },
    /// The answer to a message arrives.
    Answer { process: usize, message: usize },
    /// The store answers a read. The answer is on the way.
    Read { process: usize },
    /// A process looks at the record of a node ID.
    See { process: usize, node_id: u32 },
    /// A process dies, and starts again.
    Crash { process: usize },
    /// An administrator frees a node ID.
    Free { node_id: u32 },
    /// A backup of the store is made.
    BackUp,
    /// The store returns to its backup.
    Restore,
    /// An administrator repairs all records.
    Repair,
}

type Records = BTreeMap<u32, Record>;

fn by_node_id(records: &[Option<Record>]) -> Records {
    (0..).zip(records).filter_map(|(node_id, record)| Some((node_id, record.clone()?))).collect()
}

/// What was computed of the proposals to take a node ID.
type Takes = HashMap<(Process, Records), Rc<Vec<(Now, Wish)>>>;

thread_local! {
    static TAKES: RefCell<Takes> = RefCell::default();
    static RAISES: RefCell<HashMap<Process, Rc<Vec<Now>>>> = RefCell::default();
}

impl stateright::Model for Fleet {
    type State = State;
    type Action = Action;

    fn init_states(&self) -> Vec<State> {
        // The checker has threads of its own for each model, but tests may run several models in one.
        TAKES.with_borrow_mut(HashMap::clear);
        RAISES.with_borrow_mut(HashMap::clear);
        let Bounds { processes, node_ids, .. } = self.bounds;
        vec![State {
            records: Arc::new(vec![None; node_ids as usize]),
            members: (0..processes).map(|_| Arc::new(self.member(NEW))).collect(),
            orphans: Vec::new(),
            ticks: vec![Ticks::default(); node_ids as usize],
            asked: 0,
            sizes: self.bounds.sizes.to_vec(),
            backup: Backup::None,
            highest: 0,
            fault: None,
        }]
    }

    fn actions(&self, state: &State, actions: &mut Vec<Action>) {
        if state.fault.is_some() {
            return;
        }
        let Bounds { node_ids, late_reads, .. } = self.bounds;
        actions.extend(state.sizes.iter().map(|&size| Action::Begin { size }));
        actions.extend((0..state.orphans.len()).map(|message| Action::Arrive { process: None, message }));
        let mut new = None;
        for (process, member) in state.members.iter().enumerate() {
            for (message, it) in member.messages.iter().enumerate() {
                actions.push(Action::Arrive { process: Some(process), message });
                if it.is_swapped {
                    actions.push(Action::Answer { process, message });
                }
            }
            let is_new = member.instance == NEW && member.read.is_none();
            if is_new && new.replace(process).is_some() {
                continue;
            }
            let machine = &member.process;
            let may_take = machine.node_id().is_none() || machine.is_lost();
            let looks = member.read.is_some() || !late_reads;
            if looks && may_take {
                let records = by_node_id(member.read.as_ref().unwrap_or(&state.records));
                let takes = TAKES.with_borrow_mut(|memo| {
                    let key = (machine.clone(), records);
                    if let Some(takes) = memo.get(&key) {
                        return Rc::clone(takes);
                    }
                    let takes = Rc::new(self.takes(&key.0, &key.1));
                    memo.insert(key, Rc::clone(&takes));
                    takes
                });
                for (now, wish) in &*takes {
                    // The node IDs that nobody has asked for are alike.
                    if wish.node_id.is_none_or(|node_id| node_id <= state.asked) {
                        actions.push(Action::Take { process, now: *now, wish: wish.clone() });
                    }
                }
            }
            if late_reads {
                actions.push(Action::Read { process });
            }
            if member.instance == NEW {
                continue;
            }
            if looks {
                actions.extend((0..node_ids).map(|node_id| Action::See { process, node_id }));
            }
            // A process that waits for the answer to a read does nothing else.
            if member.read.is_none() || self.has(Mutation::ReadsOutOfOrder) {
                if machine.is_holding() {
                    let raises = RAISES.with_borrow_mut(|memo| {
                        Rc::clone(
                            memo.entry(machine.clone()).or_insert_with_key(|it| Rc::new(self.raises(it))),
                        )
                    });
                    actions.extend(raises.iter().map(|&now| Action::Raise { process, now }));
                    let ticks = machine.window().step_by(TICK as usize).map(Some);
                    actions.extend(ticks.chain([None]).map(|last| Action::Release { process, last }));
                } else if machine.node_id().is_some() && !machine.is_lost() {
                    actions.push(Action::ReleaseAgain { process });
                }
            }
            if self.bounds.crashes {
                actions.push(Action::Crash { process });
            }
        }
        if self.bounds.frees {
            actions.extend((0..node_ids).map(|node_id| Action::Free { node_id }));
        }
        if self.bounds.restores {
            match state.backup {
                Backup::None => actions.push(Action::BackUp),
                Backup::Made(_) => actions.push(Action::Restore),
                Backup::Restored if self.has(Mutation::RepairsLate) => actions.push(Action::Repair),
                Backup::Restored | Backup::Repaired => {}
            }
        }
    }

    fn next_state(&self, last: &State, action: Action) -> Option<State> {
        let mut state = last.clone();
        self.step(&mut state, &action)?;
        self.forget(&mut state);
        state.tidy();
        state.members.sort_by_key(|member| member.instance);
        // Before a late repair, duplicates are expected. The question is whether there are any after it.
        if state.backup != Backup::Restored || !self.has(Mutation::RepairsLate) {
            state.fault = state.fault.or(state.find_fault());
        }
        (state != *last).then_some(state)
    }

    fn within_boundary(&self, state: &State) -> bool {
        state.records.iter().flatten().all(|record| record.generation % (1 << 32) <= self.bounds.generations)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        let mut properties = vec![
            Property::always("no tick of a node ID is used by two holders", |_, state: &State| {
                state.fault != Some(Fault::Twice)
            }),
            Property::always("the ticks of a node ID ascend with its generations", |_, state: &State| {
                state.fault != Some(Fault::Order)
            }),
            Property::always("no generation of a node ID has two holders", |_, state: &State| {
                state.fault != Some(Fault::Generation)
            }),
            Property::always("all records of a space have one size", |_, state: &State| {
                state.fault != Some(Fault::Size)
            }),
        ];
        if !self.bounds.restores {
            properties.push(Property::always("a record never returns to what it was", |_, state: &State| {
                state.fault != Some(Fault::Returns)
            }));
        }
        if self.bounds.ends {
            properties.push(Property::always(
                "when crashes and losses end, every process that can have a node ID gets one",
                |model: &Self, state: &State| state.fault.is_some() || model.is_live(state),
            ));
        }
        properties
    }
}
