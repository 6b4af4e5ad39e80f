use super::{User, quiet};
use crate::{programs::installed, shell::Result};
use std::{
    fs,
    os::unix::fs::{PermissionsExt, chown},
    path::{Path, PathBuf},
    process::Command,
};

/// Certificates of a server with the name `localhost`, and of a client. Beside them is `other-ca.pem`, the certificate
/// of an authority that has signed neither.
pub(super) struct Certificates {
    pub(super) ca: PathBuf,
    pub(super) server: PathBuf,
    server_key: PathBuf,
    pub(super) client: PathBuf,
    pub(super) client_key: PathBuf,
}

/// The extensions of the certificates that the authority signs. etcd's gateway is a client of etcd with the certificate of
/// the server.
const SIGNED: [&str; 3] = [
    "basicConstraints=critical,CA:FALSE",
    "extendedKeyUsage=serverAuth,clientAuth",
    "subjectAltName=DNS:localhost",
];

impl Certificates {
    pub(super) fn new(folder: &Path) -> Result<Self> {
        let folder = folder.join("certificates");
        fs::create_dir(&folder)?;
        let file = |name: &str| folder.join(name);
        // Makes NAME.key and NAME.pem.
        let make = |name: &str, subject: &str, is_signed: bool| {
            let mut openssl = Command::new(installed("openssl")?);
            openssl.args(["req", "-x509", "-days", "2", "-subj", subject, "-noenc", "-newkey", "ec"]);
            openssl.args(["-pkeyopt", "ec_paramgen_curve:prime256v1"]);
            if is_signed {
                openssl.arg("-CA").arg(file("ca.pem")).arg("-CAkey").arg(file("ca.key"));
                openssl.args(SIGNED.iter().flat_map(|extension| ["-addext", extension]));
            }
            openssl.arg("-keyout").arg(file(&format!("{name}.key")));
            quiet(openssl.arg("-out").arg(file(&format!("{name}.pem"))))
        };
        make("ca", "/CN=sortid tests", false)?;
        make("other-ca", "/CN=another", false)?;
        make("server", "/CN=localhost", true)?;
        // etcd's gateway refuses a common name of a client if etcd also demands a password.
        make("client", "/O=fleet", true)?;
        Ok(Self {
            ca: file("ca.pem"),
            server: file("server.pem"),
            server_key: file("server.key"),
            client: file("client.pem"),
            client_key: file("client.key"),
        })
    }

    /// Copies the server's key into the folder of a server. Only the user of the server may read the copy.
    pub(super) fn key_of(&self, user: User, folder: &Path) -> Result<PathBuf> {
        let key = folder.join("server.key");
        fs::copy(&self.server_key, &key)?;
        fs::set_permissions(&key, fs::Permissions::from_mode(0o600))?;
        if let Some((user, group)) = user.0 {
            chown(&key, Some(user), Some(group))?;
        }
        Ok(key)
    }
}
