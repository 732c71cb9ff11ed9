#!/usr/bin/env python3
"""Tests the script that `assay slurm` prints, with an sbatch that only notes its arguments. Usage: slurm_test.py <folder of the programs>."""

import json
import os
import pathlib
import signal
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "shards"))

import shards  # noqa: E402
from shards import driver  # noqa: E402

REFERENCE = ["run", "--subject", "reference", *driver.AMP]
# Each would do something in a shell, in sbatch or in the parser of the command line.
NASTY = ["it's", "$(touch burnt)", "`touch burnt`", "a  b", "$HOME", "\\", "\"", "*", "line\nline", "# no", "[a,b]", "", "!!", "~", "é;&|<>()", "%A"]
SBATCH = """#!{python}
import json, sys
with open({calls!r}, "a+") as calls:
    calls.seek(0)
    print(f"{{len(calls.readlines()) + 70}}{more}")
    print(json.dumps(sys.argv[1:]), file=calls)
"""
NOTE = """#!{python}
import json, sys
json.dump(sys.argv[1:], open({to!r}, "w"))
"""


def descendants(pid):
    """The process and all below it, as Slurm finds those of a job."""
    children = [int(child) for file in pathlib.Path(f"/proc/{pid}/task").glob("*/children") for child in file.read_text().split()]
    return [pid, *(below for child in children for below in descendants(child))]


def end_in_turn(pids, number):
    for pid in pids:
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            pass


