use crate::{StoreError, StoreErrorKind::Config as Wrong, tls, url::Options};
use postgres_protocol::escape::escape_identifier;
use rustls::{
    CertificateError, ClientConfig, DigitallySignedStruct, RootCertStore, SignatureScheme,
    client::{
        WebPkiServerVerifier,
        danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier},
    },
    crypto::{CryptoProvider, verify_tls12_signature, verify_tls13_signature},
    pki_types::{CertificateDer, ServerName, UnixTime},
};
use std::{error::Error, fmt, sync::Arc};
use tokio_postgres::{
    Config,
    config::{Host, SslMode},
};
use tokio_postgres_rustls::MakeRustlsConnect;

/// Where the table is.
#[derive(Clone)]
pub(super) struct Address {
    /// One for each host.
    pub(super) hosts: Vec<Config>,
    /// As it stands in SQL.
    pub(super) table: String,
    mode: Mode,
    root: Option<String>,
    cert: Option<String>,
    key: Option<String>,
}

/// What a connection demands of TLS: libpq's `sslmode`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Mode {
    Disable,
    Prefer,
    Require,
    VerifyCa,
    VerifyFull,
}

impl Address {
    pub(super) fn parse(url: &str) -> Result<Self, StoreError> {
        let (url, mut options) = Options::split(url)?;
        let mut take = |name| options.take(name).filter(|value| !value.is_empty());
        let (root, cert, key) = (take("sslrootcert"), take("sslcert"), take("sslkey"));
        let mode = mode(take("sslmode").as_deref(), root.as_deref())?;
        let table = take("table").unwrap_or_else(|| "sortid_nodes".to_owned());
        let table = table.split('.').map(escape_identifier).collect::<Vec<_>>().join(".");

        // A server that is frozen must not keep others from being asked, so each host is tried by itself.
        let (scheme, rest) = url.split_once("://").ok_or_else(|| {
            StoreError::new(Wrong, "expected a URL of PostgreSQL, such as postgres://USER@HOST/DATABASE")
        })?;
        let (user, rest) = rest.find('@').map_or(("", rest), |at| rest.split_at(at + 1));
        let (hosts, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
        // What follows a sign that is not escaped is a part of the password, so it is not shown.
        if hosts.contains('@') {
            return Err(StoreError::new(
                Wrong,
                "expected one @ in the URL of PostgreSQL, before the host, found several: write %40 for those of the user \
                 and the password",
            ));
        }
        let options = options.rest();
        let hosts = hosts.split(',').map(|host| {
            let mut config: Config =
                format!("{scheme}://{user}{host}{path}?{options}").parse().map_err(|error| wrong(&error))?;
            if config.get_hosts().is_empty() && config.get_hostaddrs().is_empty() {
                return Err(StoreError::new(
                    Wrong,
                    "expected a host in the URL of PostgreSQL: write postgres://USER@HOST/DATABASE",
                ));
            }
            config.ssl_mode(match mode {
                Mode::Disable => SslMode::Disable,
                Mode::Prefer => SslMode::Prefer,
                Mode::Require | Mode::VerifyCa | Mode::VerifyFull => SslMode::Require,
            });
            if config.get_application_name().is_none() {
                config.application_name("sortid-fleet");
            }
            if let (None, Ok(password)) = (config.get_password(), std::env::var("PGPASSWORD")) {
                config.password(password);
            }
            Ok(config)
        });
        Ok(Self { hosts: hosts.collect::<Result<_, _>>()?, table, mode, root, cert, key })
    }

    /// The name of the database, for messages. Without one in the URL, it is that of the user.
    pub(super) fn database(&self) -> &str {
        let config = self.hosts.first();
        config.and_then(|config| config.get_dbname().or(config.get_user())).unwrap_or("of the user")
    }

    /// Reads the files that the URL names; `None` if connections have no TLS. They are read again for each connection,
    /// because certificates of clients are often renewed each day.
    pub(super) fn tls(&self) -> Result<Option<MakeRustlsConnect>, StoreError> {
        if self.mode == Mode::Disable {
            return Ok(None);
        }
        let provider = tls::provider();
        let error = |error: Box<dyn Error + Send + Sync>| {
            StoreError::new(Wrong, format!("cannot set up TLS: {error}")).with_source(error)
        };
        let verifier: Arc<dyn ServerCertVerifier> = if self.verifies() {
            let mut roots = RootCertStore::empty();
            roots.add_parsable_certificates(tls::roots(
                self.root.as_deref().filter(|&root| root != "system"),
            )?);
            let verifier = WebPkiServerVerifier::builder_with_provider(roots.into(), Arc::clone(&provider));
            let verifier = verifier.build().map_err(|it| error(it.into()))?;
            if self.mode == Mode::VerifyFull {
                verifier
            } else {
                Arc::new(Lenient::new(Some(verifier), &provider))
            }
        } else {
            Arc::new(Lenient::new(None, &provider))
        };
        let builder = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(|it| error(it.into()))?
            .dangerous()
            .with_custom_certificate_verifier(verifier);
        let mut config =
            match tls::identity(["sslcert", "sslkey"], self.cert.as_deref(), self.key.as_deref())? {
                None => builder.with_no_client_auth(),
                Some(it) => builder.with_client_auth_cert(it.chain, it.key).map_err(|it| error(it.into()))?,
            };
        // `sslnegotiation=direct` needs it, and libpq always says it.
        config.alpn_protocols = vec![b"postgresql".to_vec()];
        Ok(Some(MakeRustlsConnect::new(config)))
    }

    /// Whether the certificate of the server has to be one of an authority that is trusted.
    fn verifies(&self) -> bool {
        self.mode >= Mode::VerifyCa || self.root.is_some()
    }
}

fn mode(mode: Option<&str>, root: Option<&str>) -> Result<Mode, StoreError> {
    let mode = match mode {
        None if root == Some("system") => Mode::VerifyFull,
        None | Some("prefer") => Mode::Prefer,
        Some("disable") => Mode::Disable,
        Some("require") => Mode::Require,
        Some("verify-ca") => Mode::VerifyCa,
        Some("verify-full") => Mode::VerifyFull,
        Some(other) => {
            let known = "disable, prefer, require, verify-ca or verify-full";
            return Err(StoreError::new(Wrong, format!("expected sslmode={known}, found {other:?}")));
        }
    };
    if root == Some("system") && mode != Mode::VerifyFull {
        let message = "sslrootcert=system needs sslmode=verify-full: anyone can have a certificate that the system trusts";
        return Err(StoreError::new(Wrong, message));
    }
    Ok(mode)
}

fn wrong(error: &tokio_postgres::Error) -> StoreError {
    let reason = error.source().map_or_else(|| error.to_string(), ToString::to_string);
    StoreError::new(Wrong, format!("the URL of PostgreSQL is wrong: {reason}"))
}

/// Hosts and ports, without user and password.
impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, host) in self.hosts.iter().enumerate() {
            f.write_str(if index == 0 { "" } else { ", " })?;
            f.write_str(&shown(host))?;
        }
        Ok(())
    }
}

