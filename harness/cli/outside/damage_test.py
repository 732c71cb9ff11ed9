#!/usr/bin/env python3
"""Tests that damaged traffic kills no subject of this project, and that a subject that dies of it is detected. Usage: damage_test.py <folder of the programs>."""

import json
import re
import subprocess
import sys

import driver

DAMAGE = driver.ROOT / "scripts" / "damage"
# Answers everything, and dies of the first bool argument after a reset.
FRAIL = r"""
import json, os, sys, time
ready = False
for line in sys.stdin.buffer:
    try:
        message = json.loads(line)
        given = message.get("with", {}).values()
    except (ValueError, AttributeError):
        message, given = {}, []
    ready = ready or message.get("do") == "reset"
    if ready and any(value is True for value in given):
        %s
    print('{"invalid":"no"}', flush=True)
"""


# Past findings, each the death of a subject: an index outside of a sparse gradient,
FOUND = [r"""
{"id":1,"do":"core.tensor","with":{"value":{"tensor":{"dtype":"float32","shape":[4],"bits":"3f800000 3f800000 3f800000 3f800000"}}},"as":"x"}
{"id":2,"do":"core.set_grad","with":{"tensor":{"ref":"x"},"grad":{"sparse":{"shape":[4],"indices":{"dtype":"int64","shape":[1,2],"bits":"0000000000000000 %s"},"values":{"dtype":"float32","shape":[2],"bits":"40800000 40000000"},"coalesced":false}}}}
{"id":3,"do":"optim.sgd","with":{"params":[{"ref":"x"}],"lr":{"f":"0x1p-2"},"momentum":{"f":"0x1p-1"},"nesterov":true,"mode":"foreach"},"as":"sgd"}
{"id":4,"do":"optim.step","with":{"optimizer":{"ref":"sgd"}}}
""" % index for index in ("0000000020000002", "0000000000000004", "ffffffffffffffff", "8000000000000000")]
# missing libraries,
FOUND += ['{"id":1,"do":"dispatch.%s_library","with":{}}' % verb for verb in ("move", "reset")]
FOUND += [r"""
{"id":1,"do":"dispatch.library","with":{"kind":"FRAGMENT","namespace":"a"},"as":"library"}
{"id":2,"do":"dispatch.assign","with":{"to":{"ref":"library"}}}
"""]
# an autocast rule for an operator without a schema,
FOUND += [r"""
{"id":1,"do":"autocast.%s,"device":"cuda","dtype":{"dtype":"float16"}},"as":"rule"}
{"id":2,"do":"autocast.construct","with":{"device":"cuda:0"},"as":"region"}
{"id":3,"do":"autocast.enter","with":{"region":{"ref":"region"}}}
{"id":4,"do":"dispatch.call","with":{"op":"ns::first","args":[{"tensor":{"dtype":"bfloat16","shape":[1],"device":"cuda:0","bits":"3f80"}},{"tensor":{"dtype":"bfloat16","shape":[1],"device":"cuda:0","bits":"3f80"}}]}}
""" % rule for rule in ('register","with":{"op":"ns::first"', 'wrap","with":{"op":"ns::first","policy":"lower_precision_fp"')]
# a tensor with all keys, including Python's dispatcher,
FOUND += [r"""
{"id":0,"do":"hello","with":{"release":"%s","device_rules":"cuda","deviations":"compat"}}
{"id":1,"do":"dispatch.def","with":{"schema":"ft::two(Tensor x, Tensor y) -> Tensor"},"as":"def"}
{"id":2,"do":"dispatch.tensor","with":{"keys":["CPU"]},"as":"plain"}
{"id":3,"do":"dispatch.tensor","with":{"keys":{"i":"9223372036854775807"}},"as":"all"}
{"id":4,"do":"dispatch.call","with":{"op":"ft::two","args":[{"ref":"plain"},{"ref":"all"}],"boxed":true}}
""" % release for release in ("2.4", "2.11")]
# memory freed while a gate blocks the kernel that writes to it (the second drop is the error),
FOUND += [r"""
{"id":1,"do":"runtime.pool_stream","with":{"device":{"device":"cuda:0"}},"as":"stream"}
{"id":2,"do":"core.tensor","with":{"value":{"tensor":{"dtype":"float32","shape":[1],"device":"cuda:0","bits":"00000000"}}},"as":"from"}
{"id":3,"do":"runtime.gate","with":{"stream":{"ref":"stream"}},"as":"gate"}
{"id":4,"do":"runtime.load","with":{"tensor":{"ref":"from"},"stream":{"ref":"stream"}},"as":"to"}
{"id":5,"do":"drop","with":{"object":{"ref":"to"}}}
{"id":6,"do":"runtime.open","with":{"gate":{"ref":"gate"}}}
{"id":7,"do":"runtime.synchronize_device","with":{}}
{"id":8,"do":"drop","with":{"object":{"ref":"to"}}}
"""]
# a reset of a graph during its capture (the second begin is the error),
FOUND += [r"""
{"id":0,"do":"hello","with":{"release":"%s","device_rules":"cuda","deviations":"strict"}}
{"id":1,"do":"core.tensor","with":{"value":{"tensor":{"dtype":"float32","shape":[1],"device":"cuda:0","bits":"3f800000"}}},"as":"x"}
{"id":2,"do":"graph.new","as":"graph"}
{"id":3,"do":"graph.begin","with":{"graph":{"ref":"graph"}}}
{"id":4,"do":"core.op","with":{"name":"mul","args":[{"ref":"x"},{"ref":"x"}]},"as":"before"}
{"id":5,"do":"graph.reset","with":{"graph":{"ref":"graph"}}}
{"id":6,"do":"graph.begin","with":{"graph":{"ref":"graph"}}}
{"id":7,"do":"core.op","with":{"name":"mul","args":[{"ref":"before"},{"ref":"x"}]},"as":"behind"}
{"id":8,"do":"drop","with":{"object":{"ref":"before"}}}
{"id":9,"do":"graph.end","with":{"graph":{"ref":"graph"}}}
{"id":10,"do":"graph.replay","with":{"graph":{"ref":"graph"}}}
{"id":11,"do":"core.read","with":{"tensor":{"ref":"behind"}}}
{"id":12,"do":"graph.reset","with":{"graph":{"ref":"graph"}}}
""" % release for release in ("1.13", "2.11")]
# the end of a graph while another one captures,
FOUND += [r"""
{"id":1,"do":"graph.new","as":"before"}
{"id":2,"do":"graph.new","as":"graph"}
{"id":3,"do":"graph.begin","with":{"graph":{"ref":"graph"}}}
{"id":4,"do":"graph.new","as":"within"}
{"id":5,"do":"graph.end","with":{"graph":{"ref":"%s"}}}
{"id":6,"do":"graph.replay","with":{"graph":{"ref":"before"}}}
{"id":7,"do":"graph.replay","with":{"graph":{"ref":"within"}}}
{"id":8,"do":"graph.end","with":{"graph":{"ref":"graph"}}}
{"id":9,"do":"graph.replay","with":{"graph":{"ref":"graph"}}}
""" % other for other in ("before", "within")]
# a graph that is ended twice, and a gate in a stream that was dropped,
FOUND += [r"""
{"id":1,"do":"graph.new","as":"graph"}
{"id":2,"do":"graph.begin","with":{"graph":{"ref":"graph"}}}
{"id":3,"do":"graph.end","with":{"graph":{"ref":"graph"}}}
{"id":4,"do":"graph.end","with":{"graph":{"ref":"graph"}}}
{"id":5,"do":"graph.replay","with":{"graph":{"ref":"graph"}}}
""", r"""
{"id":1,"do":"runtime.raw_stream","with":{"device":{"device":"cuda:0"},"blocking":true},"as":"stream"}
{"id":2,"do":"runtime.destroy_raw_stream","with":{"stream":{"ref":"stream"}}}
{"id":3,"do":"runtime.gate","with":{"stream":{"ref":"stream"}},"as":"gate"}
{"id":4,"do":"runtime.open","with":{"gate":{"ref":"gate"}}}
"""]
# a typed call with more arguments than the schema has,
FOUND += [r"""
{"id":1,"do":"dispatch.def","with":{"schema":"menu::f() -> Tensor"},"as":"def"}
{"id":2,"do":"dispatch.tensor","with":{"device":"cpu"},"as":"x"}
{"id":3,"do":"dispatch.call","with":{"op":"menu::f","args":[{"ref":"x"},[],null],"signature":"Tensor(const Tensor&,IntList,optional<int64_t>)"}}
"""]
# and a listener that queries the dispatcher while PyTorch's operators are registered.
FOUND += [r"""
{"id":1,"do":"callback","as":"asks","body":[{"do":"dispatch.find","with":{"op":"a::b"}}]}
{"id":2,"do":"dispatch.listen","with":{"added":{"callable":"asks"}},"as":"listener"}
{"id":3,"do":"dispatch.call","with":{"op":"aten::linalg_vecdot","args":[{"tensor":{"dtype":"float32","shape":[1],"bits":"3f000000"}},{"tensor":{"dtype":"float32","shape":[1],"bits":"3f000000"}}]}}
{"id":4,"do":"dispatch.def","with":{"schema":"a::b(Tensor x) -> Tensor"},"as":"def"}
{"id":5,"do":"drop","with":{"object":{"ref":"nobody"}}}
"""]


