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
/// does not answer is not an error here.
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
    let scheme = url.split_once(':').map_or("", |(scheme, _)| scheme);
    let Some(kind) = Kind::of(scheme) else {
        // Not more of the URL than its scheme: it may have a password.
        let is_scheme = scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
        let found = match scheme {
            _ if is_scheme && url.contains(':') => &*format!("one of the scheme {scheme}:"),
            _ => "a text without a scheme",
        };
        let known = Kind::forms();
        return Err(StoreError::new(
            Config,
            format!("expected the URL of a store, found {found}. Write {known}"),
        ));
    };
    let Kind { title, feature, .. } = kind;
    let missing = || format!("this build of sortid-fleet has no {title}: turn on its feature `{feature}`");
    kind.open.ok_or_else(|| StoreError::new(Config, missing()))?(url)
}

/// A kind of store. Public for the messages of the program.
#[doc(hidden)]
#[derive(Debug)]
pub struct Kind {
    /// The name as its makers write it.
    pub title: &'static str,
    /// The schemes of its URLs.
    pub schemes: &'static [&'static str],
    /// What its URLs look like.
    form: &'static str,
    /// The feature that has it; empty if all builds have it.
    pub feature: &'static str,
    open: Option<Open>,
}

type Open = fn(&str) -> Result<Arc<dyn Store>, StoreError>;

/// The function that opens a store of a feature, if this build has the feature.
macro_rules! if_built {
    ($feature:literal, $Store:ident) => {{
        #[cfg(feature = $feature)]
        let open: Option<Open> = Some(|url| Ok(Arc::new(crate::$Store::open(url)?)));
        #[cfg(not(feature = $feature))]
        let open: Option<Open> = None;
        open
    }};
}

/// All stores. A store that is not here cannot be opened by a URL.
static KINDS: [Kind; 3] = [
    Kind {
        title: "a directory",
        schemes: &["dir"],
        form: "dir:PATH",
        feature: "",
        open: Some(|url| Ok(Arc::new(DirectoryStore::open(&url["dir:".len()..])?))),
    },
    Kind {
        title: "PostgreSQL",
        schemes: &["postgres", "postgresql"],
        form: "postgres://USER@HOST/DATABASE",
        feature: "postgres",
        open: if_built!("postgres", PostgresStore),
    },
    Kind {
        title: "etcd",
        schemes: &["etcd", "etcds"],
        form: "etcd://HOST:PORT or etcds://HOST:PORT",
        feature: "etcd",
        open: if_built!("etcd", EtcdStore),
    },
];

impl Kind {
    /// The kind of the stores whose URLs have this scheme.
    #[must_use]
    pub fn of(scheme: &str) -> Option<&'static Self> {
        KINDS.iter().find(|kind| kind.schemes.contains(&scheme))
    }

    /// What the URLs of all stores look like.
    #[must_use]
    pub fn forms() -> String {
        KINDS.each_ref().map(|kind| kind.form).join(", ")
    }

    /// Whether this build has the store.
    #[must_use]
    pub const fn is_built(&self) -> bool {
        self.open.is_some()
    }
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
