//! A job on Kubernetes: the manifest fits the published schemas, and its pods find what one run
//! finds, as processes of this machine.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::Duration;

use expect_test::expect;
use heapwright_testkit::fixtures;
use heapwright_testkit::jdk::jdks;
use heapwright_testkit::python::Python;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::Value;

use crate::common::{program, text};

const SEARCH: [&str; 4] = [
    "enumerate",
    "-c",
    "fixtures.tree.SearchTree",
    "--search=korat",
];
const NAMES: [&str; 2] = ["--image=registry/heapwright:jdk", "--claim=shared"];
/// Folder of the volume in the pods.
const VOLUME: &str = "/volume";

/// Volume, in which a job is planned.
struct Volume {
    folder: tempfile::TempDir,
    nodes: &'static str,
}

impl Volume {
    /// Volume with the job of a search in trees of so many nodes.
    fn new(nodes: &'static str) -> Volume {
        let volume = Volume {
            folder: tempfile::tempdir().unwrap(),
            nodes,
        };
        let whole = volume.search(&["-o", "whole"]);
        assert!(whole.status.success(), "{whole:?}");
        let plan = volume.search(&["-o", "elsewhere/trees", "--job", "tree", "--parts", "3"]);
        assert!(plan.status.success(), "{plan:?}");
        volume
    }

    fn command(&self) -> Command {
        let mut program = program();
        program.env("JAVA_HOME", &jdks()[0].home);
        program.current_dir(self.folder.path());
        program
    }

    fn search(&self, more: &[&str]) -> Output {
        let mut search = self.command();
        search.args(SEARCH).args(["--args", self.nodes]);
        search.args(["--format", "jsonl", "-p"]);
        search.arg(fixtures::classes()).args(more);
        search.output().unwrap()
    }

    fn write(&self, more: &[&str]) -> Output {
        let mut job = self.command();
        job.args(["job", "tree", "--kubernetes"]).args(more);
        job.output().unwrap()
    }

    fn manifest(&self, more: &[&str]) -> PathBuf {
        let written = self.write(&[&NAMES, more].concat());
        assert!(written.status.success(), "{written:?}");
        let path = self.folder.path().join("kubernetes").join("job.yaml");
        let said = text(&written.stdout);
        let command = format!("kubectl apply -f '{}'", path.display());
        assert!(said.contains(&command), "{said}");
        path
    }

    /// Starts a container of a pod with this index, as the kubelet does: variables are expanded in
    /// the arguments.
    fn start(&self, container: &Value, index: usize) -> Child {
        let volume = self.folder.path().to_str().unwrap();
        let of_pod = |text: &Value| {
            let text = text.as_str().unwrap();
            let text = text.replace("$(JOB_COMPLETION_INDEX)", &index.to_string());
            text.replacen(VOLUME, volume, 1)
        };
        let mut command = self.command();
        command.args(container["args"].as_array().unwrap().iter().map(of_pod));
        command.current_dir(of_pod(&container["workingDir"]));
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().unwrap()
    }

    fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.folder.path().join(name)).unwrap()
    }
}

/// Python with the schemas that the project of Kubernetes publishes.
fn python() -> Python {
    Python::with(&["kubernetes-validate==1.37.0"])
}

/// Documents of a manifest.
fn documents(manifest: &Path) -> Vec<Value> {
    let mut command = python().command();
    let script = "import json, sys, yaml; print(json.dumps(list(yaml.safe_load_all(sys.stdin))))";
    command.args(["-c", script]);
    let output = command.stdin(fs::File::open(manifest).unwrap()).output();
    let output = output.unwrap();
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{output:?}"))
}

/// Checks a manifest against the schemas of a version, strictly: an unknown key is an error.
pub fn fits(manifest: &Path, version: &str) -> Output {
    let mut command = python().command();
    command.args(["-m", "kubernetes_validate", "--strict", "-k", version]);
    command.arg(manifest).output().unwrap()
}

