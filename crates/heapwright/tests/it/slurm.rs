//! A job on a cluster of Slurm: real daemons, several nodes on this machine.

use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::thread::sleep;
use std::time::{Duration, Instant};

use heapwright_testkit::fixtures;
use heapwright_testkit::jdk::jdks;
use heapwright_testkit::programs::installed;

use crate::common::{program, text};

/// Nodes of the cluster.
const NODES: [&str; 3] = ["one", "two", "three"];
/// Time after which a cluster that has not finished a job counts as hanging.
const PATIENCE: Duration = Duration::from_secs(600);

/// Cluster in a folder of its own.
struct Cluster {
    folder: tempfile::TempDir,
}

/// Runs a command of the system that must succeed.
fn system(command: &mut Command) -> Output {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}: {output:?}");
    output
}

/// Installs Slurm where it is missing.
fn install() {
    let purpose = "tests run jobs on a cluster of Slurm";
    for (daemon, package) in [
        ("munged", "munge"),
        ("slurmctld", "slurmctld"),
        ("slurmd", "slurmd"),
        ("sbatch", "slurm-client"),
    ] {
        let _ = installed(&[daemon], package, purpose);
    }
}

/// Port that nothing listens at.
fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().port()
}

impl Cluster {
    fn start() -> Cluster {
        install();
        let folder = tempfile::tempdir().unwrap();
        let at = folder.path().to_str().unwrap().to_owned();
        for name in ["state", "spool"] {
            fs::create_dir(folder.path().join(name)).unwrap();
        }
        let key = folder.path().join("munge.key");
        let bytes: Vec<u8> = (0..=255).cycle().take(1_024).collect();
        fs::write(&key, bytes).unwrap();
        system(Command::new("chmod").arg("400").arg(&key));
        let mut text = format!(
            "ClusterName=test\nSlurmctldHost=localhost(127.0.0.1)\nSlurmctldPort={}\n\
             SlurmUser=root\nSlurmdUser=root\nAuthType=auth/munge\nCredType=cred/munge\n\
             AuthInfo=socket={at}/munge.socket,cred_expire=10\nStateSaveLocation={at}/state\n\
             SlurmdSpoolDir={at}/spool/%n\nSlurmctldPidFile={at}/slurmctld.pid\n\
             SlurmdPidFile={at}/slurmd.%n.pid\nSlurmctldLogFile={at}/slurmctld.log\n\
             SlurmdLogFile={at}/slurmd.%n.log\nProctrackType=proctrack/linuxproc\n\
             TaskPlugin=task/none\nSelectType=select/cons_tres\n\
             SelectTypeParameters=CR_CPU\nMpiDefault=none\nReturnToService=2\n\
             SchedulerParameters=sched_interval=1\nSlurmdTimeout=10\n\
             SlurmdParameters=config_overrides\n",
            free_port()
        );
        for node in NODES {
            text += &format!(
                "NodeName={node} NodeHostname=localhost NodeAddr=127.0.0.1 Port={} CPUs=1 \
                 RealMemory=8000\n",
                free_port()
            );
        }
        text += "PartitionName=all Nodes=ALL Default=YES State=UP\n";
        fs::write(folder.path().join("slurm.conf"), text).unwrap();
        let cluster = Cluster { folder };
        let own = |name: &str| format!("{at}/{name}");
        let munge = [
            format!("--key-file={}", own("munge.key")),
            format!("--socket={}", own("munge.socket")),
            format!("--pid-file={}", own("munged.pid")),
            format!("--log-file={}", own("munged.log")),
            format!("--seed-file={}", own("munged.seed")),
        ];
        system(Command::new("munged").arg("--force").args(munge));
        system(&mut cluster.command("slurmctld"));
        for node in NODES {
            system(cluster.command("slurmd").args(["-N", node]));
        }
        cluster
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.env("SLURM_CONF", self.folder.path().join("slurm.conf"));
        command.env("JAVA_HOME", &jdks()[0].home);
        command.current_dir(self.folder.path());
        command
    }

    /// Kills the daemon of a node and all that runs on it.
    fn lose(&self, node: &str) {
        let daemon = self.folder.path().join(format!("slurmd.{node}.pid"));
        let daemon = fs::read_to_string(daemon).unwrap();
        let mut processes = vec![daemon.trim().to_owned()];
        for entry in fs::read_dir("/proc").unwrap() {
            let process = entry.unwrap().path();
            let environment = fs::read(process.join("environ")).unwrap_or_default();
            let has = |variable: String| {
                let mut all = environment.split(|&byte| byte == 0);
                all.any(|one| one == variable.as_bytes())
            };
            let folder = self.folder.path().display();
            if has(format!("SLURMD_NODENAME={node}")) && has(format!("SLURM_SUBMIT_DIR={folder}")) {
                let status = fs::read_to_string(process.join("status")).unwrap_or_default();
                let parent = status.lines().find_map(|line| line.strip_prefix("PPid:"));
                let parent = parent.map_or("0", str::trim);
                let name = fs::read_to_string(format!("/proc/{parent}/comm")).unwrap_or_default();
                // The daemon of the task is not of its environment.
                if name.starts_with("slurmstepd") {
                    processes.push(parent.to_owned());
                }
                processes.push(process.file_name().unwrap().to_str().unwrap().to_owned());
            }
        }
        assert!(processes.len() > 1, "nothing runs on {node}");
        // Some end by themselves when their parents do.
        let _ = Command::new("kill").arg("-KILL").args(processes).output();
    }

