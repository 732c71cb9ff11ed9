#!/usr/bin/env python3
"""Tests the installed project from an independent project: `installed.py BUILD VERSION`.

All folders have a space and a quote in their names. Runs the steps of the workflow in harness/subject/example/ci: they install a wheel
of the files that `cmake --install` has installed, build the example with find_package(assay), and test it.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import zipfile

import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts" / "cmake"))
sys.dont_write_bytecode = True
from wheel_archive import write_wheel  # noqa: E402

BUILD, VERSION = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
EXAMPLE = "harness/subject/example"
UPDATE_SCALE = ["--filter", "amp/update_scale/*"]


def install(prefix, *words):
    subprocess.run(["cmake", "--install", BUILD, "--prefix", prefix, *words], check=True, stdout=subprocess.DEVNULL)


def files_below(folder):
    return [path for path in sorted(folder.rglob("*")) if path.is_file()]


class Installed(unittest.TestCase):
    """The tests share one installation; tests that change it use a copy."""

    @classmethod
    def setUpClass(cls):
        place = tempfile.TemporaryDirectory(prefix="it's a place ")
        cls.addClassCleanup(place.cleanup)
        cls.place = pathlib.Path(place.name)
        cls.home = cls.place / "home"
        cls.prefix = cls.home / "assay"
        install(cls.prefix)
        cls.assay = cls.prefix / "bin" / "assay"
        cls.work = cls.place / "my runtime"
        shutil.copytree(cls.prefix / "share/doc/assay" / EXAMPLE, cls.work)
        # For this machine only: scripts/wheel builds one for others.
        cls.wheel = write_wheel(cls.place, VERSION, "2.28", cls.prefix, ROOT / "harness/python/torch_assay", ROOT)

    def run_in(self, folder, *words, program=None, path=None):
        environment = {**os.environ, "PATH": f"{path}:{os.environ['PATH']}" if path else os.environ["PATH"]}
        return subprocess.run([program or self.assay, *words], cwd=folder, env=environment, capture_output=True, text=True,
                              timeout=1200)

    def assert_passes(self, done):
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    # The installed files.

    def test_the_program_says_its_version_and_revision(self):
        said = self.assert_passes(self.run_in("/", "--version"))
        self.assertRegex(said, rf"^assay {re.escape(VERSION)} \([0-9a-f]{{12}}\+?\)$|^assay {re.escape(VERSION)} \(unknown\)$")

    def test_no_text_holds_a_path_of_this_machine(self):
        for file in files_below(self.prefix):
            text = file.read_bytes()
            if b"\0" in text[:4096] or file.suffix == ".a":
                continue
            for path in (ROOT, BUILD, self.prefix):
                self.assertNotIn(os.fsencode(path), text, file)

    def test_the_program_names_no_path_of_this_machine(self):
        self.assertNotIn(os.fsencode(ROOT) + b"/", (self.prefix / "bin/assay").read_bytes())

    def test_headers_include_only_each_other(self):
        headers = files_below(self.prefix / "include")
        self.assertGreater(len(headers), 10)
        for header in headers:
            for named in re.findall(r'#include "([^"]+)"', header.read_text(encoding="utf-8")):
                self.assertTrue((self.prefix / "include" / named).is_file(), f"{header.name} includes {named}")

    def test_the_library_is_the_subjects_side_and_nothing_else(self):
        (library,) = self.prefix.rglob("libassay_subject.a")
        symbols = subprocess.run(["nm", "-C", library], check=True, capture_output=True, text=True).stdout
        self.assertIn(" T assay::serve(assay::Subject&)", symbols)
        for other in ("assay::connect_process", "assay::validate_command", "nlohmann", "valijson", "fmt::"):
            self.assertNotIn(other, symbols)

    def test_links_of_the_documents_lead_somewhere(self):
        documents = self.prefix / "share/doc/assay"
        for file in (documents / "README.md", documents / "CHANGELOG.md", documents / "harness/protocol/README.md"):
            text = re.sub(r"^```.*?^```", "", file.read_text(encoding="utf-8"), flags=re.M | re.S)
            for link in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text):
                self.assertTrue((file.parent / link).exists(), f"{file.relative_to(documents)} links to {link}")

    def test_components_are_what_their_names_say(self):
        wanted = {"program": {"bin", "libexec", "share"}, "development": {"include", "lib"}, "documentation": {"share"}}
        for component, folders in wanted.items():
            prefix = self.place / component
            install(prefix, "--component", component)
            self.assertLessEqual({path.name for path in prefix.iterdir()}, folders)
            self.assertTrue(files_below(prefix))

    # A project that uses the installation.

    def steps(self, job):
        text = (self.work / "ci/conformance.yml").read_text(encoding="utf-8")
        job = yaml.safe_load(text)["jobs"][job]
        self.assertEqual(job["defaults"]["run"]["shell"], "bash")
        return [step for step in job["steps"] if "run" in step]

    def run_step(self, step, home):
        """Like GitHub's runner. Debian's packages are not installed."""
        if "apt-get" in step["run"]:
            return None
        environment = {**os.environ, "HOME": str(home), "GITHUB_STEP_SUMMARY": str(home / "summary.md"), "GITHUB_ACTIONS": "true",
                       "ASSAY": str(self.wheel), "PIP_NO_INDEX": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
        return subprocess.run(["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]], cwd=self.work,
                              env=environment, capture_output=True, text=True, timeout=1200)

    def run_job(self, job):
        """The names of its steps, and the home folder."""
        home = self.place / f"home of {job}"
        home.mkdir()
        ran = [step["name"] for step in self.steps(job) if self.must_succeed(step, home)]
        self.assertIn("amp", (home / "summary.md").read_text(encoding="utf-8"))
        self.assertIn("<testsuite", (self.work / "conformance.xml").read_text(encoding="utf-8"))
        return ran

    def test_a_python_project_runs_the_workflow_with_the_wheel(self):
        self.assertEqual(self.run_job("python"), ["Install Assay", "Does it conform?"])

    def test_a_wrong_runtime_fails_the_workflow(self):
        home = self.place / "home of a wrong one"
        home.mkdir()
        project = self.place / "wrong runtime"
        shutil.copytree(self.work, project)
        source = project / "my_runtime.py"
        source.write_text(source.read_text(encoding="utf-8").replace("grown if math.isfinite(grown) else scale", "grown"), encoding="utf-8")
        install, judge = self.steps("python")[1:]
        self.must_succeed(install, home)
        self.work, before = project, self.work
        try:
            done = self.run_step(judge, home)
        finally:
            self.work = before
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("::error", done.stdout)

    def test_a_project_finds_the_package_and_its_workflow_ends_green(self):
        self.assertEqual(self.run_job("cpp"), ["Install Assay", "Build my runtime", "Does it conform?"])
        server = self.run_in(self.work, "run", "--subject", "build/my_server", *UPDATE_SCALE)
        self.assertRegex(self.assert_passes(server), r"(?m)^\w+ .*\b0 fail|^(PASS|CONFORMS|INCOMPLETE) ")
        readme = (self.prefix / "share/doc/assay/README.md").read_text(encoding="utf-8")
        (self.work / "mine.py").write_text(re.search(r"```python\n(# my_runtime.py.*?)```", readme, re.S).group(1), encoding="utf-8")
        in_python = self.run_in(self.work, "run", "--subject", "python3 mine.py", "--filter", "amp/update_scale/counts_in_integers")
        self.assert_passes(in_python)
        by_path = self.run_in("/", "run", "--subject", self.work / "build/my_runtime.so", *UPDATE_SCALE)
        self.assert_passes(by_path)
        exported = subprocess.run(["nm", "-D", "--defined-only", self.work / "build/my_runtime.so"], check=True,
                                  capture_output=True, text=True).stdout.split("\n")
        names = {line.split()[2].split("@")[0] for line in exported if line}
        self.assertEqual(names, {"assay_open", "assay_execute", "assay_close"})

    def must_succeed(self, step, home):
        done = self.run_step(step, home)
        if done is None:
            print(f"left out: {step['name']}")
            return False
        self.assertEqual(done.returncode, 0, f"{step['name']}:\n{done.stdout}{done.stderr}")
        return True

    def test_shells_find_their_scripts_of_completion(self):
        for shell, path in (("bash", "bash-completion/completions/assay"), ("zsh", "zsh/site-functions/_assay"),
                            ("fish", "fish/vendor_completions.d/assay.fish")):
            said = self.assert_passes(self.run_in("/", "completion", shell))
            self.assertEqual((self.prefix / "share" / path).read_text(encoding="utf-8"), said)
            with zipfile.ZipFile(self.wheel) as archive:
                self.assertEqual(archive.read(f"torch_assay-{VERSION}.data/data/share/{path}").decode(), said)

    def test_the_library_alone_is_enough_to_be_found(self):
        prefix = self.place / "library alone"
        install(prefix, "--component", "development")
        project = self.place / "small project"
        project.mkdir()
        (project / "CMakeLists.txt").write_text(
            "cmake_minimum_required(VERSION 3.25)\nproject(small LANGUAGES CXX)\n"
            f"find_package(assay {VERSION} REQUIRED)\n"
            "if(NOT TARGET assay::subject OR TARGET assay::assay)\n  message(FATAL_ERROR \"not as installed\")\nendif()\n")
        done = subprocess.run(["cmake", "-S", project, "-B", project / "build", f"-DCMAKE_PREFIX_PATH={prefix}"],
                              capture_output=True, text=True)
        self.assert_passes(done)

    def test_the_sources_of_the_library_are_compiled_by_the_project_that_uses_them(self):
        """As from the wheel, whose own compiler has a C++ library of its own."""
        build, prefix = self.place / "configured", self.place / "with sources"
        subprocess.run(["cmake", "-S", ROOT, "-B", build, "-G", "Ninja", "-DASSAY_INSTALL_SOURCES=ON", "-DASSAY_CUDA=OFF"], check=True,
                       stdout=subprocess.DEVNULL)
        subprocess.run(["cmake", "--install", build, "--prefix", prefix, "--component", "development"], check=True, stdout=subprocess.DEVNULL)
        self.assertEqual(list(prefix.rglob("*.a")), [])
        project = self.place / "from sources"
        shutil.copytree(self.prefix / "share/doc/assay" / EXAMPLE, project)
        for words in (["-S", project, "-B", project / "build", f"-DCMAKE_PREFIX_PATH={prefix}"], ["--build", project / "build"]):
            done = subprocess.run(["cmake", *words], capture_output=True, text=True)
            self.assert_passes(done)
        for subject in ("my_server", "my_runtime.so"):
            done = self.run_in(project, "run", "--subject", f"build/{subject}", *UPDATE_SCALE)
            self.assert_passes(done)

    # Moved to another folder, and called by different names.

    def test_it_finds_its_other_programs_when_moved_and_by_a_link(self):
        moved = self.place / "moved 'twice'"
        shutil.copytree(self.prefix, moved)
        folder = self.place / "somewhere on PATH"
        folder.mkdir()
        (folder / "assay").symlink_to(moved / "bin/assay")
        for subject in ("cuda_on_cpu", "libtorch"):
            if (BUILD / "bin" / f"assay-{subject.replace('_', '-')}").exists():
                done = self.run_in(folder, "run", "--subject", subject, "--filter", "core/nan/*", program=folder / "assay")
                self.assertIn(done.returncode, (0, 4), done.stdout + done.stderr)
                self.assertNotIn("was not built", done.stderr)
        if (BUILD / "bin/assay-cuda").exists():
            done = self.run_in(folder, "doctor", program=folder / "assay")
            self.assertNotIn("not built", self.assert_passes(done))

    def test_mutants_stay_in_the_build_folder(self):
        done = self.run_in("/", "run", "--subject", "mutant:update_scale_tracker_saturates", *UPDATE_SCALE)
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertIn("an installation has none", done.stderr)

    def replay_line(self, **how):
        wrong = f"{sys.executable} '{ROOT}/harness/adapters/stranger/wrong_answers.py' 1"
        done = self.run_in("/", "run", "--subject", wrong, *UPDATE_SCALE, **how)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        return re.search(r"^  replay +(.+)$", done.stdout, re.M).group(1)

    def test_replay_lines_call_this_program_by_its_name_where_that_finds_it(self):
        line = self.replay_line(path=self.assay.parent)
        self.assertTrue(line.startswith("assay replay "), line)

    def test_replay_lines_call_this_program_by_its_path_where_it_is_not_on_path(self):
        line = self.replay_line()
        self.assertTrue(line.startswith(f'"{self.assay}" replay '), line)
        done = subprocess.run(line, shell=True, cwd="/", capture_output=True, text=True)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