#[test]
#[ignore = "servers: a schema"]
fn the_manifest_fits_the_schemas_of_kubernetes() {
    let volume = Volume::new("4");
    let manifest = volume.manifest(&["--workers", "2", "--claim-path", "jobs/$(tree) \"1\""]);
    let written = fs::read_to_string(&manifest).unwrap();
    for version in ["1.33", "1.37"] {
        let checked = fits(&manifest, version);
        assert!(checked.status.success(), "{version}: {checked:?}");
        let other = manifest.with_file_name("other.yaml");
        fs::write(&other, written.replace("backoffLimitPerIndex", "limit")).unwrap();
        let checked = fits(&other, version);
        assert!(!checked.status.success(), "{version}: {checked:?}");
    }
    let id = regex::Regex::new("heapwright-[0-9a-f]{8}").unwrap();
    let written = id.replace_all(&written, "heapwright-ID");
    expect![[r##"
        # Workers of a job of Heapwright: a pod searches a part, then whatever is left.
        apiVersion: batch/v1
        kind: Job
        metadata:
          name: heapwright-ID
        spec:
          completionMode: Indexed
          completions: 3
          parallelism: 2
          # A pod that fails is tried again. One that loses its node, or has to make room, has not failed.
          backoffLimitPerIndex: 6
          podFailurePolicy:
            rules:
              - action: Ignore
                onPodConditions:
                  - type: DisruptionTarget
                    status: "True"
          template:
            spec:
              restartPolicy: Never
              automountServiceAccountToken: false
              # A pod that is taken away writes what it has found in this time.
              terminationGracePeriodSeconds: 60
              volumes:
                - name: job
                  persistentVolumeClaim:
                    claimName: "shared"
              containers:
                - name: work
                  image: "registry/heapwright:jdk"
                  args: ["work", "/volume/jobs/$$(tree) \"1\"", "--index=$(JOB_COMPLETION_INDEX)", "--jobs=1"]
                  workingDir: /volume
                  resources:
                    requests: {cpu: "1", memory: 2304Mi}
                    limits: {memory: 2304Mi}
                  volumeMounts:
                    - name: job
                      mountPath: /volume
        ---
        # Merges the results. Until nothing is left, it is one more worker.
        apiVersion: batch/v1
        kind: Job
        metadata:
          name: heapwright-ID-merge
        spec:
          backoffLimit: 6
          podFailurePolicy:
            rules:
              - action: Ignore
                onPodConditions:
                  - type: DisruptionTarget
                    status: "True"
              # A failing behaviour, a search with limits or nothing was found: no other try finds more.
              - action: FailJob
                onExitCodes:
                  containerName: merge
                  operator: In
                  values: [1, 3, 4]
          template:
            spec:
              restartPolicy: Never
              automountServiceAccountToken: false
              # A pod that is taken away writes what it has found in this time.
              terminationGracePeriodSeconds: 60
              volumes:
                - name: job
                  persistentVolumeClaim:
                    claimName: "shared"
              initContainers:
                - name: work
                  image: "registry/heapwright:jdk"
                  args: ["work", "/volume/jobs/$$(tree) \"1\"", "--jobs=1"]
                  workingDir: /volume
                  resources:
                    requests: {cpu: "1", memory: 2304Mi}
                    limits: {memory: 2304Mi}
                  volumeMounts:
                    - name: job
                      mountPath: /volume
              containers:
                - name: merge
                  image: "registry/heapwright:jdk"
                  args: ["merge", "/volume/jobs/$$(tree) \"1\"", "-o", "trees"]
                  workingDir: /volume
                  resources:
                    requests: {cpu: "1", memory: 2304Mi}
                    limits: {memory: 2304Mi}
                  volumeMounts:
                    - name: job
                      mountPath: /volume
    "##]].assert_eq(&written);
}

#[test]
#[ignore = "servers: a schema"]
fn pods_find_what_one_run_finds() {
    let volume = Volume::new("8");
    let jobs = documents(&volume.manifest(&[]));
    let [workers, merge] = &jobs[..] else {
        panic!("{jobs:?}");
    };
    let worker = &workers["spec"]["template"]["spec"]["containers"][0];
    assert_eq!(workers["spec"]["completions"], 3);
    // A node is drained: its pod has to end, and has a successor of the same index.
    let pod = volume.start(worker, 1);
    let begun = volume.folder.path().join("tree").join("running");
    while !begun.exists() {
        sleep(Duration::from_millis(20));
    }
    sleep(Duration::from_millis(300));
    kill(Pid::from_raw(pod.id().cast_signed()), Signal::SIGTERM).unwrap();
    let drained = pod.wait_with_output().unwrap();
    let said = text(&drained.stdout);
    assert_eq!(drained.status.code(), Some(3), "{drained:?}");
    let has_written = said.contains("written") && !said.contains(": 0 results");
    assert!(has_written, "{said}");
    let part = volume.folder.path().join("tree/results/2");
    assert_eq!(fs::read_dir(part).unwrap().count(), 1);
    let mut pods: Vec<Child> = (0..3).map(|index| volume.start(worker, index)).collect();
    // A node is lost.
    let mut lost = pods.remove(0);
    sleep(Duration::from_millis(300));
    lost.kill().unwrap();
    lost.wait().unwrap();
    // The claim of the lost is void after a while, which need not pass here.
    fs::remove_dir_all(&begun).unwrap();
    pods.push(volume.start(worker, 0));
    for pod in pods {
        let output = pod.wait_with_output().unwrap();
        assert!(output.status.success(), "{output:?}");
        assert!(text(&output.stdout).contains("nothing is left"));
    }
    let pod = &merge["spec"]["template"]["spec"];
    for container in [&pod["initContainers"][0], &pod["containers"][0]] {
        let output = volume.start(container, 0).wait_with_output().unwrap();
        assert!(output.status.success(), "{output:?}");
    }
    assert!(volume.read("trees") == volume.read("whole"));
}

#[test]
#[ignore = "servers: a schema"]
fn a_pod_that_merges_works_until_nothing_is_left() {
    let volume = Volume::new("4");
    let jobs = documents(&volume.manifest(&[]));
    let pod = &jobs[1]["spec"]["template"]["spec"];
    for container in [&pod["initContainers"][0], &pod["containers"][0]] {
        let output = volume.start(container, 0).wait_with_output().unwrap();
        assert!(output.status.success(), "{output:?}");
    }
    assert!(volume.read("trees") == volume.read("whole"));
}

#[test]
#[ignore = "servers: a schema"]
fn names_that_do_not_fit_are_refused() {
    let volume = Volume::new("4");
    for (more, message) in [
        (&[][..], "--image <IMAGE>"),
        (
            &[NAMES[0]],
            "tree is a folder: name the claim of the volume that holds it with --claim NAME",
        ),
        (
            &[NAMES[0], "--secret=keys"],
            "--secret is for the URL of an object store: tree is a folder",
        ),
        (&[NAMES[0], NAMES[1], "--secret=keys"], "--secret <NAME>"),
        (
            &[NAMES[0], "--claim=Shared"],
            "--claim \"Shared\" is no name",
        ),
        (&[NAMES[0], "--claim=a..b"], "--claim \"a..b\" is no name"),
        (&[NAMES[1], "--image=a b"], "--image \"a b\" is no name"),
        (&[NAMES[0], NAMES[1], "--slurm"], "--slurm"),
        (&[NAMES[0], NAMES[1], "--time=5m"], "--time <TIME>"),
        (
            &[NAMES[0], NAMES[1], "--claim-path=../tree"],
            "--claim-path \"../tree\" is no path in the volume",
        ),
        (
            &[NAMES[0], NAMES[1], "--claim-path=/tree"],
            "--claim-path \"/tree\" is no path in the volume",
        ),
    ] {
        let output = volume.write(more);
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{more:?}: {output:?}");
        assert!(error.contains(message), "{more:?}: {error}");
        assert!(!volume.folder.path().join("kubernetes").exists());
    }
}
