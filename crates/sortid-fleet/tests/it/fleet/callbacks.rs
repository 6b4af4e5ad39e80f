//! What the user's functions may do in the thread that renews: everything.

use super::fleet;
use crate::common::{SECOND, wait_until};
use sortid_core::{Clock, SystemClock};
use sortid_fleet::{
    Fleet, GenerateErrorKind, Generator, Node, NodeState, Record, Snapshot, Store, StoreError,
    StoreErrorKind, Swapped, init, release, testing::MemoryStore,
};
use std::{
    future::Future as _,
    panic::panic_any,
    pin::pin,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering::SeqCst},
        mpsc,
    },
    task::{Context, Poll, Waker},
    thread,
    time::{Duration, Instant},
};

type Ids = Generator<scru160::Options>;

/// What a function can get at.
#[derive(Default)]
struct Reached {
    node: Mutex<Option<Node>>,
    ids: Mutex<Option<Ids>>,
}

impl Reached {
    fn fill(&self, node: Node) {
        *self.ids.lock().unwrap() = Some(node.generator(scru160::Options::new()).unwrap());
        *self.node.lock().unwrap() = Some(node);
    }

    fn node(&self) -> Node {
        self.node.lock().unwrap().take().unwrap()
    }

    /// Drops the node and its generator, which asks for the release.
    fn drop_all(&self) {
        drop(self.ids.lock().unwrap().take());
        drop(self.node());
    }

    fn refusal(&self) -> GenerateErrorKind {
        let error = self.ids.lock().unwrap().as_ref().unwrap().generate().unwrap_err();
        error.kind()
    }

    fn state(&self) -> NodeState {
        self.node.lock().unwrap().as_ref().unwrap().status().state
    }
}

/// A drop of a node waits for its thread for 5 s at most.
fn assert_does_not_wait(call: impl FnOnce()) {
    let start = Instant::now();
    call();
    assert!(start.elapsed() < 4 * SECOND, "it waited for its own thread: {:?}", start.elapsed());
}

#[test]
fn on_lost_may_do_all_that_other_code_may() {
    /// The drop of what it panics with panics, too.
    struct Twice;

    impl Drop for Twice {
        fn drop(&mut self) {
            assert!(thread::panicking(), "a drop of a test that panics");
        }
    }

    type Call = fn(&Arc<Reached>, &Fleet);
    let calls: [(&str, Call); 9] = [
        ("drop", |it, _| assert_does_not_wait(|| it.drop_all())),
        ("release", |it, _| assert_eq!(it.node().release().unwrap_err().kind(), StoreErrorKind::Lost)),
        ("release in asynchronous code", |it, _| {
            let mut release = pin!(it.node().release_async());
            let Poll::Ready(released) = release.as_mut().poll(&mut Context::from_waker(Waker::noop())) else {
                panic!("it waits");
            };
            assert_eq!(released.unwrap_err().kind(), StoreErrorKind::Lost);
        }),
        ("drop in another thread", |it, _| {
            let it = Arc::clone(it);
            assert_does_not_wait(|| thread::spawn(move || it.drop_all()).join().unwrap());
        }),
        ("status", |it, _| assert_eq!(it.state(), NodeState::Lost)),
        ("generate", |it, _| assert_eq!(it.refusal(), GenerateErrorKind::ReservationEnded)),
        ("join", |it, fleet| {
            it.drop_all();
            it.fill(fleet.join().unwrap());
            it.ids.lock().unwrap().as_ref().unwrap().generate().unwrap();
            it.node().release().unwrap();
        }),
        ("panic", |_, _| panic!("a function of a test that panics")),
        ("panic twice", |_, _| panic_any(Twice)),
    ];
    for (name, call) in calls {
        let store = Arc::new(MemoryStore::new());
        let other = fleet(&store, 1).wait(20 * SECOND);
        let (reached, (send, receive)) = (Arc::new(Reached::default()), mpsc::channel());
        let its = Arc::clone(&reached);
        let fleet = other.clone().on_lost(move |_| {
            // Sent when the function ends, however it does.
            let _ended = Send(send.clone());
            let _filled = its.ids.lock().unwrap().is_some();
            call(&its, &other);
            let _ = send.send(true);
        });
        reached.fill(fleet.join().unwrap());
        release(&*store, "default", 0).unwrap();
        let is_done = receive.recv_timeout(Duration::from_secs(60)).unwrap();
        assert_eq!(is_done, !name.starts_with("panic"), "{name}");
        drop(fleet);
        if reached.node.lock().unwrap().is_some() {
            assert_eq!(reached.node().release().unwrap_err().kind(), StoreErrorKind::Lost, "{name}");
        }
    }
}

/// Says that a function has ended, if it has not said that it is done.
struct Send(mpsc::Sender<bool>);

impl Drop for Send {
    fn drop(&mut self) {
        let _ = self.0.send(false);
    }
}

