//! Storage of a job by its URL: S3, Google Cloud Storage, Azure and WebDAV.
//!
//! **Invariant:** credentials come from the environment alone: no URL, plan or message has any.

use std::error::Error as _;
use std::io;
use std::time::Duration;

use anyhow::{Context, anyhow, ensure};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use object_store::aws::{AmazonS3Builder, AmazonS3ConfigKey};
use object_store::azure::{AzureConfigKey, MicrosoftAzureBuilder};
use object_store::gcp::{GoogleCloudStorageBuilder, GoogleConfigKey};
use object_store::http::HttpBuilder;
use object_store::{
    BackoffConfig, ClientConfigKey, ClientOptions, Error, HeaderMap, HeaderValue, ObjectStore,
    ObjectStoreScheme, RetryConfig,
};
use url::{Position, Url};

use super::store::{OpenedStorage, StoreKind};

/// Limits of a request: until there is a connection, until the server goes on, and in all.
const LIMITS: [(ClientConfigKey, &str); 3] = [
    (ClientConfigKey::ConnectTimeout, "5 seconds"),
    (ClientConfigKey::ReadTimeout, "20 seconds"),
    (ClientConfigKey::Timeout, "10 minutes"),
];
/// Time after which a request that fails is not sent again, and the longest time between two tries.
const PATIENCE: Duration = Duration::from_secs(20);
const MOST_BACKOFF: Duration = Duration::from_secs(4);
/// Names of what a WebDAV server asks for.
const USER: &str = "WEBDAV_USERNAME";
const PASSWORD: &str = "WEBDAV_PASSWORD";
/// Longest reason of a server that is passed on, in characters.
const MOST_LETTERS: usize = 400;
/// Parts of the addresses at which cloud machines have the token of their account.
const MACHINE_ACCOUNTS: [&str; 2] = ["//169.254.169.254/", "/computeMetadata/"];

/// Opens the storage at a URL. Nothing is sent yet.
///
/// # Errors
/// The URL is none of a storage, or the environment lacks what the storage needs.
pub fn open(place: &str) -> anyhow::Result<OpenedStorage> {
    let url = Url::parse(place).map_err(|error| anyhow!("the URL is none: {error}"))?;
    let is_web = matches!(url.scheme(), "http" | "https");
    ensure!(
        url.password().is_none()
            && url.query().is_none()
            && url.fragment().is_none()
            && (url.username().is_empty() || !is_web),
        "the URL of a job has no user, password or token: credentials come from the environment"
    );
    let known = ObjectStoreScheme::parse(&url).map_err(Error::from);
    let (scheme, root) = known.map_err(|_| unknown(place))?;
    // The first provider stays.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let (objects, kind) = match scheme {
        ObjectStoreScheme::AmazonS3 => (s3(place), StoreKind::Objects),
        ObjectStoreScheme::GoogleCloudStorage => (google(place), StoreKind::Objects),
        ObjectStoreScheme::MicrosoftAzure => (azure(place), StoreKind::Objects),
        ObjectStoreScheme::Http => {
            let server = &url[..Position::BeforePath];
            (web_dav(server, user()?), StoreKind::WebDav)
        }
        _ => return Err(unknown(place)),
    };
    let failed = |error| anyhow!("failed to open {place}: {}", flaw(&error));
    Ok(OpenedStorage {
        objects: objects.map_err(failed)?,
        kind,
        root,
    })
}

fn unknown(place: &str) -> anyhow::Error {
    anyhow!(
        "{place} is no place of a job: that is a folder, or a URL as s3://bucket/path, \
         gs://bucket/path, az://container/path or https://server/path of WebDAV"
    )
}

fn retry() -> RetryConfig {
    RetryConfig {
        backoff: BackoffConfig {
            max_backoff: MOST_BACKOFF,
            ..BackoffConfig::default()
        },
        retry_timeout: PATIENCE,
        ..RetryConfig::default()
    }
}

