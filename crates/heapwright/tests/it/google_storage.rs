//! Jobs in Google Cloud Storage. No emulator has its XML interface; the server here has what Google documents of it, before an S3.

use std::fs;
use std::process::Output;

use futures_util::TryStreamExt;
use object_store::gcp::{GoogleCloudStorage, GoogleCloudStorageBuilder};
use object_store::path::Path as ObjectPath;
use object_store::{Error, ObjectMeta, ObjectStore, ObjectStoreExt, PutMode, UpdateVersion};
use serde_json::Value;
use tokio::runtime::Runtime;

use crate::common::text;
use crate::object_stores::{Bench, Storage, has_the_output_of_one_run, refuses, refuses_others};

/// Client of the server, which is no part of the program.
fn client(storage: &Storage) -> GoogleCloudStorage {
    let [(_, server), (_, key)] = &storage.environment[..] else {
        panic!("{:?}", storage.environment);
    };
    // Another test may have installed it.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let builder = GoogleCloudStorageBuilder::new()
        .with_base_url(server)
        .with_application_credentials(key);
    builder.with_bucket_name("bucket").build().unwrap()
}

/// All objects, sorted.
pub(crate) fn objects(storage: &Storage) -> Vec<ObjectMeta> {
    let client = client(storage);
    let all = client.list(None).try_collect();
    Runtime::new().unwrap().block_on(all).unwrap()
}

#[test]
#[ignore = "servers: a store"]
fn a_job_in_google_cloud_storage_has_the_output_of_one_run() {
    let keys = tempfile::tempdir().unwrap();
    let storage = Storage::google(keys.path());
    has_the_output_of_one_run(&storage);
    // The account has lost this key.
    let lost = keys.path().join("lost.json");
    let wrong = (
        "GOOGLE_APPLICATION_CREDENTIALS",
        lost.to_str().unwrap(),
        "the credentials of the environment do not allow it",
    );
    refuses_others(&storage, wrong, ("gs://no-bucket/job", "NoSuchBucket"));
    let closed = Bench::new().run(&storage, &["work", "gs://closed/job"]);
    refuses(
        &closed,
        "worker@project.iam.gserviceaccount.com does not have storage.objects.get access",
    );

    let key = fs::read_to_string(keys.path().join("key.json")).unwrap();
    let key: Value = serde_json::from_str(&key).unwrap();
    let secret = key["private_key"].as_str().unwrap().lines().nth(1).unwrap();
    let (client, runtime) = (client(&storage), Runtime::new().unwrap());
    let all = objects(&storage);
    assert!(all.len() > 5, "{all:?}");
    for object in all {
        let read = async || client.get(&object.location).await?.bytes().await;
        let content = runtime.block_on(read()).unwrap();
        let content = String::from_utf8_lossy(&content);
        assert!(!content.contains(secret), "{}", object.location);
    }
}

#[test]
#[ignore = "servers: a store"]
fn an_account_of_google_is_a_key_or_that_of_the_machine() {
    let keys = tempfile::tempdir().unwrap();
    let storage = Storage::google(keys.path());
    let bench = Bench::new();
    let home = bench.folder.path().to_str().unwrap();
    let server = storage.environment[0].clone();
    let host = server.1.trim_start_matches("http://").to_owned();
    let status = |name, value: &str| {
        let environment = [server.clone(), (name, value.to_owned())];
        let mut command = bench.command(&environment, &["status", &storage.url]);
        // There may be an account of the user.
        command.env("HOME", home).env("APPDATA", home);
        command.env("GCE_METADATA_IP", format!("{host}/none"));
        command.output().unwrap()
    };
    let key = |name: &str| fs::read_to_string(keys.path().join(name)).unwrap();
    let is_used = |output: &Output| refuses(output, "holds no job, as job.json is missing");
    is_used(&status("GOOGLE_SERVICE_ACCOUNT_KEY", &key("key.json")));
    is_used(&status("GCE_METADATA_HOST", &host));

    let lost = status("GOOGLE_SERVICE_ACCOUNT_KEY", &key("lost.json"));
    refuses(&lost, "the credentials of the environment do not allow it");
    let none = status("GCE_METADATA_HOST", &format!("{host}/none"));
    refuses(&none, "this machine gives none of its account: ");

    // Secrets in the wrong place are not repeated.
    let written_twice = serde_json::to_string("secret").unwrap();
    for (name, value, message) in [
        (
            "GOOGLE_APPLICATION_CREDENTIALS",
            r#"{"private_key": "secret"}"#,
            "the file that the environment names as a key cannot be read",
        ),
        (
            "GOOGLE_SERVICE_ACCOUNT_KEY",
            &written_twice,
            "it is no object with the fields of a key",
        ),
        (
            "GOOGLE_SERVICE_ACCOUNT_KEY",
            "secret",
            "the key of the environment is none of an account: expected value at line 1",
        ),
        (
            "GOOGLE_SERVICE_ACCOUNT_KEY",
            r#"{"private_key": "secret"}"#,
            "missing field `private_key_id`",
        ),
        (
            "GOOGLE_SERVICE_ACCOUNT_KEY",
            r#"{"private_key": "secret", "private_key_id": "", "client_email": ""}"#,
            "failed to open gs://bucket/some/job: ",
        ),
    ] {
        let refused = status(name, value);
        refuses(&refused, message);
        assert!(!text(&refused.stderr).contains("secret"), "{refused:?}");
    }
    let other = keys.path().join("other.json");
    fs::write(&other, r#"{"type": "external_account"}"#).unwrap();
    refuses(
        &status("GOOGLE_APPLICATION_CREDENTIALS", other.to_str().unwrap()),
        "its type is neither service_account nor authorized_user",
    );
}

/// The server that stands for Google Cloud Storage holds to what Google documents.
#[test]
#[ignore = "servers: a store"]
fn google_cloud_storage_has_conditions_and_pages() {
    let keys = tempfile::tempdir().unwrap();
    let storage = Storage::google(keys.path());
    let client = client(&storage);
    let names: Vec<_> = (10..22)
        .map(|number| ObjectPath::from(format!("many/{number}")))
        .collect();
    Runtime::new().unwrap().block_on(async {
        let path = ObjectPath::from("folder/an-object");
        let put = async |mode: PutMode| client.put_opts(&path, "content".into(), mode.into()).await;
        let first = put(PutMode::Create).await.unwrap();
        let again = put(PutMode::Create).await;
        assert!(
            matches!(again, Err(Error::AlreadyExists { .. })),
            "{again:?}"
        );
        let first: UpdateVersion = first.into();
        put(PutMode::Update(first.clone())).await.unwrap();
        let stale = put(PutMode::Update(first)).await;
        assert!(
            matches!(stale, Err(Error::Precondition { .. })),
            "{stale:?}"
        );
        client.delete(&path).await.unwrap();
        let gone = client.delete(&path).await;
        assert!(matches!(gone, Err(Error::NotFound { .. })), "{gone:?}");

        for name in &names {
            client.put(name, "content".into()).await.unwrap();
        }
    });
    let listed: Vec<_> = objects(&storage)
        .into_iter()
        .map(|object| object.location)
        .collect();
    assert_eq!(listed, names);
}