/// The function waits for a lock, and the thread that has the lock waits for the release.
#[test]
fn a_release_does_not_wait_for_on_lost() {
    let store = Arc::new(MemoryStore::new());
    let lock = Arc::new(Mutex::new(()));
    let (its, told) = (Arc::clone(&lock), Arc::new(AtomicBool::new(false)));
    let tell = Arc::clone(&told);
    // It does not renew before the release.
    let fleet = fleet(&store, 1).window(Duration::from_secs(600)).unwrap().on_lost(move |_| {
        drop(its.lock().unwrap());
        tell.store(true, SeqCst);
    });
    let node = fleet.join().unwrap();
    release(&*store, "default", 0).unwrap();
    let guard = lock.lock().unwrap();
    assert_eq!(node.release().unwrap_err().kind(), StoreErrorKind::Lost);
    drop(guard);
    wait_until(|| told.load(SeqCst));
}

/// A store whose methods call a function in the thread that renews.
struct Calls(Arc<MemoryStore>, Box<dyn Fn() + std::marker::Send + Sync>);

impl Store for Calls {
    fn read(&self, space: &str) -> Result<Snapshot, StoreError> {
        self.0.read(space)
    }

    fn swap(
        &self,
        space: &str,
        node_id: u32,
        expected: Option<&Record>,
        next: &Record,
    ) -> Result<Swapped, StoreError> {
        (self.1)();
        self.0.swap(space, node_id, expected, next)
    }
}

/// The system's clock. Nobody may wait with it in the thread that renews.
struct NoWaits;

impl Clock for NoWaits {
    fn unix_micros(&self) -> Option<u64> {
        SystemClock.unix_micros()
    }

    fn wait(&self, until: u64) -> bool {
        assert_ne!(thread::current().name(), Some("sortid-fleet"), "the thread waits for itself");
        SystemClock.wait(until)
    }
}

#[test]
fn a_store_may_use_the_node_that_it_keeps() {
    type Call = fn(&Reached);
    let calls: [(&str, Call); 5] = [
        ("drop", |it| assert_does_not_wait(|| it.drop_all())),
        ("release", |it| {
            let error = it.node().release().unwrap_err();
            assert!(error.to_string().contains("and does so later"), "{error}");
        }),
        ("release in asynchronous code", |it| {
            let mut release = pin!(it.node().release_async());
            assert!(release.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_ready());
        }),
        ("status", |it| assert_eq!(it.state(), NodeState::Holding)),
        ("generate", |it| {
            // Until the reservation has ended, there are IDs.
            while it.ids.lock().unwrap().as_ref().unwrap().generate().is_ok() {
                thread::sleep(Duration::from_millis(10));
            }
            assert_eq!(it.refusal(), GenerateErrorKind::ReservationLate);
        }),
    ];
    for (name, call) in calls {
        let memory = Arc::new(MemoryStore::new());
        init(&*memory, "default", 1).unwrap();
        let reached = Arc::new(Reached::default());
        let ((send, receive), its) = (mpsc::channel(), Arc::clone(&reached));
        let is_called = AtomicBool::new(false);
        let store = Calls(
            Arc::clone(&memory),
            Box::new(move || {
                // Once, when the process has the node ID.
                let has_node = its.ids.lock().unwrap().is_some();
                if has_node && !is_called.swap(true, SeqCst) {
                    call(&its);
                    let _ = send.send(());
                }
            }),
        );
        let fleet = Fleet::new(store).window(SECOND).unwrap().clock(NoWaits);
        reached.fill(fleet.join().unwrap());
        receive.recv_timeout(Duration::from_secs(60)).expect(name);
        if reached.node.lock().unwrap().is_none() {
            drop(reached.ids.lock().unwrap().take());
            // The thread carries out the release.
            wait_until(|| memory.read("default").unwrap().records[&0].holder.is_none());
        }
    }
}

/// A clock that can be told to panic in the thread that renews.
struct Panics(Arc<AtomicBool>);

impl Clock for Panics {
    fn unix_micros(&self) -> Option<u64> {
        let is_fleet = thread::current().name() == Some("sortid-fleet");
        assert!(!is_fleet || !self.0.load(SeqCst), "a clock of a test that panics");
        SystemClock.unix_micros()
    }
}

#[test]
fn a_node_whose_thread_panics_is_lost_and_everybody_learns_it() {
    for releases in [false, true] {
        let memory = Arc::new(MemoryStore::new());
        let (panics, told) = (Arc::new(AtomicBool::new(false)), Arc::new(Mutex::new(Vec::new())));
        let tell = Arc::clone(&told);
        let fleet = fleet(&memory, 1).clock(Panics(Arc::clone(&panics))).on_lost(move |error| {
            tell.lock().unwrap().push(error.to_string());
        });
        let node = fleet.window(Duration::from_secs(600)).unwrap().join().unwrap();
        let ids = node.generator(scru160::Options::new()).unwrap();
        ids.generate().unwrap();
        panics.store(true, SeqCst);
        if !releases {
            wait_until(|| node.status().state == NodeState::Lost);
            assert!(node.status().last_error.unwrap().contains("the thread that renews it panicked"));
            assert!(node.generator(ulid_flake::Options::new()).is_err());
        }
        let error = node.release().unwrap_err();
        assert_eq!(error.kind(), StoreErrorKind::Lost, "{error}");
        assert_eq!(ids.status().state, NodeState::Lost);
        let refusal = ids.generate().unwrap_err();
        assert!(refusal.kind() == GenerateErrorKind::ReservationEnded, "{refusal}");
        wait_until(|| *told.lock().unwrap() == [error.to_string()]);
    }
}