    /// Waits until a job runs on a node.
    fn wait_for(&self, node: &str) {
        let start = Instant::now();
        loop {
            let jobs = self
                .command("squeue")
                .args(["--noheader", "--states=R", "-w", node])
                .output()
                .unwrap();
            if jobs.status.success() && !jobs.stdout.is_empty() {
                return;
            }
            assert!(start.elapsed() < PATIENCE, "{jobs:?}");
            sleep(Duration::from_millis(100));
        }
    }

    /// Waits until no job is queued or runs.
    fn wait(&self) {
        let start = Instant::now();
        loop {
            let jobs = self
                .command("squeue")
                .args(["--noheader"])
                .output()
                .unwrap();
            // The controller does not answer while it starts.
            if jobs.status.success() && jobs.stdout.is_empty() {
                return;
            }
            assert!(start.elapsed() < PATIENCE, "{jobs:?}");
            sleep(Duration::from_millis(500));
        }
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        let daemons = NODES.map(|node| format!("slurmd.{node}.pid"));
        let others = ["slurmctld.pid", "munged.pid"].map(str::to_owned);
        for file in daemons.into_iter().chain(others) {
            let process = fs::read_to_string(self.folder.path().join(file));
            if let Ok(process) = process {
                let _ = Command::new("kill")
                    .args(["-KILL", process.trim()])
                    .status();
            }
        }
    }
}

fn run(folder: &Path, arguments: &[&str]) -> Output {
    let mut program = program();
    program.args(arguments).env("JAVA_HOME", &jdks()[0].home);
    system(program.current_dir(folder))
}

/// Job on a cluster: a search in trees of so many nodes, planned with its scripts written.
struct Submitted {
    cluster: Cluster,
    folder: PathBuf,
}

impl Submitted {
    fn new(nodes: &str) -> Submitted {
        let cluster = Cluster::start();
        let folder: PathBuf = cluster.folder.path().to_owned();
        let classes = fixtures::classes();
        let search = [
            "enumerate",
            "-p",
            classes.to_str().unwrap(),
            "-c",
            "fixtures.tree.SearchTree",
            "--args",
            nodes,
            "--search",
            "korat",
            "--format",
            "jsonl",
        ];
        run(&folder, &[&search[..], &["-o", "whole"]].concat());
        let plan = ["-o", "merged", "--job", "job", "--parts", "5"];
        run(&folder, &[&search[..], &plan].concat());
        let scripts = ["job", "job", "--slurm", "-o", "scripts", "--time", "10m"];
        run(&folder, &scripts);
        system(&mut cluster.command("./scripts/submit.sh"));
        Submitted { cluster, folder }
    }

    /// Logs of all tasks.
    fn logs(&self) -> String {
        let files = fs::read_dir(self.folder.join("scripts")).unwrap();
        let files = files.map(|file| file.unwrap().path());
        let logs = files.filter(|file| file.extension().is_some_and(|end| end == "log"));
        let texts = logs.map(|file| fs::read_to_string(file).unwrap());
        texts.collect()
    }

    /// Waits for the job; its result is that of one run.
    fn finds_the_same(&self) {
        self.cluster.wait();
        let (folder, logs) = (&self.folder, self.logs());
        let whole = fs::read(folder.join("whole")).unwrap();
        let merged = fs::read(folder.join("merged")).unwrap_or_else(|_| panic!("{logs}"));
        assert!(merged == whole, "{logs}");
        for task in 1..=5 {
            let log = folder.join("scripts").join(format!("work-{task}.log"));
            let log = fs::read_to_string(log).unwrap();
            assert!(log.contains("nothing is left"), "{logs}");
        }
        let status = run(folder, &["status", "job"]);
        assert!(text(&status.stdout).contains("0 waiting"), "{status:?}");
    }
}

#[test]
#[ignore = "servers: Slurm"]
fn a_cluster_finds_what_one_run_finds() {
    let job = Submitted::new("6");
    job.finds_the_same();
    let report = fs::read_to_string(job.folder.join("scripts").join("merge.log")).unwrap();
    assert!(report.contains("731 structures"), "{report}");
}

#[test]
#[ignore = "servers: Slurm"]
fn a_node_that_is_lost_loses_nothing() {
    let job = Submitted::new("8");
    let [_, lost, _] = NODES;
    job.cluster.wait_for(lost);
    let claims = job.folder.join("job").join("running");
    let start = Instant::now();
    while fs::read_dir(&claims).into_iter().flatten().count() < NODES.len() {
        assert!(start.elapsed() < PATIENCE, "{}", job.logs());
        sleep(Duration::from_millis(20));
    }
    job.cluster.lose(lost);
    job.finds_the_same();
    let state = job
        .cluster
        .command("sinfo")
        .args(["-h", "-n", lost, "-o", "%t"])
        .output();
    let state = text(&state.unwrap().stdout);
    assert!(state.starts_with("down"), "{state}");
}
