//! URLs of stores.

use sortid_fleet::StoreErrorKind;

#[test]
fn a_url_of_no_store_is_refused() {
    for url in
        ["", "orders", "redis://h:6379", "mysql://u:secret@h/db", "https://h", "/var/lib/ids", "u:se cret@h"]
    {
        let error = sortid_fleet::open(url).err().unwrap();
        assert_eq!(error.kind(), StoreErrorKind::Config);
        let message = error.to_string();
        assert!(message.starts_with("expected the URL of a store"), "{message}");
        assert!(message.contains("etcds://HOST:PORT") && !message.contains("secret"), "{message}");
    }
}

#[cfg(not(feature = "postgres"))]
#[test]
fn a_url_of_postgresql_says_which_feature_it_needs() {
    let error = sortid_fleet::open("postgres://u:secret@h/db").err().unwrap();
    assert_eq!(
        error.to_string(),
        "this build of sortid-fleet has no PostgreSQL: turn on its feature `postgres`"
    );
}

#[cfg(not(feature = "etcd"))]
#[test]
fn a_url_of_etcd_says_which_feature_it_needs() {
    let error = sortid_fleet::open("etcds://u:secret@h").err().unwrap();
    assert_eq!(error.to_string(), "this build of sortid-fleet has no etcd: turn on its feature `etcd`");
}

#[cfg(feature = "postgres")]
#[test]
fn a_password_with_a_sign_that_is_not_escaped_is_in_no_message() {
    for url in ["postgres://ids:p@secret@h/db", "postgres://ids:p@secret@h1,h2"] {
        let error = sortid_fleet::open(url).err().unwrap();
        assert_eq!(error.kind(), StoreErrorKind::Config);
        assert!(error.to_string().contains("%40") && !error.to_string().contains("secret"), "{error}");
    }
}
