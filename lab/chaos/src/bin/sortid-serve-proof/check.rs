//! The check of all answers: no ID occurs twice, and the IDs of a server ascend in the order of its answers.

use serde_json::{Value, json};
use sortid::Spec;
use std::{collections::BTreeMap, time::Duration};

/// The bytes of the longest ID. Shorter ones have zeros at the end.
type Key = [u8; 20];

/// An answer of a server.
#[derive(Clone, Copy)]
pub(crate) struct Answer {
    /// The number of the process.
    pub(crate) server: u64,
    pub(crate) spec: Spec,
    /// When the request was sent.
    pub(crate) sent: Duration,
    /// When the answer was read.
    pub(crate) read: Duration,
    /// Where its IDs begin.
    pub(crate) start: usize,
    pub(crate) count: usize,
}

/// The answers that a client read, and their IDs one after the other.
#[derive(Default)]
pub(crate) struct Answers {
    answers: Vec<Answer>,
    ids: Vec<u8>,
}

impl Answers {
    pub(crate) fn push(&mut self, answer: Answer, ids: &[u8]) {
        self.answers.push(Answer { start: self.ids.len(), ..answer });
        self.ids.extend_from_slice(ids);
    }

    /// Adds an answer again.
    pub(crate) fn repeat_one(&mut self) {
        self.answers.extend(self.answers.first().copied());
    }

    fn keys(&self, answer: Answer) -> impl Iterator<Item = Key> {
        let bytes = answer.spec.bytes();
        self.ids[answer.start..][..bytes * answer.count].chunks_exact(bytes).map(|id| {
            let mut key = Key::default();
            key[..id.len()].copy_from_slice(id);
            key
        })
    }
}

/// Checks the answers of all clients.
pub(crate) fn check(clients: &[Answers]) -> Value {
    let (mut ids, mut repeated, mut disordered, mut late) = (0, 0, 0, 0);
    for &spec in Spec::ALL {
        let answers = || {
            let answers =
                clients.iter().flat_map(|client| client.answers.iter().map(move |answer| (client, *answer)));
            answers.filter(|(_, answer)| answer.spec == spec)
        };
        let mut all: Vec<Key> = answers().flat_map(|(client, answer)| client.keys(answer)).collect();
        all.sort_unstable();
        ids += all.len();
        repeated += all.windows(2).filter(|pair| pair[0] == pair[1]).count();
        drop(all);

        let mut of_servers: BTreeMap<u64, Vec<(Key, Key, Answer)>> = BTreeMap::new();
        for (client, answer) in answers() {
            let keys: Vec<_> = client.keys(answer).collect();
            disordered += usize::from(!keys.is_sorted_by(|a, b| a < b));
            if let (Some(first), Some(last)) = (keys.first(), keys.last()) {
                of_servers.entry(answer.server).or_default().push((*first, *last, answer));
            }
        }
        for answers in of_servers.values_mut() {
            answers.sort_unstable_by_key(|(first, ..)| *first);
            // No ID of an answer is between those of another one.
            disordered += answers.windows(2).filter(|pair| pair[0].1 >= pair[1].0).count();
            // A request that was sent after an answer was read has greater IDs.
            let mut latest = Duration::ZERO;
            for (.., answer) in answers {
                late += usize::from(answer.read < latest);
                latest = latest.max(answer.sent);
            }
        }
    }
    let answers: usize = clients.iter().map(|client| client.answers.len()).sum();
    json!({ "ids": ids, "answers": answers, "repeated": repeated, "disordered": disordered, "late": late })
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
        ["ids", "repeated", "disordered", "late"].map(|name| found[name].as_u64().unwrap())
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
