//! Registries on loopback, each in a temporary folder: one of crates, one of packages for Python, one of packages for
//! JavaScript.

use crate::{python, shell::Result, workflows};
use sortid_servers::servers::{Folder, Server, free_port};
use std::{fs, path::Path, process::Command};

/// A registry, until it is dropped.
pub(super) struct Registry {
    server: Server,
    _folder: Folder,
}

impl Registry {
    pub(super) fn url(&self) -> &str {
        &self.server.url
    }

    /// cargo-http-registry. Its URL is that of the index.
    pub(super) fn of_crates() -> Result<Self> {
        Self::start("crates", "git/info/refs?service=git-upload-pack", |folder, port| {
            let mut command = Command::new("cargo-http-registry");
            command.arg(folder.join("registry")).args(["--addr", &format!("127.0.0.1:{port}")]);
            Ok(command)
        })
    }

    /// pypiserver.
    pub(super) fn of_python() -> Result<Self> {
        let programs = python::for_releases()?;
        Self::start("python", "simple/", |folder, port| {
            let packages = folder.join("packages");
            fs::create_dir(&packages)?;
            let mut command = Command::new(programs.join("pypi-server"));
            command.args(["run", "--interface=127.0.0.1", "--port", &port.to_string()]);
            // Everyone may upload. What it does not have is nowhere.
            command.args(["--passwords=.", "--authenticate=.", "--disable-fallback"]).arg(packages);
            Ok(command)
        })
    }

    /// Verdaccio.
    pub(super) fn of_javascript() -> Result<Self> {
        let program = workflows::packages()?.join("node_modules/.bin/verdaccio");
        Self::start("javascript", "-/ping", |folder, port| {
            let settings = folder.join("settings.yaml");
            let text = "storage: ./storage\npackages:\n  '**': { access: $all, publish: $anonymous }\n";
            fs::write(&settings, text)?;
            let mut command = Command::new(&program);
            command.arg("--config").arg(settings).args(["--listen", &format!("127.0.0.1:{port}")]);
            Ok(command)
        })
    }

    fn start(name: &str, ready: &str, command: impl FnOnce(&Path, u16) -> Result<Command>) -> Result<Self> {
        let folder = Folder::new(name)?;
        let port = free_port()?;
        let server = Server::http(command(&folder, port)?, &folder, port, ready)?;
        Ok(Self { server, _folder: folder })
    }
}
