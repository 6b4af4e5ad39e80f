use super::{User, quiet};
use crate::shell::{Result, program};
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

impl Certificates {
    pub(super) fn new(folder: &Path) -> Result<Self> {
        let folder = folder.join("certificates");
        fs::create_dir(&folder)?;
        let path = |name: &str| folder.join(name);
        let certificates = Self {
            ca: path("ca.pem"),
            server: path("server.pem"),
            server_key: path("server.key"),
            client: path("client.pem"),
            client_key: path("client.key"),
        };
        let authority = |name: &str, certificate: &Path, key: &Path| {
            let mut command = openssl("req")?;
            command.args(["-x509", "-days", "2", "-subj", &format!("/CN={name}")]);
            quiet(new_key(&mut command, key).arg("-out").arg(certificate))
        };
        let ca_key = path("ca.key");
        authority("sortid tests", &certificates.ca, &ca_key)?;
        authority("another", &path("other-ca.pem"), &path("other-ca.key"))?;
        // etcd's gateway is a client of etcd with the certificate of the server.
        let extensions = path("extensions");
        fs::write(
            &extensions,
            "basicConstraints=critical,CA:FALSE\nextendedKeyUsage=serverAuth,clientAuth\nsubjectAltName=DNS:localhost\n",
        )?;
        let pairs = [
            ("CN=localhost", &certificates.server, &certificates.server_key),
            // etcd's gateway refuses a common name of a client if etcd also demands a password.
            ("O=fleet", &certificates.client, &certificates.client_key),
        ];
        for (subject, certificate, key) in pairs {
            let request = path("request");
            let mut command = openssl("req")?;
            command.args(["-new", "-subj", &format!("/{subject}")]);
            quiet(new_key(&mut command, key).arg("-out").arg(&request))?;
            let mut command = openssl("x509")?;
            command.args(["-req", "-days", "2", "-CAcreateserial", "-in"]).arg(&request);
            command.arg("-CA").arg(&certificates.ca).arg("-CAkey").arg(&ca_key);
            quiet(command.arg("-extfile").arg(&extensions).arg("-out").arg(certificate))?;
        }
        Ok(certificates)
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

fn openssl(command: &str) -> Result<Command> {
    let mut openssl = Command::new(program("openssl").ok_or("openssl is not installed")?);
    openssl.arg(command);
    Ok(openssl)
}

fn new_key<'a>(command: &'a mut Command, path: &Path) -> &'a mut Command {
    let curve = "ec_paramgen_curve:prime256v1";
    command.args(["-newkey", "ec", "-pkeyopt", curve, "-noenc", "-keyout"]).arg(path)
}