class DamagedTraffic(driver.ProgramTest):
    def damage(self, *words):
        return subprocess.run([sys.executable, DAMAGE, *words], capture_output=True, text=True)

    def subjects(self):
        """The second is only built if there is a compiler for CUDA."""
        on_cpu = driver.BIN.resolve() / "assay-cuda-on-cpu"
        return [[driver.ASSAY, "serve", "reference"], *([[on_cpu]] if on_cpu.exists() else [])]

    def test_what_it_found_once_is_an_error_and_no_more(self):
        for subject in self.subjects():
            for lines in FOUND:
                with self.subTest(subject=subject, lines=lines):
                    done = subprocess.run(subject, input=lines.strip() + "\n", capture_output=True, text=True, timeout=driver.PATIENCE)
                    replies = [json.loads(line) for line in done.stdout.splitlines()]
                    self.assertEqual((done.returncode, len(replies)), (0, len(lines.strip().splitlines())), done.stderr)
                    self.assertTrue({"error", "invalid"} & {kind for reply in replies for kind in reply}, replies)
                    self.assertNotIn("defect: ", done.stdout)

    def test_no_subject_of_this_project_dies_of_it(self):
        for subject in self.subjects():
            with self.subTest(subject):
                done = self.damage("--lines", "6000", "--seed", "1", *map(str, subject))
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_a_subject_that_dies_is_found_with_the_two_lines_that_kill_it(self):
        for death, says in (("os._exit(3)", "it ended with status 3"), ("os.abort()", "it ended with status -6"), ("print('oh')", "no reply: b'oh"),
                            ("""print('{"error":{"kind":"internal","message":"defect: x"}}', flush=True)""", "a defect: defect: x")):
            with self.subTest(death):
                done = self.damage("--lines", "20000", "--most", "1", sys.executable, "-c", FRAIL % death)
                self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
                self.assertIn(says, done.stdout)
                if "no reply" in says:
                    continue
                first, last = re.findall("^  ({.*})$", done.stdout, re.M)[-2:]
                self.assertEqual(json.loads(first)["do"], "reset")
                self.assertIn(True, json.loads(last)["with"].values())

    def test_a_subject_that_hangs_is_found(self):
        done = self.damage("--lines", "20000", "--most", "1", "--patience", "3", sys.executable, "-c", FRAIL % "time.sleep(600)")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("no reply within 3.0 s", done.stdout)

    def test_the_same_seed_sends_the_same_lines(self):
        echo = "import sys\nfor line in sys.stdin:\n    open(sys.argv[1], 'a').write(line)\n    print('{\"ok\":{}}', flush=True)"
        for name, seed in (("first", 5), ("again", 5), ("other", 6)):
            self.damage("--lines", "300", "--seed", str(seed), sys.executable, "-c", echo, self.path(name))
        texts = [(self.folder / name).read_bytes() for name in ("first", "again", "other")]
        self.assertEqual(texts[0], texts[1])
        self.assertNotEqual(texts[0], texts[2])


if __name__ == "__main__":
    driver.main()
