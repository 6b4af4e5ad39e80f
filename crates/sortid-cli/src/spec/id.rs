use crate::description::Description;
use sortid::{SortableId, ron_uid::ReplicaScheme, ulid_flake::Epoch};

/// What a description needs to know and the ID does not contain.
#[derive(Clone, Copy, Default)]
pub(crate) struct DescribeOptions {
    pub(crate) no_check: bool,
    pub(crate) replica_scheme: Option<ReplicaScheme>,
    pub(crate) scalable: bool,
    pub(crate) epoch: Epoch,
}

/// What the program needs of an ID besides what the library has.
pub(crate) trait Id: SortableId {
    fn push_text(&self, _: DescribeOptions, out: &mut Vec<u8>) {
        let text = self.encode();
        let bytes: &[u8] = text.as_ref();
        out.extend_from_slice(bytes);
    }

    fn describe(&self, options: DescribeOptions) -> Description;

    /// What `inspect` shows below the fields: a piece of the text, what it is, and its value.
    fn details(&self, _: DescribeOptions) -> Vec<[String; 3]> {
        vec![]
    }
}
