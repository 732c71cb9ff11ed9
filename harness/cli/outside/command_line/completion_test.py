#!/usr/bin/env python3
"""Completes command lines in real shells, on a terminal of its own, as a user does by the tab key. Usage: completion_test.py BIN."""

import os
import pathlib
import pty
import re
import select
import shutil
import subprocess
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import driver  # noqa: E402
from driver import run  # noqa: E402

SCRIPTS = driver.ROOT / "harness" / "cli" / "completion"
# What is not shown: colours, cursor movements, the titles of windows.
ESCAPES = re.compile(r"\x1b\[[0-9;?<>=]*[ -/]*[a-zA-Z@`]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[()=>78][0B]?|[\x0e\x0f]")


class Terminal:
    """A shell on a pseudo-terminal."""

    def __init__(self, words, environment):
        self.text = ""
        self.pid, self.end = pty.fork()
        if self.pid == 0:
            os.execvpe(words[0], words, environment)

    def read(self, seconds):
        if select.select([self.end], [], [], seconds)[0]:
            try:
                self.text += os.read(self.end, 65536).decode("utf-8", "replace")
            except OSError:  # the shell has ended
                return False
        return True

    def type_keys(self, keys):
        os.write(self.end, keys.encode())

    def wait_for(self, pattern):
        end = time.monotonic() + driver.PATIENCE
        while not re.search(pattern, self.shown(), re.S):
            if not self.read(1) or time.monotonic() > end:
                raise AssertionError(f"{pattern!r} does not appear in {self.shown()!r}")

    def shown(self):
        return ESCAPES.sub("", self.text)

    def close(self):
        os.close(self.end)
        os.kill(self.pid, 9)
        os.waitpid(self.pid, 0)


