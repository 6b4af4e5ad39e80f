use super::{Certificates, ENCODED_PASSWORD, PASSWORD, Server, User, free_port, quiet, shown};
use crate::{programs::installed, shell::Result};
use std::{
    path::{Path, PathBuf},
    process::Command,
};

/// A member of a cluster.
struct Member {
    name: String,
    folder: PathBuf,
    user: User,
    port: u16,
    peers: u16,
}

impl Member {
    fn new(folder: &Path, name: &str) -> Result<Self> {
        let user = User::of("etcd")?;
        let folder = user.folder(folder.join(name))?;
        Ok(Self { name: name.to_owned(), folder, user, port: free_port()?, peers: free_port()? })
    }

    fn etcdctl(&self, scheme: &str, options: &[String], words: &[&str]) -> Result<Command> {
        let mut command = self.user.command(installed("etcdctl")?);
        command.env("ETCDCTL_API", "3").arg(format!("--endpoints={scheme}://localhost:{}", self.port));
        command.args(options).args(words);
        Ok(command)
    }

    fn health(&self, scheme: &str, options: &[String]) -> Result<Command> {
        self.etcdctl(scheme, options, &["endpoint", "health"])
    }

    /// Starts it as one of these members.
    fn start(&self, scheme: &str, all: &[&Self], with: &[String], url: String) -> Result<Server> {
        let mut command = self.user.command(installed("etcd")?);
        let client = format!("{scheme}://localhost:{}", self.port);
        let listen = format!("{scheme}://127.0.0.1:{}", self.port);
        let peer = |it: &Self| format!("http://127.0.0.1:{}", it.peers);
        let cluster: Vec<_> = all.iter().map(|it| format!("{}={}", it.name, peer(it))).collect();
        command.args(["--name", &self.name, "--data-dir"]).arg(self.folder.join("data"));
        command.args(["--listen-client-urls", &listen, "--advertise-client-urls", &client]);
        command.args(["--listen-peer-urls", &peer(self), "--initial-advertise-peer-urls", &peer(self)]);
        command.args(["--initial-cluster", &cluster.join(",")]).args(with);
        Server::start(command, &self.folder, "-TERM", url)
    }
}

impl Server {
    pub(super) fn etcd(folder: &Path) -> Result<Self> {
        let member = Member::new(folder, "etcd")?;
        let url = format!("etcd://127.0.0.1:{}", member.port);
        member.start("http", &[&member], &[], url)?.wait(member.health("http", &[])?)
    }

    /// A server that demands TLS, a certificate and a password. The user `fleet` may read and write the keys of fleets, the
    /// user `reader` may read them.
    pub(super) fn etcd_tls(folder: &Path, certificates: &Certificates) -> Result<Self> {
        let member = Member::new(folder, "etcd-tls")?;
        let (ca, client) = (shown(&certificates.ca)?, shown(&certificates.client)?);
        // The programs of the server's user read it, too.
        let key = certificates.key_of(member.user, &member.folder)?;
        let options = [
            format!("--cacert={ca}"),
            format!("--cert={}", shown(&certificates.server)?),
            format!("--key={}", shown(&key)?),
        ];
        let with = [
            "--client-cert-auth".to_owned(),
            format!("--trusted-ca-file={ca}"),
            format!("--cert-file={}", shown(&certificates.server)?),
            format!("--key-file={}", shown(&key)?),
        ];
        let url = format!(
            "etcds://fleet:{ENCODED_PASSWORD}@localhost:{}?ca={ca}&cert={client}&key={}",
            member.port,
            shown(&certificates.client_key)?
        );
        let server =
            member.start("https", &[&member], &with, url)?.wait(member.health("https", &options)?)?;
        let user = |name: &str| format!("{name}:{PASSWORD}");
        for words in [
            &["user", "add", &user("root")][..],
            &["role", "add", "root"],
            &["user", "grant-role", "root", "root"],
            &["role", "add", "fleet"],
            &["role", "grant-permission", "fleet", "readwrite", "sortid/", "--prefix"],
            &["user", "add", &user("fleet")],
            &["user", "grant-role", "fleet", "fleet"],
            &["role", "add", "reader"],
            &["role", "grant-permission", "reader", "read", "sortid/", "--prefix"],
            &["user", "add", &user("reader")],
            &["user", "grant-role", "reader", "reader"],
            &["auth", "enable"],
        ] {
            quiet(&mut member.etcdctl("https", &options, words)?)?;
        }
        Ok(server)
    }

    /// Starts a cluster of three servers. The first has the URL of all.
    ///
    /// # Errors
    ///
    /// If the server is not installed, or does not start.
    pub fn etcd_cluster(folder: &Path) -> Result<Vec<Self>> {
        let members = ["etcd-1", "etcd-2", "etcd-3"].map(|name| Member::new(folder, name));
        let members = members.into_iter().collect::<Result<Vec<_>>>()?;
        let hosts: Vec<_> = members.iter().map(|member| format!("127.0.0.1:{}", member.port)).collect();
        let url = format!("etcd://{}", hosts.join(","));
        let all: Vec<_> = members.iter().collect();
        let started = members.iter().map(|member| member.start("http", &all, &[], url.clone()));
        let servers = started.collect::<Result<Vec<_>>>()?;
        members.iter().zip(servers).map(|(member, server)| server.wait(member.health("http", &[])?)).collect()
    }
}
