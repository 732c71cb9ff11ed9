#!/usr/bin/env python3
"""Runs what `assay slurm` prints on a Slurm cluster of two nodes, kills a node, and compares the merged record with that of an undivided run.

Usage: slurm.py <folder of the programs>. The cluster is Debian's packages, unpacked into a temporary folder and started on free ports.
A node is a process namespace, so that a killed node takes all of its processes with it. Needs root rights, and apt-get with its lists:
without root rights or without apt-get it is skipped (77); what does not start is a failure.
"""

import argparse
import getpass
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "harness/cli/outside/shards"))
ARGUMENTS, sys.argv[1:] = sys.argv[1:], []  # those of this script are not for the helpers

import shards  # noqa: E402
from shards import driver  # noqa: E402

PACKAGES = ["slurmctld", "slurmd", "slurm-client", "slurm-wlm-basic-plugins", "libslurm38", "libmunge2", "libhwloc15", "libnuma1"]
# A limit in seconds for whatever is awaited, far above what it takes.
PATIENCE = 120
NODES = ("n1", "n2")
SHARDS = 8
# The reference, which waits at the end of its fourth case while there is a file.
SUBJECT = """import os, subprocess, sys, time
reference = subprocess.Popen([sys.argv[2]], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
resets = 0
for line in sys.stdin.buffer:
    resets += b'"do":"reset"' in line
    while resets >= 4 and os.path.exists(sys.argv[1]):
        time.sleep(0.05)
    reference.stdin.write(line)
    reference.stdin.flush()
    sys.stdout.buffer.write(reference.stdout.readline())
    sys.stdout.buffer.flush()
"""
CONFIGURATION = """ClusterName=two
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ports[0]}
AuthType=auth/none
CredType=cred/none
AuthInfo=cred_expire=5
SlurmUser={user}
SlurmdUser={user}
StateSaveLocation={at}/state
SlurmdSpoolDir={at}/%n
SlurmctldPidFile={at}/slurmctld.pid
SlurmdPidFile={at}/%n.pid
SlurmctldLogFile={at}/slurmctld.log
SlurmdLogFile={at}/%n.log
PluginDir={plugins}
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=sched_interval=1,bf_interval=1,batch_sched_delay=0
SlurmdTimeout=6
KillWait=2
ReturnToService=2
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
SwitchType=switch/none
NodeName=n1 NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[1]} CPUs=2 RealMemory=100
NodeName=n2 NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[2]} CPUs=2 RealMemory=100
PartitionName=p Nodes=n1,n2 Default=YES State=UP
"""


def wait_for(condition, what):
    end = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > end:
            raise AssertionError(f"{what} did not happen")
        time.sleep(0.2)


def expect(condition, what):
    if not condition:
        raise AssertionError(what)


def free_ports(count):
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


def unpack(at):
    (at / "deb").mkdir()
    # The user _apt, as whom apt-get would download, may not write here.
    subprocess.run(["apt-get", "-q", "-o", "APT::Sandbox::User=root", "download", *PACKAGES], cwd=at / "deb", check=True, stdout=subprocess.DEVNULL)
    for package in (at / "deb").glob("*.deb"):
        subprocess.run(["dpkg", "-x", package, at / "x"], check=True)


