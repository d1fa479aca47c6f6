//! Manifest for Kubernetes: an Indexed Job of workers, and a Job that merges their results.
//!
//! The folder of the job is in a volume of the pods. A URL of an object store needs no volume, but may
//! need a secret with its credentials.
//!
//! **Invariant:** the pods need no shell. A worker knows its number by an argument that the kubelet
//! expands, and the merging pod works, too, until nothing is left, before it merges.

use std::path::{Component, Path};

use anyhow::{Context, bail, ensure};

use super::{JobVerbArgs, Workers, Written, quoted};
use crate::job::{Job, is_url};

/// Name of the manifest.
const MANIFEST: &str = "job.yaml";
/// Folder of the volume in the pods.
const VOLUME: &str = "/volume";
/// Seconds that a pod which is taken away has for writing what it has found.
const GRACE: u32 = 60;
/// Failures after which a pod is not tried again.
const MOST_FAILURES: u32 = 6;
/// Failures that are none: a lost node, and a pod that had to make room.
const FAILURES: &str = "  podFailurePolicy:
    rules:
      - action: Ignore
        onPodConditions:
          - type: DisruptionTarget
            status: \"True\"
";
/// Longest name of a claim or a secret.
const MOST_LETTERS: usize = 253;

/// The manifest in a folder, and the command that submits the job, whose search writes to `output`.
///
/// # Errors
/// A name is none of an image, a claim, a secret or a path in a volume, or is missing.
pub fn files(
    arguments: &JobVerbArgs,
    workers: &Workers,
    (job, output): (&Job, Option<&Path>),
    folder: &Path,
) -> anyhow::Result<(Vec<Written>, String)> {
    let manifest = Manifest {
        name: format!("heapwright-{}", &job.id[..8]),
        image: image(arguments.image.as_deref().unwrap_or_default())?,
        storage: Storage::of(arguments)?,
        output: output.and_then(Path::file_name),
        workers,
    };
    let text = manifest.text();
    let file = Written {
        name: MANIFEST,
        text,
        is_executable: false,
    };
    let path = folder.join(MANIFEST);
    let mut command = format!("kubectl apply -f {}", quoted(&path.to_string_lossy()));
    if !manifest.merges() {
        let job = quoted(&arguments.job);
        command.push_str(&format!(
            "; when it is complete, run heapwright merge {job}"
        ));
    }
    Ok((vec![file], command))
}

/// Scalar of an image's name.
fn image(name: &str) -> anyhow::Result<String> {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "._-/:@".contains(letter);
    ensure!(
        !name.is_empty() && name.chars().all(is_plain),
        "--image {name:?} is no name of an image, as registry/heapwright:jdk is one"
    );
    Ok(scalar(name))
}