def is_alive(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


class Slurm(shards.ShardTest):
    def setUp(self):
        super().setUp()
        self.pretend_sbatch()

    def program(self, name, text):
        path = self.write(name, text)
        os.chmod(path, 0o755)
        return path

    def pretend_sbatch(self, more=""):
        """Its jobs are 70, 71, … in the cluster `more`."""
        (self.folder / "bin").mkdir(exist_ok=True)
        self.program("bin/sbatch", SBATCH.format(python=sys.executable, calls=self.path("calls"), more=more))

    def script(self, *words, count=3, options=()):
        done = driver.run("slurm", "--shards", str(count), "-o", self.path("out"), *options, "--", *(words or REFERENCE))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        file = self.write("job.sh", done.stdout)
        self.assertEqual(subprocess.run(["bash", "-n", file], capture_output=True, text=True).stderr, "")
        return file

    def bash(self, *words, **variables):
        environment = shards.surroundings(PATH=f"{self.folder / 'bin'}:{os.environ['PATH']}", **variables)
        return subprocess.run(["bash", *words], capture_output=True, text=True, cwd=self.folder, env=environment, timeout=driver.PATIENCE)

    def submitted(self, file, *words):
        """The arguments of each sbatch, and the output."""
        pathlib.Path(self.path("calls")).write_text("")
        done = self.bash(file, *words)
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        calls = pathlib.Path(self.path("calls")).read_text(encoding="utf-8").splitlines()
        return [json.loads(line) for line in calls], done.stdout

    def task(self, file, number, folder="out/1"):
        return self.bash(file, "shard", self.path(folder), SLURM_ARRAY_TASK_ID=str(number))

    def merged(self, file, folder="out/1"):
        done = self.bash(file, "merge", self.path(folder))
        record = self.folder / folder / "run.json"
        return done, json.loads(record.read_text(encoding="utf-8")) if record.exists() else None

    def test_it_submits_an_array_and_a_merge_that_waits_for_it(self):
        file = self.script()
        (array, merge), out = self.submitted(file)
        folder = self.path("out/1")
        self.assertEqual(array[-6:], ["--cpus-per-task=1", "--array=1-3", f"--output={folder}/%a.log", file, "shard", folder])
        self.assertEqual(merge[-5:], ["--dependency=afterany:70", f"--output={folder}/merge.log", file, "merge", folder])
        for call in array, merge:
            for option in "--parsable", "--requeue", "--open-mode=append", "--job-name=assay":
                self.assertIn(option, call)
        self.assertEqual(out, f"job 70: shards 1-3 of 3\njob 71: merge into {folder}/run.json\n")
        self.assertTrue(os.path.isdir(folder))

    def test_options_of_slurm_are_passed_on(self):
        resources = ["--gpus", "h100:2", "--gres", "gpu:1,nvme:1", "--constraint", "[a|b]&c", "--cpus", "4", "--mem", "8G"]
        both = ["-p", "a,b", "-A", "me", "-t", "1-02:30", "-J", "it's % mine", "--sbatch=--qos=q", "--sbatch=--mail-type=END,FAIL"]
        (array, merge), _ = self.submitted(self.script(options=[*resources, *both, "--at-once", "2"]))
        for option in ("--gpus=h100:2", "--gres=gpu:1,nvme:1", "--constraint=[a|b]&c", "--cpus-per-task=4", "--mem=8G", "--array=1-3%2"):
            self.assertIn(option, array)
            self.assertNotIn(option, merge)
        for option in ("--partition=a,b", "--account=me", "--time=1-02:30", "--job-name=it's % mine", "--qos=q", "--mail-type=END,FAIL"):
            self.assertIn(option, array)
            self.assertIn(option, merge)

    def test_a_run_with_j_gets_as_many_cpus(self):
        (array, merge), _ = self.submitted(self.script(*REFERENCE, "-j", "3"))
        self.assertIn("--cpus-per-task=3", array)
        self.assertNotIn("--cpus-per-task=3", merge)

    def test_the_words_of_the_run_arrive_as_they_were_typed(self):
        for secret in NASTY:
            words = [*REFERENCE, *(["--redact", secret] if secret else []), "--subject", f"none '{secret.encode('unicode_escape').decode()}'"]
            with self.subTest(secret):
                file = pathlib.Path(self.script(*words))
                program = self.program("note", NOTE.format(python=sys.executable, to=self.path("noted")))
                lines = [f"assay={program}" if line.startswith("assay=") else line for line in file.read_text(encoding="utf-8").split("\n")]
                file.write_text("\n".join(lines), encoding="utf-8")
                self.task(str(file), 2)
                shard = ["run", "--shard", "2/3", "--resume", "auto", "--json", self.path("out/1/2.unfinished.json")]
                self.assertEqual(json.loads(pathlib.Path(self.path("noted")).read_text(encoding="utf-8")), [*shard, *words[1:]])
                self.assertFalse(os.path.exists(self.path("burnt")))

    def test_a_secret_is_only_where_the_run_needs_it(self):
        lines = pathlib.Path(self.script(*REFERENCE, "--redact", "hush", "--subject", "none --key hush")).read_text(encoding="utf-8").splitlines()
        self.assertEqual([line.split()[:2] for line in lines if "hush" in line], [['"$assay"', "run"]])
        self.assertTrue(any(line.startswith("# Made by: assay slurm") and "***" in line for line in lines))

    def test_folders_with_special_characters(self):
        for name in ("a  b", "$(touch burnt)", "it's", "100%A", "-o", "é"):
            with self.subTest(name):
                done = driver.run("slurm", "--shards", "2", f"--output={name}", "--", *REFERENCE)
                (array, _), _ = self.submitted(self.write("job.sh", done.stdout))
                folder = str(self.folder / name / "1")
                self.assertEqual(array[-4:], [f"--output={folder.replace('%', '%%')}/%a.log", self.path("job.sh"), "shard", folder])
                self.assertTrue(os.path.isdir(folder))

    def test_a_second_submission_has_a_folder_of_its_own(self):
        file = self.script()
        folders = [self.submitted(file)[0][0][-1] for _ in range(3)]
        self.assertEqual(folders, [self.path(f"out/{number}") for number in (1, 2, 3)])

    def test_a_job_of_a_federation_has_the_name_of_its_cluster_removed(self):
        self.pretend_sbatch(";north")
        (_, merge), _ = self.submitted(self.script())
        self.assertIn("--dependency=afterany:70", merge)

    def test_what_sbatch_refuses_is_told_and_leaves_nothing(self):
        file = self.script()
        self.program("bin/sbatch", "#!/bin/sh\necho 'sbatch: error: invalid partition' >&2\nexit 1\n")
        done = self.bash(file)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("invalid partition\nassay slurm: sbatch has refused the array", done.stderr)
        self.assertEqual(os.listdir(self.path("out")), [])
        self.program("bin/sbatch", '#!/bin/sh\ncase "$*" in *afterany*) exit 1 ;; esac\necho 5\n')
        done = self.bash(file)
        self.assertEqual(done.returncode, 2)
        self.assertIn(f"job 5 has no merge; when it has ended: bash {file} merge {self.path('out/1')}", done.stderr)

    def test_wrong_calls_of_the_script_are_refused(self):
        file = self.script()
        pathlib.Path(self.path("x")).write_text("")
        for words, says in ((["help"], "unknown argument help"), (["merge"], "which folder?"), (["again"], "which folder?"),
                            (["again", self.path("none")], "none"), (["shard", self.path("")], "only a task of the array"),
                            (["merge", self.path("none")], "no shard has a record")):
            with self.subTest(words):
                done = self.bash(file, *words)
                self.assertNotEqual(done.returncode, 0)
                self.assertEqual(done.stdout, "")
                self.assertIn(says, done.stderr)
        with open(file, encoding="utf-8") as script:
            done = subprocess.run(["bash"], stdin=script, capture_output=True, text=True, cwd=self.folder)
        self.assertEqual((done.returncode, "save the script in a file" in done.stderr), (2, True))

    def test_tasks_and_the_merge_make_the_record_of_the_undivided_run(self):
        _, whole = self.whole(*REFERENCE[1:])
        file = self.script()
        self.submitted(file)
        for number in (1, 2, 3, 2):  # a task that has ended may be requeued too
            self.assertEqual(self.task(file, number).returncode, 0)
        done, record = self.merged(file)
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        self.assertEqual(shards.judged(record), shards.judged(whole))
        self.assertEqual(sorted(os.listdir(self.path("out/1"))), ["1.json", "2.json", "3.json", "report.html", "run.json", "run.xml"])

    def test_a_shard_without_a_record_is_named_and_submitted_again(self):
        file = self.script(count=4)
        self.submitted(file)
        for number in (1, 3):
            self.task(file, number)
        done, record = self.merged(file)
        self.assertEqual((done.returncode, record["verdict"]), (4, "INCOMPLETE"))
        self.assertIn("without shards 2/4, 4/4", record["line"])
        (array, merge), out = self.submitted(file, "again", "out/1")
        self.assertEqual((array[-4:], merge[-2:]), (["--output=" + self.path("out/1/%a.log"), file, "shard", self.path("out/1")], ["merge", self.path("out/1")]))
        self.assertIn("--array=2,4", array)
        self.assertIn("shards 2,4 of 4", out)
        for number in (2, 4):
            self.task(file, number)
        self.assertEqual(self.merged(file)[1]["verdict"], "CONFORMS")
        self.assertIn("each shard has its record", self.bash(file, "again", "out/1").stderr)
        self.assertIn("--array=2-3", self.submitted(file, "again", "out/1", "2-3")[0][0])

    def test_a_task_succeeds_if_its_record_is_there_and_the_merge_says_the_verdict(self):
        file = self.script("run", *self.mistaken("backs off twice"), *driver.AMP)
        self.submitted(file)
        for number in (1, 2, 3):
            self.assertEqual(self.task(file, number).returncode, 0)
        done, record = self.merged(file)
        self.assertEqual((done.returncode, record["verdict"]), (1, "FAILS"))
        self.assertTrue(os.path.exists(self.path("out/1/report.html")))

    def test_a_subject_that_cannot_start_leaves_no_record(self):
        file = self.script("run", "--subject", "python3 /no/such.py", *driver.AMP)
        self.submitted(file)
        self.assertEqual(self.task(file, 1).returncode, 2)
        self.assertEqual([name for name in os.listdir(self.path("out/1")) if name.endswith(".json")], [])

    def test_an_interrupted_task_leaves_no_record_and_goes_on_when_it_is_requeued(self):
        for number in (signal.SIGTERM, signal.SIGKILL):
            with self.subTest(number):
                file = self.script("run", "--subject", self.toy("hangs_once", self.path(f"count{number}")), *driver.AMP, *driver.ONE_CONTRACT, count=1)
                folder = pathlib.Path(self.submitted(file)[0][0][-1])
                task = subprocess.Popen(["bash", file, "shard", folder], stdout=subprocess.PIPE, text=True, env=shards.surroundings(SLURM_ARRAY_TASK_ID="1"))
                journal = folder / "1.unfinished.json.journal"
                self.wait_for(lambda: journal.exists() and journal.read_bytes().count(b"\n") > 2, "the task does not get on")
                processes = descendants(task.pid)
                self.assertGreaterEqual(len(processes), 4)  # bash, assay, its supervisor, the subject
                end_in_turn(reversed(processes), number)
                task.communicate(timeout=driver.PATIENCE)
                self.wait_for(lambda: not any(is_alive(pid) for pid in processes), "the run does not end")
                self.assertFalse((folder / "1.json").exists())
                self.assertNotEqual(self.merged(file, folder)[0].returncode, 0)
                again = self.task(file, 1, folder)
                self.assertEqual(again.returncode, 0, again.stderr)
                self.assertIn(f"continues the run of {journal}\n", again.stdout)
                self.assertEqual(sorted(os.listdir(folder)), ["1.json"])
                subject, = json.loads((folder / "1.json").read_text(encoding="utf-8"))["subjects"]
                self.assertNotIn("crash", subject["outcomes"])

    def test_what_no_job_could_do_is_refused_now(self):
        for words, says in (([], "expected `-- run`"), (["fuzz"], "got 'fuzz'"), (["bench", "--quick"], "bench cannot be divided"),
                            ([*REFERENCE, "--json", "x"], "--json: the script gives each job its own"), ([*REFERENCE, "--shard=1/2"], "--shard: "),
                            ([*REFERENCE, "--resume", "auto"], "--resume: "), ([*REFERENCE, "--journal", "j"], "--journal: "),
                            ([*REFERENCE, "--debug", "core/x/y"], "--debug needs a terminal"), (["run", "--nonsense"], "assay run: unknown option '--nonsense'"),
                            (["run", "amp/updte_scale"], "did you mean"), (["run", "--require", "amp", "core"], "--require amp: no case"),
                            (["run", "--waivers", "/no/such.toml"], "/no/such.toml"), (["run", "--redact", "a\u202eb"], "cannot be shown")):
            with self.subTest(words):
                self.refused("slurm", "--shards", "2", "--", *words, says=[says])
        self.refused("slurm", "--shards", "2", "run", says=["expected `-- run`"])

    def test_options_that_sbatch_would_not_take_are_refused(self):
        for words, says in ((["--shards", "0"], "--shards"), (["--shards", "2", "--gpus", "many"], "expected a number or type:number, got 'many'"),
                            (["--shards", "2", "--gpus", "h100:0"], "h100:0"), (["--shards", "2", "-t", "soon"], "got 'soon'"),
                            (["--shards", "2", "-p", ""], "expected a text"), (["--shards", "2", "-J", "a\nb"], "a control character"),
                            (["--shards", "2", "-o", "a\\b"], "a backslash"), (["--shards", "2", "--sbatch", "qos=x"], "expected an option as in"),
                            (["--shards", "2", "--sbatch=--array=1-9"], "the script sets --array=1-9 itself"), ([], "--shards is required")):
            with self.subTest(words):
                self.refused("slurm", *words, "--", *REFERENCE, says=[says])


if __name__ == "__main__":
    driver.main()