class Completion(driver.ProgramTest):
    def words(self, *line):
        done = run("completion", "--words", "--", *line)
        self.assertEqual((done.returncode, done.stderr), (0, ""), line)
        return [row.split("\t")[0] for row in done.stdout.splitlines()]

    # What the program offers.

    def test_commands_options_and_their_values(self):
        self.assertEqual(self.words("re"), ["replay", "report", "record"])
        self.assertEqual(self.words("waivers", "s"), ["suggest"])
        self.assertEqual(self.words("run", "--device-r"), ["--device-rules"])
        self.assertEqual(self.words("run", "--device-rules", ""), ["cpu", "cuda"])
        self.assertEqual(self.words("run", "--device-rules=cu"), ["--device-rules=cuda"])
        self.assertIn("2.15", self.words("run", "--release", "2"))
        self.assertEqual(self.words("list", "cl"), ["clauses"])
        self.assertIn("--no-isolate", self.words("run", "--no"))

    def test_every_command_and_option_that_help_shows(self):
        commands = re.findall(r"(?m)^  (\w+)  ", run("--help").stdout)
        self.assertGreater(len(commands), 20)
        self.assertEqual(set(self.words("")), set(commands))
        for command in commands:
            shown = run(command, "--help", env={**os.environ, "COLUMNS": "200"}).stdout
            options = set(re.findall(r"(?m)(?:^  |^  -\w,|,)(--[\w-]+)", shown))
            self.assertEqual({word for word in self.words(command, "--")}, options, command)

    def test_names_that_only_the_program_knows(self):
        self.assertEqual(self.words("run", "--subject", "cuda"), ["cuda", "cuda_on_cpu"])
        self.assertEqual(self.words("run", "--subject", "mutant:update_scale_backoff_needs"), ["mutant:update_scale_backoff_needs_tracker"])
        self.assertIn("amp", self.words("run", "--require", ""))
        self.assertEqual(self.words("run", "--filter", "am"), ["amp/"])
        self.assertIn("amp/update_scale/", self.words("run", "amp/"))
        self.assertEqual(self.words("run", "amp/update_scale/counts_in_int"), ["amp/update_scale/counts_in_integers"])
        self.assertEqual(self.words("explain", "AMP-105"), ["AMP-105"])
        self.assertEqual(self.words("replay", "2.11.0-cpu/am"), ["2.11.0-cpu/amp"])
        self.assertIn("2.15.0-cpu", self.words("run", "--transcripts", ""))
        self.assertEqual(self.words("litmus", "LT-04"), ["LT-04"])
        self.assertIn("dispatch/", self.words("bench", "--filter", ""))
        self.assertIn("pointer", self.words("bench", "--subject", ""))

    def test_the_place_in_the_line_decides(self):
        self.assertEqual(self.words("run", "--subject", "reference", "--devia"), ["--deviations"])
        self.assertEqual(self.words("diff", "before.json", "--"), self.words("diff", "--"))
        self.assertEqual(self.words("slurm", "--shards", "8", "--", "ru"), ["run"])
        self.assertEqual(self.words("slurm", "--", "run", "--device-rules", "cp"), ["cpu"])
        self.assertEqual(self.words("run", "-j", ""), [])
        self.assertEqual(self.words("no_such_command", ""), [])
        self.assertEqual(self.words("run", "no_such_case"), [])
        self.assertIn("run", self.words())

    def test_the_scripts_are_those_of_the_sources(self):
        for shell in ("bash", "zsh", "fish"):
            self.assertEqual(run("completion", shell).stdout, (SCRIPTS / f"assay.{shell}").read_text(encoding="utf-8"))
        self.assertEqual(self.words("completion", ""), ["bash", "zsh", "fish"])
        for words in ([], ["tcsh"], ["bash", "zsh"]):
            self.refused("completion", *words, says=["expected one of bash, zsh, fish", f"'{' '.join(words)}'"])

    # In shells, on a terminal.

    def shell(self, *words, **variables):
        if shutil.which(words[0]) is None:
            self.skipTest(f"there is no {words[0]} here")
        path = f"{driver.BIN.resolve()}:{os.environ['PATH']}"
        home = {"HOME": str(self.folder), "XDG_CONFIG_HOME": str(self.folder), "XDG_DATA_HOME": str(self.folder), "PWD": str(self.folder)}
        environment = {**os.environ, **home, "PATH": path, "TERM": "xterm", "COLUMNS": "300", **variables}
        terminal = Terminal(["sh", "-c", f'cd "$HOME" && stty columns 300 && exec "$@"', "sh", *words], environment)
        self.addCleanup(terminal.close)
        return terminal

    def completes(self, terminal, typed, wanted):
        """Types a command, the tab key, and looks at the line."""
        start = len(terminal.text)
        terminal.type_keys(typed + "\t")
        end = time.monotonic() + driver.PATIENCE
        while wanted not in ESCAPES.sub("", terminal.text[start:]):
            if not terminal.read(0.2) or time.monotonic() > end:
                self.fail(f"{typed!r} does not become {wanted!r}: {ESCAPES.sub('', terminal.text[start:])!r}")
        terminal.type_keys("\x15")  # Ctrl-U: an empty line
        terminal.read(0.2)

    def completes_words_of_every_kind(self, terminal):
        self.completes(terminal, "assay cov", "assay coverage ")
        self.completes(terminal, "assay run --subject cuda_", "--subject cuda_on_cpu ")
        self.completes(terminal, "assay run --subject=ref", "--subject=reference ")
        self.completes(terminal, "assay run --subject mutant:update_scale_backoff_nee", "mutant:update_scale_backoff_needs_tracker ")
        self.completes(terminal, "assay run --filter amp/update_sc", "amp/update_scale/")
        self.write("my_runtime.so", "")
        self.completes(terminal, "assay run --subject ./my_run", "./my_runtime.so ")

    def test_bash(self):
        terminal = self.shell("bash", "--norc", "--noprofile", "-i", PS1="ready> ")
        terminal.wait_for("ready> ")
        terminal.type_keys('eval "$(assay completion bash)"; bind "set bell-style none"; echo loa""ded\n')
        terminal.wait_for("loaded")
        self.completes(terminal, "assay run --filter 'amp/update_scale/counts_in_i", "'amp/update_scale/counts_in_integers' ")
        self.completes(terminal, f"{driver.BIN.resolve()}/assay cov", "assay coverage ")
        self.completes_words_of_every_kind(terminal)

    def test_zsh(self):
        terminal = self.shell("zsh", "-f", "-i", PS1="ready> ")
        terminal.wait_for("ready> ")
        terminal.type_keys('autoload -U compinit; compinit -u -D; unsetopt beep; eval "$(assay completion zsh)"; echo loa""ded\n')
        terminal.wait_for("loaded")
        self.completes_words_of_every_kind(terminal)

    def complete_in_fish(self, line):
        command = "assay completion fish | source; complete -C $argv[1]"
        done = subprocess.run(["fish", "--no-config", "-c", command, line], capture_output=True, text=True, cwd=self.folder,
                              env={**os.environ, "HOME": str(self.folder), "PATH": f"{driver.BIN.resolve()}:{os.environ['PATH']}"})
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return [row.split("\t")[0] for row in done.stdout.splitlines()]

    def test_fish(self):
        if shutil.which("fish") is None:
            self.skipTest("there is no fish here")
        self.assertEqual(self.complete_in_fish("assay cov"), ["coverage"])
        self.assertEqual(self.complete_in_fish("assay "), sorted(self.words("")))
        self.assertEqual(self.complete_in_fish("assay run --subject cuda_"), ["cuda_on_cpu"])
        self.assertEqual(self.complete_in_fish("assay run --subject=ref"), ["--subject=reference"])
        self.assertEqual(self.complete_in_fish("assay run --filter amp/update_sc"), ["amp/update_scale/"])
        self.write("my_runtime.so", "")
        self.assertEqual(self.complete_in_fish("assay run --subject ./my_run"), ["./my_runtime.so"])


if __name__ == "__main__":
    driver.main()
