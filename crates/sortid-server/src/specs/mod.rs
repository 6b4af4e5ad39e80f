//! What makes the IDs of the specifications. One that has parameters or needs a node ID has a file.

mod alone;
mod euid;
mod evently_id;
mod ron_uid;
mod scru160;
mod ulid_flake;

use crate::{
    problem::Problem,
    query::{Parameter, Query},
    series::{AnySeries, Series},
};
use sortid::{Spec, ron_uid::Base64x64};
use sortid_fleet::{Generator, Node, NodeOptions};
use sortid_inspect::{__private::Describe, Options as DescribeOptions};
use std::{future::Future, pin::Pin, sync::Arc};

/// The parameters that the requests of a specification have besides those of all.
pub(crate) struct Parameters {
    /// Of requests for IDs.
    pub(crate) make: &'static [&'static Parameter],
    /// Of requests that inspect an ID.
    pub(crate) inspect: &'static [&'static Parameter],
    /// Of requests for the bounds of a time span.
    pub(crate) range: &'static [&'static Parameter],
}

/// What the command line says about all IDs of the server.
#[derive(Clone, Copy)]
pub(crate) struct Settings {
    pub(crate) origin: Base64x64,
}

/// Why a maker does not make IDs with the node ID.
pub(crate) enum NotJoined {
    /// The IDs have no room for the node IDs of the space.
    Never(String),
    /// The clock is behind the last IDs.
    Yet(String),
}

pub(crate) type Joining<'a> = Pin<Box<dyn Future<Output = Result<(), NotJoined>> + Send + 'a>>;

/// What makes the IDs of a specification.
pub(crate) trait Maker: Send + Sync {
    /// The series that a request asks for, and how its IDs are written.
    fn series(&self, query: &Query) -> Result<(Arc<dyn AnySeries>, DescribeOptions), Problem>;

    /// The series whose clock and last IDs decide whether the server is ready.
    fn watched(&self) -> Vec<Arc<dyn AnySeries>>;

    /// Whether the IDs need a node ID of a fleet.
    fn needs_node(&self) -> bool {
        false
    }

    /// Begins to make IDs with the node ID.
    fn join<'a>(&'a self, _: &'a Node) -> Joining<'a> {
        Box::pin(async { Ok(()) })
    }

    /// Makes no more IDs with the node ID, for this reason.
    fn leave(&self, _: &str) {}
}

/// Continues a series with the generator of a node.
async fn join<O: NodeOptions<Id: Describe + Send> + 'static>(
    series: &Series<Generator<O>>,
    node: &Node,
    options: O,
) -> Result<(), NotJoined> {
    let ids = node.generator(options).map_err(|error| NotJoined::Never(error.to_string()))?;
    series.continue_with(ids).await.map_err(|error| NotJoined::Yet(error.to_string()))
}

/// The parameters of a specification.
pub(crate) fn parameters(spec: Spec) -> &'static Parameters {
    match spec {
        Spec::Scru160 => &scru160::PARAMETERS,
        Spec::Euid => &euid::PARAMETERS,
        Spec::RonUid => &ron_uid::PARAMETERS,
        Spec::UlidFlake => &ulid_flake::PARAMETERS,
        _ => &alone::PARAMETERS,
    }
}

/// What makes the IDs of a specification.
pub(crate) fn maker(spec: Spec, settings: Settings) -> Arc<dyn Maker> {
    match spec {
        Spec::Scru160 => Arc::new(scru160::maker()),
        Spec::Euid => Arc::new(euid::maker()),
        Spec::EventlyId => Arc::new(evently_id::EventIds),
        Spec::RonUid => Arc::new(ron_uid::maker(settings)),
        Spec::UlidFlake => Arc::new(ulid_flake::maker()),
        _ => Arc::new(alone::maker(spec)),
    }
}