type Opened = Result<Box<dyn ObjectStore>, Error>;

fn s3(place: &str) -> Opened {
    let mut builder = AmazonS3Builder::from_env().with_url(place);
    for (key, limit) in LIMITS {
        builder = builder.with_config(AmazonS3ConfigKey::Client(key), limit);
    }
    // Other programs take an endpoint without TLS by its URL alone.
    let endpoints = [AmazonS3ConfigKey::Endpoint, AmazonS3ConfigKey::S3Endpoint];
    let mut endpoints = endpoints
        .iter()
        .filter_map(|key| builder.get_config_value(key));
    if endpoints.any(|endpoint| endpoint.starts_with("http:")) {
        builder = builder.with_allow_http(true);
    }
    Ok(Box::new(builder.with_retry(retry()).build()?))
}

fn google(place: &str) -> Opened {
    let mut builder = GoogleCloudStorageBuilder::from_env().with_url(place);
    for (key, limit) in LIMITS {
        builder = builder.with_config(GoogleConfigKey::Client(key), limit);
    }
    Ok(Box::new(builder.with_retry(retry()).build()?))
}

fn azure(place: &str) -> Opened {
    let mut builder = MicrosoftAzureBuilder::from_env().with_url(place);
    for (key, limit) in LIMITS {
        builder = builder.with_config(AzureConfigKey::Client(key), limit);
    }
    Ok(Box::new(builder.with_retry(retry()).build()?))
}

fn web_dav(server: &str, headers: HeaderMap) -> Opened {
    let options = ClientOptions::new()
        .with_allow_http(true)
        .with_default_headers(headers);
    let mut builder = HttpBuilder::new()
        .with_url(server)
        .with_client_options(options);
    for (key, limit) in LIMITS {
        builder = builder.with_config(key, limit);
    }
    Ok(Box::new(builder.with_retry(retry()).build()?))
}

/// Headers with the user of a WebDAV server and the password, if the environment names them.
fn user() -> anyhow::Result<HeaderMap> {
    let mut headers = HeaderMap::new();
    let Ok(user) = std::env::var(USER) else {
        return Ok(headers);
    };
    let password = std::env::var(PASSWORD);
    let password = password.with_context(|| format!("{USER} is set, and {PASSWORD} is not"))?;
    let encoded = BASE64_STANDARD.encode(format!("{user}:{password}"));
    let mut value = HeaderValue::try_from(format!("Basic {encoded}"))?;
    value.set_sensitive(true);
    headers.insert("authorization", value);
    Ok(headers)
}

/// Whether a storage has no bucket of the name, rather than no object.
pub fn lacks_bucket(error: &Error) -> bool {
    let text = error.to_string();
    ["NoSuchBucket", "ContainerNotFound"]
        .iter()
        .any(|code| text.contains(code))
}

/// Whether a WebDAV server refused a request as another one made or removed a folder or a file at the
/// same time.
pub fn is_disturbed(error: &Error) -> bool {
    let text = error.to_string();
    let answers = [
        "status code: 405",
        "status code: 409",
        "status code: 423",
        "Error getting properties",
    ];
    answers.iter().any(|answer| text.contains(answer))
}

