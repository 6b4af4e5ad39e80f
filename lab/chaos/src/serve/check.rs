//! The check of all answers: no ID occurs twice, and the IDs of a server ascend in the order of its answers.

use crate::ids::{Key, key, repeated};
use sortid::Spec;
use std::{collections::BTreeMap, time::Duration};

/// An answer of a server.
#[derive(Clone, Copy)]
pub(super) struct Answer {
    /// The number of the process.
    pub(super) server: u64,
    pub(super) spec: Spec,
    /// When the request was sent.
    pub(super) sent: Duration,
    /// When the answer was read.
    pub(super) read: Duration,
    /// Where its IDs begin.
    pub(super) start: usize,
    pub(super) count: usize,
}

/// The answers that a client read, and their IDs one after the other.
#[derive(Default)]
pub(super) struct Answers {
    answers: Vec<Answer>,
    ids: Vec<u8>,
}

impl Answers {
    pub(super) fn push(&mut self, answer: Answer, ids: &[u8]) {
        self.answers.push(Answer { start: self.ids.len(), ..answer });
        self.ids.extend_from_slice(ids);
    }

    /// Adds an answer again.
    pub(super) fn repeat_one(&mut self) {
        self.answers.extend(self.answers.first().copied());
    }

    fn keys(&self, answer: Answer) -> impl Iterator<Item = Key> {
        let bytes = answer.spec.bytes();
        self.ids[answer.start..][..bytes * answer.count].chunks_exact(bytes).map(|id| key(0, id))
    }
}

#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) ids: u64,
    pub(super) answers: u64,
    /// IDs that are equal to another one.
    pub(super) repeated: u64,
    /// Answers whose IDs are out of order, or between those of another answer of the server.
    pub(super) disordered: u64,
    /// Answers with lesser IDs than an answer that was read before the request was sent.
    pub(super) late: u64,
}

/// Checks the answers of all clients.
pub(super) fn check(clients: &[Answers]) -> Found {
    let mut found = Found::default();
    for &spec in Spec::ALL {
        let answers = || {
            let answers =
                clients.iter().flat_map(|client| client.answers.iter().map(move |answer| (client, *answer)));
            answers.filter(|(_, answer)| answer.spec == spec)
        };
        let mut all: Vec<Key> = answers().flat_map(|(client, answer)| client.keys(answer)).collect();
        found.ids += all.len() as u64;
        found.repeated += repeated(&mut all).0;
        drop(all);

        let mut of_servers: BTreeMap<u64, Vec<(Key, Key, Answer)>> = BTreeMap::new();
        for (client, answer) in answers() {
            let keys: Vec<_> = client.keys(answer).collect();
            found.answers += 1;
            found.disordered += u64::from(!keys.is_sorted_by(|a, b| a < b));
            if let (Some(first), Some(last)) = (keys.first(), keys.last()) {
                of_servers.entry(answer.server).or_default().push((*first, *last, answer));
            }
        }
        for answers in of_servers.values_mut() {
            answers.sort_unstable_by_key(|(first, ..)| *first);
            // No ID of an answer is between those of another one.
            found.disordered += answers.windows(2).filter(|pair| pair[0].1 >= pair[1].0).count() as u64;
            // A request that was sent after an answer was read has greater IDs.
            let mut latest = Duration::ZERO;
            for (.., answer) in answers {
                found.late += u64::from(answer.read < latest);
                latest = latest.max(answer.sent);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The answers to requests: server, when sent and read, and IDs.
    fn found(answers: &[(u64, u64, u64, &[u64])]) -> [u64; 4] {
        let mut all = Answers::default();
        for &(server, sent, read, ids) in answers {
            let bytes: Vec<_> = ids.iter().flat_map(|id| id.to_be_bytes()).collect();
            let [sent, read] = [sent, read].map(Duration::from_millis);
            all.push(
                Answer { server, spec: Spec::UlidFlake, sent, read, start: 0, count: ids.len() },
                &bytes,
            );
        }
        let found = check(&[all]);
        [found.ids, found.repeated, found.disordered, found.late]
    }

    #[test]
    fn answers_in_order_pass() {
        assert_eq!(
            found(&[(1, 0, 5, &[5, 6]), (1, 0, 4, &[1, 2]), (1, 6, 7, &[7]), (2, 0, 1, &[3, 4])]),
            [7, 0, 0, 0]
        );
    }

    #[test]
    fn an_id_that_occurs_twice_is_found() {
        assert_eq!(found(&[(1, 0, 1, &[1, 2]), (2, 0, 1, &[2, 3])]), [4, 1, 0, 0]);
        assert_eq!(found(&[(1, 0, 1, &[1, 1])]), [2, 1, 1, 0]);
    }

    #[test]
    fn ids_out_of_order_are_found() {
        assert_eq!(found(&[(1, 0, 1, &[2, 1])]), [2, 0, 1, 0]);
        assert_eq!(found(&[(1, 0, 1, &[1, 4]), (1, 0, 1, &[2, 3])]), [4, 0, 1, 0]);
        assert_eq!(found(&[(1, 0, 1, &[5]), (1, 2, 3, &[4])]), [2, 0, 0, 1]);
    }
}
