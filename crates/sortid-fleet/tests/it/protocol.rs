//! The protocol, step by step. The model of the fleet checks what follows from it.

use sortid_fleet::{
    __private::{ALLOWANCE, MAX_SIZE, Now, Process, Refusal, Swap, Terms, UNDECIDED, Wish},
    Holder, Millis, Record,
};
use std::collections::{BTreeMap, BTreeSet};

const SIZE: u32 = 4;
const TERMS: Terms = Terms { window: 15_000 };
const TIME: Millis = 1_000_000;
const NOW: Now = Now { clock: TIME, store: None };

fn holder(instance: &str) -> Holder {
    Holder::new("pod-0", instance)
}

fn process() -> Process {
    Process::new(TERMS, holder("1"))
}

fn wish(start: u32) -> Wish {
    Wish { node_id: None, start, prefers_its_own: true, namesakes: BTreeSet::new() }
}

fn released(until: Millis) -> Record {
    Record::new(SIZE, 1, None, until)
}

fn held(until: Millis) -> Record {
    released(until).changed(|it| it.holder = Some(holder("0")))
}

/// The node ID that a process asks for.
fn asks<const N: usize>(records: [(u32, Record); N], now: Now, start: u32) -> Result<u32, Refusal> {
    let mut all = BTreeMap::from([(0, Record::beginning(SIZE))]);
    all.extend(records);
    process().take(&all, now, &wish(start)).map(|swap| swap.node_id)
}

/// A process that has a node ID, and the swap that gave it.
fn holding() -> (Process, Swap) {
    let mut process = process();
    let swap = process.take(&BTreeMap::from([(0, Record::beginning(SIZE))]), NOW, &wish(2)).unwrap();
    process.answered(&swap, true);
    (process, swap)
}

#[test]
fn no_process_takes_a_node_id_where_the_records_do_not_tell_the_size() {
    let take = |records: &[(u32, Record)]| process().take(&records.iter().cloned().collect(), NOW, &wish(0));
    let of_size = |size| released(0).changed(|it| it.size = size);
    assert_eq!(take(&[]), Err(Refusal::NoFleet));
    let cases: [&[u32]; 5] = [&[UNDECIDED], &[MAX_SIZE + 1], &[4, 5], &[UNDECIDED, 4], &[4, 4, u32::MAX]];
    for sizes in cases {
        let records: Vec<_> = (0..).zip(sizes.iter().map(|&size| of_size(size))).collect();
        assert_eq!(take(&records), Err(Refusal::Sizes(sizes.iter().copied().collect())));
    }
    for size in [1, 4, MAX_SIZE] {
        assert_eq!(take(&[(0, Record::beginning(size))]).unwrap().next.size, size);
    }
}

#[test]
fn the_search_begins_where_the_process_wants() {
    for (start, node_id) in [(0, 0), (3, 3), (6, 2), (u32::MAX, 3)] {
        assert_eq!(asks([], NOW, start), Ok(node_id));
    }
    assert_eq!(asks([(2, released(TIME + 2)), (3, released(TIME + 1))], NOW, 2), Ok(0), "the shortest wait");
}

#[test]
fn a_process_prefers_the_node_id_that_it_had_and_waits_for_it() {
    assert_eq!(asks([(1, held(TIME))], NOW, 0), Ok(1));
    let until = TIME + 1;
    assert_eq!(asks([(1, held(until))], NOW, 0), Err(Refusal::Restart { node_id: 1, until }));
    let until = TIME + ALLOWANCE;
    assert_eq!(asks([(1, held(until))], NOW, 0), Err(Refusal::Restart { node_id: 1, until }));
    assert_eq!(asks([(SIZE, held(TIME))], NOW, 0), Ok(0), "a node ID outside the space");
}

#[test]
fn the_first_id_of_a_node_id_is_less_than_the_allowance_ahead() {
    let records = |until| [0, 1, 2, 3].map(|node_id| (node_id, released(until)));
    assert_eq!(asks(records(TIME + ALLOWANCE), NOW, 0), Err(Refusal::Taken));
    assert_eq!(asks(records(TIME + ALLOWANCE - 1), NOW, 0), Ok(0));
}

#[test]
fn a_clock_that_is_ahead_by_a_window_and_the_allowance_is_refused() {
    let by = TERMS.window + ALLOWANCE;
    let now = |by| Now { clock: TIME, store: Some(TIME - by) };
    assert_eq!(asks([], now(by), 0), Err(Refusal::ClockAhead { by }));
    assert_eq!(asks([], now(by - 1), 0), Ok(0));
}

