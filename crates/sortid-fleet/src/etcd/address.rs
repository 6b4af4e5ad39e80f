use crate::{
    StoreError,
    StoreErrorKind::Config,
    tls,
    url::{Options, decode},
};
use std::fmt;
use ureq::{
    Agent,
    http::Uri,
    tls::{Certificate, ClientCert, PrivateKey, RootCerts, TlsConfig},
};

/// The port of etcd for clients.
const PORT: u16 = 2379;

const FORM: &str = "etcd://HOST:PORT, with several hosts etcd://HOST:PORT,HOST:PORT, with TLS etcds://HOST:PORT, \
    with a user etcd://USER:PASSWORD@HOST:PORT";

/// Where the keys are.
#[derive(Clone)]
pub(super) struct Address {
    /// URLs without a path.
    pub(super) endpoints: Vec<String>,
    /// The name and the password.
    pub(super) user: Option<(String, String)>,
    pub(super) prefix: String,
    ca: Option<String>,
    cert: Option<String>,
    key: Option<String>,
    has_tls: bool,
}

impl Address {
    pub(super) fn parse(url: &str) -> Result<Self, StoreError> {
        let wrong = |found: &str| {
            StoreError::new(Config, format!("expected a URL of etcd, found one {found}. Write {FORM}"))
        };
        let (url, mut options) = Options::split(url)?;
        let (has_tls, rest) = match url.split_once("://") {
            Some(("etcd", rest)) => (false, rest),
            Some(("etcds", rest)) => (true, rest),
            _ => return Err(wrong("of another scheme")),
        };
        let (user, hosts) = match rest.rsplit_once('@') {
            None => (None, rest),
            Some((user, hosts)) => {
                let (name, password) =
                    user.split_once(':').ok_or_else(|| wrong("with a user and no password"))?;
                (Some((decode("the user", name)?, decode("the password", password)?)), hosts)
            }
        };
        let hosts = hosts.strip_suffix('/').unwrap_or(hosts);
        if hosts.contains('/') {
            return Err(wrong("with a path. Keys begin with the option prefix"));
        }
        let endpoints = hosts.split(',').map(|host| {
            let scheme = if has_tls { "https" } else { "http" };
            let endpoint: Uri = format!("{scheme}://{host}")
                .parse()
                .map_err(|_| wrong(&format!("with the host {host:?}")))?;
            let port = endpoint.port_u16();
            let name = endpoint.host().unwrap_or_default();
            if name.is_empty() || port.map_or(name.to_owned(), |port| format!("{name}:{port}")) != host {
                return Err(wrong(&format!("with the host {host:?}")));
            }
            Ok(format!("{scheme}://{name}:{}", port.unwrap_or(PORT)))
        });
        let endpoints = endpoints.collect::<Result<_, _>>()?;
        let mut take = |name| options.take(name).filter(|value| !value.is_empty());
        let prefix = take("prefix").unwrap_or_else(|| "sortid/nodes".to_owned());
        let (ca, cert, key) = (take("ca"), take("cert"), take("key"));
        if !has_tls && (ca.is_some() || cert.is_some() || key.is_some()) {
            return Err(wrong(
                "without TLS that has the option ca, cert or key. A URL with TLS begins with etcds:",
            ));
        }
        if let Some(name) = options.unknown() {
            let message =
                format!("expected the options prefix, ca, cert and key of a URL of etcd, found {name}");
            return Err(StoreError::new(Config, message));
        }
        Ok(Self { endpoints, user, prefix: prefix.trim_end_matches('/').to_owned(), ca, cert, key, has_tls })
    }

    /// Makes a client, and reads the files that the URL names.
    pub(super) fn agent(&self) -> Result<Agent, StoreError> {
        let mut config = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .proxy(None)
            .user_agent("sortid-fleet");
        if self.has_tls {
            let roots = tls::roots(self.ca.as_deref())?;
            let roots = roots.iter().map(|it| Certificate::from_der(it).to_owned());
            let identity = tls::identity(["cert", "key"], self.cert.as_deref(), self.key.as_deref())?;
            let identity = identity.map(|it| {
                let chain: Vec<_> = it.chain.iter().map(|it| Certificate::from_der(it).to_owned()).collect();
                Ok(ClientCert::new_with_certs(&chain, PrivateKey::from_pem(&it.pem)?))
            });
            let identity = identity.transpose().map_err(|error: ureq::Error| {
                StoreError::new(Config, format!("cannot set up TLS: {error}")).with_source(error)
            })?;
            let tls = TlsConfig::builder()
                .unversioned_rustls_crypto_provider(tls::provider())
                .root_certs(RootCerts::from(roots))
                .client_cert(identity);
            config = config.tls_config(tls.build());
        }
        Ok(config.build().new_agent())
    }
}

/// Hosts and ports, without user and password.
impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.endpoints.join(", "))
    }
}
