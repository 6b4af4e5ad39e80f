//! The image of a container, built and run without a daemon: nothing is in it but the programs.

use crate::shell::{self, Result, stdout_of};
use sortid_servers::servers::{Folder, Server, free_port};
use std::{path::Path, process::Command};

/// Builds the image in the folder of an unpacked archive.
pub(super) fn rehearse(archive: &Path) -> Result {
    let storage = Folder::new("container")?;
    let buildah = |args: &[&str]| {
        let mut buildah = Command::new("buildah");
        buildah.arg("--root").arg(storage.join("images")).arg("--runroot").arg(storage.join("running"));
        buildah.args(["--storage-driver", "vfs"]).args(args).current_dir(archive);
        buildah
    };
    let isolated = ["--isolation", "chroot"];
    let build = ["build", "--quiet", "--tag", "sortid", "--file", "deploy/Containerfile"];
    shell::run(buildah(&build).args(isolated).arg("."))?;
    let container = stdout_of(&mut buildah(&["from", "sortid"]))?;
    let container = container.trim();
    let folder = stdout_of(&mut buildah(&["mount", container]))?;
    let files = stdout_of(Command::new("find").args([folder.trim(), "-type", "f", "-printf", "%P\n"]))?;
    let mut files: Vec<_> = files.lines().collect();
    files.sort_unstable();
    if files != ["usr/local/bin/sortid", "usr/local/bin/sortid-server"] {
        return Err(format!("expected that the image has the two programs, found {files:?}").into());
    }
    let run = |program: &[&str]| {
        let mut run = buildah(&["run"]);
        run.args(isolated).args([container, "--"]).args(program);
        run
    };
    shell::run(&mut run(&["/usr/local/bin/sortid", "new", "--all"]))?;
    let port = free_port()?;
    let address = format!("127.0.0.1:{port}");
    let server = run(&["/usr/local/bin/sortid-server", "--listen", &address]);
    let server = Server::http(server, &storage, port, "readyz")?;
    shell::run(Command::new("curl").args(["--silent", "--fail", &format!("{}v1/euid?n=3", server.url)]))?;
    drop(server);
    shell::run(&mut buildah(&["rm", container]))?;
    shell::run(&mut buildah(&["rmi", "sortid"]))
}