class Cluster:
    """Ends with its `with` block, and with this process."""

    def __init__(self, at):
        self.at, self.running = at, {}
        libraries = at / "x/usr/lib" / f"{os.uname().machine}-linux-gnu"
        (at / "state").mkdir()
        (at / "slurm.conf").write_text(CONFIGURATION.format(at=at, host=socket.gethostname(), ports=free_ports(3), plugins=libraries / "slurm-wlm",
                                                            user=getpass.getuser()))
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith(("SLURM_", "SBATCH_"))} | {
            "LD_LIBRARY_PATH": f"{libraries}:{libraries / 'slurm-wlm'}", "SLURM_CONF": str(at / "slurm.conf"), "PATH": f"{at / 'x/usr/bin'}:{os.environ['PATH']}"}

    def __enter__(self):
        try:
            self.start("slurmctld", [self.at / "x/usr/sbin/slurmctld-wlm", "-D"])
            for node in NODES:
                self.start_node(node)
            wait_for(lambda: self.idle_nodes() == len(NODES), "the start of the nodes")
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for name in list(self.running):
            self.kill(name)
        expect(driver.children_left() == [], "processes of the cluster are left")

    def start(self, name, words):
        with open(self.at / f"{name}.out", "ab") as out:
            self.running[name] = subprocess.Popen(["setpriv", "--pdeathsig", "KILL", *words], env=self.environment, stdout=out, stderr=out,
                                                  stdin=subprocess.DEVNULL)

    def start_node(self, node):
        (self.at / node).mkdir(exist_ok=True)
        sbin = self.at / "x/usr/sbin"
        # Below chroot, "/" is no mount point, whose propagation could be changed.
        self.start(node, ["unshare", "--mount", "--propagation", "unchanged", "--pid", "--fork", "--kill-child", "--mount-proc",
                          sbin / "slurmd-wlm", "-D", "-N", node, "-d", sbin / "slurmstepd-wlm"])

    def kill(self, name):
        """At once: nobody is told."""
        self.running[name].kill()
        self.running.pop(name).wait()

    def run(self, *words, **more):
        return subprocess.run(words, env=self.environment, capture_output=True, text=True, **more)

    def ask(self, *words):
        done = self.run(*words)
        expect(done.returncode == 0, f"{' '.join(map(str, words))}: {done.stdout}{done.stderr}")
        return done.stdout

    def idle_nodes(self):
        return int(self.run("sinfo", "-h", "-t", "idle", "-o", "%D").stdout or 0)

    def tasks_on(self, job, node=None):
        """The running shards of an array."""
        return self.ask("squeue", "-h", "-t", "R", "-j", job, "-o", "%K", *(["-w", node] if node else [])).split()

    def has_ended(self, job):
        """Slurm forgets a job some minutes after its end."""
        return self.run("squeue", "-h", "-j", job).stdout.strip() == ""


