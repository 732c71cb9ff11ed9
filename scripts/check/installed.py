#!/usr/bin/env python3
"""Tests the installed project from an independent project: `installed.py BUILD VERSION`.

All folders have a space and a quote in their names. Runs the steps of the workflow in harness/subject/example/ci: they build the
example with find_package(assay) and test it, with the files that `cmake --install` has installed.
"""

import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest

import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD, VERSION = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
EXAMPLE = "harness/subject/example"
UPDATE_SCALE = ["--filter", "amp/update_scale/*"]


def install(prefix, *words):
    subprocess.run(["cmake", "--install", BUILD, "--prefix", prefix, *words], check=True, stdout=subprocess.DEVNULL)


def files_below(folder):
    return [path for path in sorted(folder.rglob("*")) if path.is_file()]


def libraries_of(program):
    """The shared libraries that a program is linked with, by the names that it looks for."""
    said = subprocess.run(["objdump", "-p", program], check=True, capture_output=True, text=True).stdout
    return re.findall(r"^ +NEEDED +(\S+)$", said, re.M)


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
        wanted = {"program": {"bin", "libexec"}, "development": {"include", "lib"}, "documentation": {"share"}}
        for component, folders in wanted.items():
            prefix = self.place / component
            install(prefix, "--component", component)
            self.assertLessEqual({path.name for path in prefix.iterdir()}, folders)
            self.assertTrue(files_below(prefix))

    # A project that uses the installation.

    def steps(self):
        text = (self.work / "ci/conformance.yml").read_text(encoding="utf-8")
        (job,) = yaml.safe_load(text)["jobs"].values()
        self.assertEqual(job["defaults"]["run"]["shell"], "bash")
        return [step for step in job["steps"] if "run" in step]

    def run_step(self, step):
        """Like GitHub's runner. Assay is already built; packages are not installed."""
        if "cache-hit != 'true'" in step.get("if", "") or "apt-get" in step["run"]:
            return None
        summary = self.place / "summary.md"
        environment = {**os.environ, "HOME": str(self.home), "GITHUB_STEP_SUMMARY": str(summary), "GITHUB_ACTIONS": "true"}
        return subprocess.run(["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]], cwd=self.work,
                              env=environment, capture_output=True, text=True, timeout=1200)

    def test_a_project_finds_the_package_and_its_workflow_ends_green(self):
        ran = [step["name"] for step in self.steps() if self.must_succeed(step)]
        self.assertEqual(ran, ["Check that Assay starts", "Build my runtime", "Does it conform?"])
        self.assertIn("amp", (self.place / "summary.md").read_text(encoding="utf-8"))
        self.assertIn("<testsuite", (self.work / "conformance.xml").read_text(encoding="utf-8"))
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

    def must_succeed(self, step):
        done = self.run_step(step)
        if done is None:
            print(f"left out: {step['name']}")
            return False
        self.assertEqual(done.returncode, 0, f"{step['name']}:\n{done.stdout}{done.stderr}")
        return True

    def test_the_step_that_builds_assay_calls_what_there_is(self):
        (step,) = [step for step in self.steps() if "cache-hit" in step.get("if", "")]
        for script in re.findall(r"assay-source/(scripts/\w+)", step["run"]):
            self.assertTrue(os.access(ROOT / script, os.X_OK), script)
        self.assertIn("scripts/run", step["run"])
        (line,) = re.findall(r"scripts/run (.*)", step["run"])
        for_the_run = [word for word in shlex.split(line) if word != "--no-cuda"]
        self.assert_passes(self.run_in("/", "run", *for_the_run))

    def test_the_workflow_installs_the_libraries_of_the_program_in_each_run(self):
        """The cache of a second run holds the program, and not the packages that `scripts/run` installed in the first."""
        (step,) = [step for step in self.steps() if "apt-get install" in step["run"]]
        self.assertNotIn("if", step)
        installed = set(re.findall(r"[a-z0-9][a-z0-9.+-]+", step["run"].split("apt-get install")[1]))
        in_debian = {"libc6", "libgcc-s1", "libstdc++6", "zlib1g"}  # apt depends on them; `bare --workflow` is the proof
        libraries = libraries_of(self.assay)
        self.assertTrue(any(library.startswith("libfmt") for library in libraries), libraries)
        for library in libraries:
            found = subprocess.run(["dpkg-query", "--search", f"*/{library}"], capture_output=True, text=True).stdout
            owners = {line.split(":")[0] for line in found.splitlines()}  # one for each architecture
            self.assertTrue(owners & (installed | in_debian), f"{library} is of {owners}, which the workflow does not install")

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