#[test]
fn a_process_has_a_node_id_when_the_store_has_acknowledged_its_own_swap() {
    let mut process = process();
    let swap = process.take(&BTreeMap::from([(0, Record::beginning(SIZE))]), NOW, &wish(2)).unwrap();
    for node_id in [2, 3] {
        let next = swap.next.clone().changed(|it| it.generation = 7);
        process.answered(&Swap { node_id, next, ..swap.clone() }, true);
        process.answered(&swap, false);
        assert_eq!((process.asked(), process.node_id()), (Some(2), None));
    }
    process.answered(&swap, true);
    assert_eq!((process.asked(), process.node_id(), process.generation()), (None, Some(2), Some(1)));
    assert_eq!(process.window(), 0..TIME + TERMS.window);
}

#[test]
fn a_bound_is_raised_only_to_a_later_one() {
    let (process, swap) = holding();
    assert_eq!(process.raise(NOW), None);
    let raise = process.raise(Now { clock: TIME + 1, ..NOW }).unwrap();
    assert_eq!((raise.node_id, raise.expected), (2, Some(swap.next.clone())));
    assert_eq!(raise.next, swap.next.changed(|it| it.until += 1));
}

#[test]
fn a_node_id_is_given_back_when_the_store_has_acknowledged_the_release_of_it() {
    let (mut process, _) = holding();
    let raise = process.raise(Now { clock: TIME + 1, ..NOW }).unwrap();
    let release = process.release(None).unwrap();
    process.answered(&raise, true);
    process.answered(&Swap { node_id: 3, ..release.clone() }, true);
    let next = release.next.clone().changed(|it| it.generation = 7);
    process.answered(&Swap { next, ..release.clone() }, true);
    assert_eq!((process.node_id(), process.window()), (Some(2), 0..0));
    process.answered(&release, true);
    assert_eq!(process.node_id(), None);
}

/// The processes after each of these records is seen at node ID 2, from one that saw none of another node ID.
fn after<const N: usize>(process: &Process, records: [Option<&Record>; N]) -> [Process; N] {
    records.map(|record| {
        let mut process = process.clone();
        process.seen(3, None);
        process.seen(2, record);
        process
    })
}

#[test]
fn the_record_tells_what_a_lost_answer_would_have_told() {
    let others = |own: &Record| {
        [own.clone().changed(|it| it.generation = 7), own.clone().changed(|it| it.holder = Some(holder("2")))]
    };

    let mut asking = process();
    let own = asking.take(&BTreeMap::from([(0, Record::beginning(SIZE))]), NOW, &wish(2)).unwrap().next;
    let [newer, foreign] = others(&own);
    let [yes, no @ ..] = after(&asking, [Some(&own), Some(&newer), Some(&foreign), None]);
    assert!(yes.is_holding() && yes.window() == (0..own.until));
    assert_eq!(no.map(|process| (process.asked(), process.node_id())), [(None, None); 3]);

    let raised = own.clone().changed(|it| it.until += 1);
    let [same, longer, lost @ ..] =
        after(&yes, [Some(&own), Some(&raised), Some(&newer), Some(&foreign), None]);
    assert_eq!([same, longer].map(|process| process.window().end), [own.until, raised.until]);
    assert_eq!(lost.map(|process| (process.is_lost(), process.window().end)), [(true, own.until); 3]);

    let mut releasing = yes;
    releasing.release(None).unwrap();
    let [still, over @ ..] = after(&releasing, [Some(&own), Some(&newer), Some(&foreign), None]);
    assert_eq!(still.node_id(), Some(2));
    assert_eq!(over.map(|process| process.node_id()), [None; 3]);
}

#[test]
fn a_node_id_that_is_freed_or_repaired_has_a_later_generation_and_no_earlier_until() {
    let record = held(TIME);
    assert_eq!(record.freed(), released(TIME).changed(|it| it.generation = 2));
    // The store may have lost thousands of millions of generations.
    for (asked, until) in [(TIME - 1, TIME), (TIME + 1, TIME + 1)] {
        let repaired = Record::repaired(Some(&record), SIZE, asked);
        assert_eq!(repaired, released(until).changed(|it| it.generation = (1 << 32) + 1));
    }
    let repaired = Record::repaired(None, SIZE, TIME);
    assert_eq!(repaired, released(TIME).changed(|it| it.generation = 1 << 32));
}