/// Why the environment does not suit a storage. What it has as a Google account's key, or as the file of
/// one, may be secret in the wrong place: it is not repeated.
fn flaw(error: &Error) -> String {
    let Error::Generic {
        store: "GCS",
        source,
    } = error
    else {
        return error.to_string();
    };
    let mut source: Option<&(dyn std::error::Error + 'static)> = Some(source.as_ref());
    while let Some(inner) = source {
        if let Some(error) = inner.downcast_ref::<io::Error>() {
            return format!("the file that the environment names as a key cannot be read: {error}");
        }
        if let Some(error) = inner.downcast_ref::<serde_json::Error>() {
            return format!(
                "the key of the environment is none of an account: {}",
                key_flaw(error)
            );
        }
        source = inner.source();
    }
    error.to_string()
}

/// Why a document is no key of a Google account, without its content.
fn key_flaw(error: &serde_json::Error) -> String {
    let text = error.to_string();
    if text.starts_with("unknown variant") {
        "its type is neither service_account nor authorized_user".to_owned()
    } else if error.is_data() && !text.starts_with("missing field") {
        "it is no object with the fields of a key".to_owned()
    } else {
        text
    }
}

/// Code, message and details of an answer in XML, if it has them.
fn answer(document: &str) -> String {
    let element = |name: &str| {
        let (_, rest) = document.split_once(&format!("<{name}>"))?;
        Some(rest.split_once(&format!("</{name}>"))?.0)
    };
    match (element("Code"), element("Message"), element("Details")) {
        (Some(code), Some(message), None) => format!("{code}: {message}"),
        (Some(code), Some(message), Some(details)) => format!("{code}: {message} {details}"),
        _ => document.to_owned(),
    }
}

/// Reason of a failed request, in one line.
pub fn reason(error: &Error) -> String {
    let mut last = error.to_string();
    let mut source = error.source();
    while let Some(inner) = source {
        last = inner.to_string();
        source = inner.source();
    }
    let plain = match last.split_once("<?xml") {
        Some((status, document)) => format!("{status}{}", answer(document)),
        None => last,
    };
    let plain = plain.split_whitespace().collect::<Vec<_>>().join(" ");
    let plain: String = plain.chars().take(MOST_LETTERS).collect();
    match error {
        Error::PermissionDenied { .. } | Error::Unauthenticated { .. } => {
            format!("the credentials of the environment do not allow it: {plain}")
        }
        _ if asks_the_machine(error) => format!(
            "the environment has no credentials, and this machine gives none of its account: {plain}"
        ),
        _ => plain,
    }
}

/// Whether a failed request was one for the account of the machine.
fn asks_the_machine(error: &Error) -> bool {
    let text = error.to_string();
    MACHINE_ACCOUNTS.iter().any(|part| text.contains(part))
}

#[cfg(test)]
mod tests {
    use super::super::store::is_url;
    use super::*;

    #[test]
    fn a_reason_has_the_code_and_the_message_of_the_server() {
        let answer = |text: &str| {
            let error = Error::Generic {
                store: "S3",
                source: format!("404 Not Found: {text}").into(),
            };
            reason(&error)
        };
        assert_eq!(
            answer(
                "<?xml version=\"1.0\"?>\n<Error>\n<Code>NoSuchBucket</Code>\
                 <Message>There is\nnone</Message><Id>7</Id></Error>"
            ),
            "404 Not Found: NoSuchBucket: There is none"
        );
        assert_eq!(
            answer(
                "<?xml version='1.0'?><Error><Code>AccessDenied</Code><Message>Access denied.\
                 </Message><Details>me@project has no access</Details></Error>"
            ),
            "404 Not Found: AccessDenied: Access denied. me@project has no access"
        );
        assert_eq!(answer("gone\n"), "404 Not Found: gone");
        assert_eq!(answer("<?xml?><a>b</a>"), "404 Not Found: ?><a>b</a>");
        assert_eq!(answer(&"x".repeat(1_000)).chars().count(), MOST_LETTERS);
    }

    #[test]
    fn a_machine_without_an_account_is_named() {
        let error = Error::Generic {
            store: "S3",
            source: "Error performing PUT http://169.254.169.254/latest/api/token in 20s".into(),
        };
        let named =
            "the environment has no credentials, and this machine gives none of its account";
        assert!(reason(&error).starts_with(named));
    }

    #[test]
    fn a_url_is_no_folder() {
        assert!(is_url("s3://bucket/job"));
        for folder in ["job", "/a/job", "C:\\a\\job", "./s3:/job"] {
            assert!(!is_url(folder), "{folder}");
        }
    }
}