pub(super) fn shown(config: &Config) -> String {
    let mut ports = config.get_ports().iter();
    let mut hosts: Vec<_> = config
        .get_hosts()
        .iter()
        .map(|host| match host {
            Host::Tcp(name) if name.contains(':') => format!("[{name}]"),
            Host::Tcp(name) => name.clone(),
            #[cfg(unix)]
            Host::Unix(path) => path.display().to_string(),
        })
        .collect();
    if hosts.is_empty() {
        hosts = config.get_hostaddrs().iter().map(ToString::to_string).collect();
    }
    let first = config.get_ports().first().copied().unwrap_or(5432);
    let shown = hosts.iter().map(|host| format!("{host}:{}", ports.next().copied().unwrap_or(first)));
    shown.collect::<Vec<_>>().join(", ")
}

/// Accepts a certificate whatever its name is; without `chain`, any certificate. The server has to prove that it is its own.
#[derive(Debug)]
struct Lenient {
    chain: Option<Arc<WebPkiServerVerifier>>,
    provider: Arc<CryptoProvider>,
}

impl Lenient {
    fn new(chain: Option<Arc<WebPkiServerVerifier>>, provider: &Arc<CryptoProvider>) -> Self {
        Self { chain, provider: Arc::clone(provider) }
    }
}

impl ServerCertVerifier for Lenient {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        let Some(chain) = &self.chain else { return Ok(ServerCertVerified::assertion()) };
        // The name is checked last.
        match chain.verify_server_cert(end_entity, intermediates, server_name, ocsp_response, now) {
            Err(rustls::Error::InvalidCertificate(
                CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. },
            )) => Ok(ServerCertVerified::assertion()),
            other => other,
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls12_signature(message, cert, signed, &self.provider.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls13_signature(message, cert, signed, &self.provider.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}