class Check:
    def __init__(self, cluster, programs, at):
        self.cluster, self.assay, self.at, self.hold = cluster, programs / "assay", at, at / "hold"
        (at / "subject.py").write_text(SUBJECT)
        subject = f"{sys.executable} {at / 'subject.py'} {self.hold} {programs / 'assay-reference'}"
        self.words = ["run", "--subject", subject, "--filter", "amp/*", "--filter", "scaler/*", "--timeout", "3600", "--partial"]
        done = cluster.run(self.assay, *self.words, "--json", at / "whole.json")
        self.whole = json.loads((at / "whole.json").read_text())
        expect(self.whole["exit"] == done.returncode, done.stdout + done.stderr)

    def script(self, *options):
        text = self.cluster.ask(self.assay, "slurm", "--shards", str(SHARDS), "-o", self.at / "a folder", *options, "--", *self.words)
        (self.at / "job.sh").write_text(text)
        return self.at / "job.sh"

    def submitted(self, *words):
        """The array, the merge, and the folder."""
        array, merge = self.cluster.ask("bash", *words).splitlines()
        folder = pathlib.Path(merge.partition(" into ")[2]).parent
        return array.split()[1].rstrip(":"), merge.split()[1].rstrip(":"), folder

    def submitted_by_a_job(self, script):
        self.cluster.ask("sbatch", "--wait", f"--output={self.at / 'job.out'}", script)
        return self.submitted("-c", 'cat "$0"', self.at / "job.out")

    def held(self, array, folder):
        """Waits until both nodes have run some cases of two shards each."""
        def is_held():
            tasks = self.cluster.tasks_on(array)
            journals = [folder / f"{task}.unfinished.json.journal" for task in tasks]
            return len(tasks) == 4 and all(one.exists() and one.read_bytes().count(b"\n") > 1 for one in journals)
        wait_for(is_held, "the run of four shards")

    def log_of(self, folder, task):
        return (folder / f"{task}.log").read_text()

    def end(self, merge, folder):
        self.hold.unlink(missing_ok=True)
        wait_for(lambda: self.cluster.has_ended(merge), "the end of the merge")
        expect((folder / "run.json").exists(), "there is no merged record:\n" + "".join(path.read_text() for path in sorted(folder.glob("*.log"))))
        return json.loads((folder / "run.json").read_text())

    def expect_whole(self, record):
        expect(shards.judged(record) == shards.judged(self.whole), "the merged record is not that of the undivided run: " + record["line"])

    def expect_continued(self, folder, tasks):
        for task in tasks:
            log = self.log_of(folder, task)
            expect("continues the run of " in log, f"shard {task} did not continue its run:\n{log}")

    def a_killed_node_and_a_requeued_task(self):
        script = self.script()
        self.hold.touch()
        array, merge, folder = self.submitted(script)
        self.held(array, folder)
        lost, requeued = self.cluster.tasks_on(array, "n2"), self.cluster.tasks_on(array, "n1")[0]
        self.cluster.kill("n2")
        self.cluster.ask("scontrol", "requeue", f"{array}_{requeued}")
        wait_for(lambda: self.cluster.tasks_on(array, "n2") == [], "the loss of the node")
        self.expect_whole(self.end(merge, folder))
        self.expect_continued(folder, [*lost, requeued])
        return f"shards {', '.join(lost)} lost their node, {requeued} was requeued"

    def shards_that_are_lost_and_submitted_again(self):
        self.cluster.start_node("n2")
        wait_for(lambda: self.cluster.idle_nodes() == 2, "the return of the node")
        script = self.script("--sbatch=--no-requeue")
        self.hold.touch()
        array, merge, folder = self.submitted(script)
        self.held(array, folder)
        lost = sorted(self.cluster.tasks_on(array, "n2"))
        self.cluster.kill("n2")
        wait_for(lambda: self.cluster.tasks_on(array, "n2") == [], "the loss of the node")
        record = self.end(merge, folder)
        expect(record["verdict"] == "INCOMPLETE" and record["exit"] == 4, record["line"])
        expect("without shards " + ", ".join(f"{task}/{SHARDS}" for task in lost) in record["line"], record["line"])
        _, merge, again = self.submitted(script, "again", folder)
        expect(again == folder, "again has another folder")
        self.expect_whole(self.end(merge, folder))
        self.expect_continued(folder, lost)
        return f"shards {', '.join(lost)} were lost and named, and completed later"

    def two_submissions(self):
        script = self.script()
        both = [self.submitted(script), self.submitted_by_a_job(script)]
        for _, merge, folder in both:
            self.expect_whole(self.end(merge, folder))
        expect(both[0][2] != both[1][2], "two submissions share a folder")
        return "two arrays keep apart, one submitted by `bash FILE`, one by `sbatch FILE`"


def show_logs(at):
    for path in sorted(at.glob("*.out")) + sorted(at.glob("a folder/*/*.log")):
        print(f"--- {path.name}\n{path.read_text(errors='replace')[-3000:]}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("programs", type=pathlib.Path, nargs="?", default=ROOT / "build/bin", help="the folder of the programs")
    programs = parser.parse_args(ARGUMENTS).programs.resolve()
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        print("skipped: needs root rights, and apt-get for Slurm's packages")
        sys.exit(77)
    driver.adopt_orphans()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    at = pathlib.Path(tempfile.mkdtemp(prefix="assay-slurm."))
    try:
        unpack(at)
        with Cluster(at) as cluster:
            check = Check(cluster, programs, at)
            for test in (check.a_killed_node_and_a_requeued_task, check.shards_that_are_lost_and_submitted_again, check.two_submissions):
                print("ok: " + test(), flush=True)
    except BaseException:
        show_logs(at)
        raise
    finally:
        shutil.rmtree(at, ignore_errors=True)


if __name__ == "__main__":
    main()