/// Scalar of the name that an option gives to an object of Kubernetes.
fn object(option: &str, kind: &str, name: &str) -> anyhow::Result<String> {
    let is_plain =
        |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-';
    let is_label = |label: &str| {
        !label.is_empty()
            && label.chars().all(is_plain)
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    ensure!(
        name.len() <= MOST_LETTERS && name.split('.').all(is_label),
        "{option} {name:?} is no name of a {kind}: it has lower-case letters, digits, - and ."
    );
    Ok(scalar(name))
}

/// Folder of the job in the pods.
fn place(arguments: &JobVerbArgs) -> anyhow::Result<String> {
    let path = match &arguments.claim_path {
        Some(path) => path.clone(),
        None => {
            let folder = std::path::absolute(&arguments.job)?;
            let name = folder.file_name().and_then(|name| name.to_str());
            let name = name.with_context(|| {
                let place = &arguments.job;
                format!("{place} has no name: name its path in the volume with --claim-path PATH")
            })?;
            name.to_owned()
        }
    };
    let mut parts = Path::new(&path).components();
    ensure!(
        parts.all(|part| matches!(part, Component::Normal(_) | Component::CurDir)),
        "--claim-path {path:?} is no path in the volume: it begins at the volume's root, without / \
         and .."
    );
    let path = path.trim_matches('/');
    Ok(match path {
        "" | "." => VOLUME.to_owned(),
        below => format!("{VOLUME}/{below}"),
    })
}

/// Scalar of YAML with this text. Its notation in JSON is one.
fn scalar(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Scalar of an argument, in which the kubelet expands no variable.
fn argument(text: &str) -> String {
    scalar(&text.replace('$', "$$"))
}

/// Storage of the job as the pods see it. Texts are scalars.
enum Storage {
    /// Folder in the volume of a claim.
    Volume { claim: String, place: String },
    /// URL of an object store, and the secret with its credentials, if there is one.
    Objects { url: String, secret: Option<String> },
}

impl Storage {
    fn of(arguments: &JobVerbArgs) -> anyhow::Result<Storage> {
        let job = &arguments.job;
        match (is_url(job), &arguments.claim, &arguments.secret) {
            (true, Some(_), _) => bail!("--claim is for a job in a folder: {job} needs no volume"),
            (true, None, secret) => Ok(Storage::Objects {
                url: argument(job),
                secret: match secret {
                    Some(name) => Some(object("--secret", "secret", name)?),
                    None => None,
                },
            }),
            (false, _, Some(_)) => {
                bail!("--secret is for the URL of an object store: {job} is a folder")
            }
            (false, None, None) => bail!(
                "{job} is a folder: name the claim of the volume that holds it with --claim NAME"
            ),
            (false, Some(claim), None) => Ok(Storage::Volume {
                claim: object("--claim", "claim", claim)?,
                place: argument(&place(arguments)?),
            }),
        }
    }

    /// Place of the job, as an argument.
    fn place(&self) -> &str {
        match self {
            Storage::Volume { place, .. } => place,
            Storage::Objects { url, .. } => url,
        }
    }
}

/// What the manifest names. Texts are scalars.
struct Manifest<'a> {
    /// Name of the workers' Job.
    name: String,
    image: String,
    storage: Storage,
    /// Name of the result, if the plan has a file or folder for it.
    output: Option<&'a std::ffi::OsStr>,
    workers: &'a Workers,
}

impl Manifest<'_> {
    fn text(&self) -> String {
        match self.merges() {
            true => format!("{}---\n{}", self.work(), self.merge()),
            false => self.work(),
        }
    }

    /// Whether a pod merges the results. A file or folder for them has no place without a volume.
    fn merges(&self) -> bool {
        matches!(self.storage, Storage::Volume { .. }) || self.output.is_none()
    }

    fn work(&self) -> String {
        let (name, place) = (&self.name, self.storage.place());
        let count = self.workers.count;
        let most = self
            .workers
            .most
            .map_or(count, |most| count.min(most as usize));
        let arguments =
            format!(r#"["work", {place}, "--index=$(JOB_COMPLETION_INDEX)", "--jobs=1"]"#);
        let (pod, container) = (self.pod(), self.container("work", &arguments));
        format!(
            "# Workers of a job of Heapwright: a pod searches a part, then whatever is left.
apiVersion: batch/v1
kind: Job
metadata:
  name: {name}
spec:
  completionMode: Indexed
  completions: {count}
  parallelism: {most}
  # A pod that fails is tried again. One that loses its node, or has to make room, has not failed.
  backoffLimitPerIndex: {MOST_FAILURES}
{FAILURES}{pod}      containers:
{container}"
        )
    }

    fn merge(&self) -> String {
        let (name, place) = (&self.name, self.storage.place());
        let output = self.output.map_or_else(String::new, |output| {
            format!(r#", "-o", {}"#, argument(&output.to_string_lossy()))
        });
        let work = self.container("work", &format!(r#"["work", {place}, "--jobs=1"]"#));
        let merge = self.container("merge", &format!(r#"["merge", {place}{output}]"#));
        let pod = self.pod();
        format!(
            "# Merges the results. Until nothing is left, it is one more worker.
apiVersion: batch/v1
kind: Job
metadata:
  name: {name}-merge
spec:
  backoffLimit: {MOST_FAILURES}
{FAILURES}      # A failing behaviour, a search with limits or nothing was found: no other try finds more.
      - action: FailJob
        onExitCodes:
          containerName: merge
          operator: In
          values: [1, 3, 4]
{pod}      initContainers:
{work}      containers:
{merge}"
        )
    }

    /// Template of pods, but for the containers.
    fn pod(&self) -> String {
        let volumes = match &self.storage {
            Storage::Volume { claim, .. } => format!(
                "      volumes:
        - name: job
          persistentVolumeClaim:
            claimName: {claim}
"
            ),
            Storage::Objects { .. } => String::new(),
        };
        format!(
            "  template:
    spec:
      restartPolicy: Never
      automountServiceAccountToken: false
      # A pod that is taken away writes what it has found in this time.
      terminationGracePeriodSeconds: {GRACE}
{volumes}"
        )
    }

    fn container(&self, name: &str, arguments: &str) -> String {
        let Manifest { image, workers, .. } = self;
        let memory = workers.memory;
        let (folder, storage) = match &self.storage {
            Storage::Volume { .. } => (
                format!("          workingDir: {VOLUME}\n"),
                format!(
                    "          volumeMounts:
            - name: job
              mountPath: {VOLUME}
"
                ),
            ),
            Storage::Objects { secret, .. } => {
                let secret = secret.as_ref().map_or_else(String::new, |secret| {
                    format!(
                        "          envFrom:
            - secretRef: {{name: {secret}}}
"
                    )
                });
                (String::new(), secret)
            }
        };
        format!(
            "        - name: {name}
          image: {image}
          args: {arguments}
{folder}          resources:
            requests: {{cpu: \"1\", memory: {memory}Mi}}
            limits: {{memory: {memory}Mi}}
{storage}"
        )
    }
}
