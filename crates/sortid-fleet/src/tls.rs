//! TLS for the stores that have it.

use crate::{StoreError, StoreErrorKind::Config};
use rustls::{
    crypto::{CryptoProvider, ring},
    pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject},
    sign::CertifiedKey,
};
use std::{error::Error, fmt, fs, io, sync::Arc};

/// The certificate of a client, and its key.
pub(crate) struct Identity {
    pub(crate) chain: Vec<CertificateDer<'static>>,
    #[cfg(feature = "postgres")]
    pub(crate) key: PrivateKeyDer<'static>,
    /// The key as it is in its file.
    #[cfg(feature = "etcd")]
    pub(crate) pem: Vec<u8>,
}

pub(crate) fn provider() -> Arc<CryptoProvider> {
    Arc::new(ring::default_provider())
}

/// Reads the certificates in a PEM file; without a file, those that the system trusts.
pub(crate) fn roots(file: Option<&str>) -> Result<Vec<CertificateDer<'static>>, StoreError> {
    if let Some(file) = file {
        return certificates(file);
    }
    let found = rustls_native_certs::load_native_certs();
    if found.certs.is_empty() {
        let reasons: Vec<_> = found.errors.iter().map(ToString::to_string).collect();
        return Err(StoreError::new(
            Config,
            format!(
                "expected certificates that this system trusts, found none ({}): \
                 install them (Debian: the package ca-certificates), or name a file of your authority",
                reasons.join("; ")
            ),
        ));
    }
    Ok(found.certs)
}

/// Reads the certificate of a client and its key; `None` if neither is given.
pub(crate) fn identity(
    [cert_option, key_option]: [&str; 2],
    cert: Option<&str>,
    key: Option<&str>,
) -> Result<Option<Identity>, StoreError> {
    let (cert, key) = match (cert, key) {
        (None, None) => return Ok(None),
        (Some(cert), Some(key)) => (cert, key),
        (Some(_), None) => return Err(half(cert_option, key_option)),
        (None, Some(_)) => return Err(half(key_option, cert_option)),
    };
    let chain = certificates(cert)?;
    let unreadable = |error: &dyn fmt::Display| {
        StoreError::new(Config, format!("expected a private key in PEM in {key}: {error}"))
    };
    let pem = fs::read(key).map_err(|error| unreadable(&error).with_source(error))?;
    let private =
        PrivateKeyDer::from_pem_slice(&pem).map_err(|error| unreadable(&error).with_source(error))?;
    CertifiedKey::from_der(chain.clone(), private.clone_key(), &provider()).map_err(|error| {
        let message = format!("expected in {key} the private key of the certificate in {cert}: {error}");
        StoreError::new(Config, message).with_source(error)
    })?;
    Ok(Some(Identity {
        chain,
        #[cfg(feature = "postgres")]
        key: private,
        #[cfg(feature = "etcd")]
        pem,
    }))
}

fn half(given: &str, missing: &str) -> StoreError {
    StoreError::new(Config, format!("{given} needs {missing}: give both, or neither"))
}

fn certificates(file: &str) -> Result<Vec<CertificateDer<'static>>, StoreError> {
    let read = CertificateDer::pem_file_iter(file).and_then(Iterator::collect);
    let found: Vec<_> = read.map_err(|error| {
        StoreError::new(Config, format!("expected certificates in PEM in {file}: {error}")).with_source(error)
    })?;
    if found.is_empty() {
        return Err(StoreError::new(Config, format!("expected certificates in PEM in {file}, found none")));
    }
    Ok(found)
}

/// Returns what TLS says against the server, or the server against the client, in words; `None` if the error has another
/// reason. Such an error does not go away by itself.
pub(crate) fn refusal(error: &(dyn Error + 'static)) -> Option<String> {
    let mut next = Some(error);
    while let Some(error) = next {
        let inner =
            error.downcast_ref::<io::Error>().and_then(io::Error::get_ref).map(|inner| inner as &dyn Error);
        let is_refusal = |it: &&rustls::Error| {
            use rustls::Error::{AlertReceived, InvalidCertificate, InvalidMessage};
            matches!(it, InvalidCertificate(_) | AlertReceived(_) | InvalidMessage(_))
        };
        let found =
            [Some(error), inner].into_iter().flatten().find_map(|it| it.downcast_ref::<rustls::Error>());
        if let Some(found) = found.filter(is_refusal) {
            return Some(found.to_string());
        }
        next = error.source();
    }
    None
}
