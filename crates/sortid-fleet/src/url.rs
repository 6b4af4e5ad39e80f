use crate::{DirectoryStore, Store, StoreError, StoreErrorKind::Config};
use std::sync::Arc;

/// Opens the store of a URL.
///
/// | URL | store |
/// |---|---|
/// | `dir:PATH` | [`DirectoryStore`] |
/// | `postgres://…`, `postgresql://…` | `PostgresStore`, with the feature `postgres` |
/// | `etcd://…`, `etcds://…` (TLS) | `EtcdStore`, with the feature `etcd` |
///
/// The documentation of each type has the rest of its URLs. Stores on a network connect on first use, so a server that
/// does not answer is no error here.
///
/// # Errors
///
/// If the URL is not one of a store, or an option or a file that it names is wrong, or the directory cannot be used.
///
/// ```
/// let error = sortid_fleet::open("redis://cache:6379").err().unwrap();
/// assert_eq!(error.kind(), sortid_fleet::StoreErrorKind::Config);
/// assert!(error.to_string().starts_with("expected the URL of a store, found one of the scheme redis:"));
/// ```
pub fn open(url: &str) -> Result<Arc<dyn Store>, StoreError> {
    match url.split_once(':') {
        Some(("dir", path)) => Ok(Arc::new(DirectoryStore::open(path)?)),
        Some(("postgres" | "postgresql", _)) => postgres(url),
        Some(("etcd" | "etcds", _)) => etcd(url),
        // Not more of the URL than its scheme: it may have a password.
        Some((scheme, _))
            if scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte)) =>
        {
            Err(unknown(&format!("one of the scheme {scheme}:")))
        }
        _ => Err(unknown("a text without a scheme")),
    }
}

fn unknown(found: &str) -> StoreError {
    let known = "dir:PATH, postgres://USER@HOST/DATABASE, etcd://HOST:PORT or etcds://HOST:PORT";
    StoreError::new(Config, format!("expected the URL of a store, found {found}. Write {known}"))
}

#[cfg(feature = "postgres")]
fn postgres(url: &str) -> Result<Arc<dyn Store>, StoreError> {
    Ok(Arc::new(crate::PostgresStore::open(url)?))
}

#[cfg(not(feature = "postgres"))]
fn postgres(_: &str) -> Result<Arc<dyn Store>, StoreError> {
    Err(missing("PostgreSQL", "postgres"))
}

#[cfg(feature = "etcd")]
fn etcd(url: &str) -> Result<Arc<dyn Store>, StoreError> {
    Ok(Arc::new(crate::EtcdStore::open(url)?))
}

#[cfg(not(feature = "etcd"))]
fn etcd(_: &str) -> Result<Arc<dyn Store>, StoreError> {
    Err(missing("etcd", "etcd"))
}

#[cfg(not(all(feature = "etcd", feature = "postgres")))]
fn missing(store: &str, feature: &str) -> StoreError {
    let message = format!("this build of sortid-fleet has no {store}: turn on its feature `{feature}`");
    StoreError::new(Config, message)
}

/// The options after the `?` of a URL.
#[cfg(any(feature = "etcd", feature = "postgres"))]
#[derive(Default)]
pub(crate) struct Options(Vec<(String, String)>);

#[cfg(any(feature = "etcd", feature = "postgres"))]
impl Options {
    /// Splits a URL before its options.
    pub(crate) fn split(url: &str) -> Result<(&str, Self), StoreError> {
        let Some((url, options)) = url.split_once('?') else { return Ok((url, Self::default())) };
        let pairs = options.split('&').filter(|pair| !pair.is_empty()).map(|pair| -> Result<_, StoreError> {
            let (key, value) = pair.split_once('=').ok_or_else(|| {
                StoreError::new(
                    Config,
                    "expected options of the form NAME=VALUE, separated by &, after the ? of the URL",
                )
            })?;
            Ok((decode("an option", key)?, decode("an option", value)?))
        });
        Ok((url, Self(pairs.collect::<Result<_, _>>()?)))
    }

    /// Takes an option out; `None` if it is not there. The last of several of one name counts.
    pub(crate) fn take(&mut self, name: &str) -> Option<String> {
        let found = self.0.iter().rposition(|(key, _)| key == name).map(|at| self.0.swap_remove(at).1);
        self.0.retain(|(key, _)| key != name);
        found
    }

    /// The rest of the options, as they are after the `?`.
    #[cfg(feature = "postgres")]
    pub(crate) fn rest(&self) -> String {
        let encode = |text| percent_encoding::utf8_percent_encode(text, percent_encoding::NON_ALPHANUMERIC);
        let pairs: Vec<_> =
            self.0.iter().map(|(key, value)| format!("{}={}", encode(key), encode(value))).collect();
        pairs.join("&")
    }

    /// The name of an option that nothing has taken.
    #[cfg(feature = "etcd")]
    pub(crate) fn unknown(&self) -> Option<&str> {
        self.0.first().map(|(key, _)| key.as_str())
    }
}

/// Decodes percent signs.
#[cfg(any(feature = "etcd", feature = "postgres"))]
pub(crate) fn decode(what: &str, text: &str) -> Result<String, StoreError> {
    let decoded = percent_encoding::percent_decode_str(text).decode_utf8().map(Into::into);
    decoded.map_err(|_| {
        StoreError::new(Config, format!("expected UTF-8 in the percent signs of {what} of the URL"))
    })
}
