"""Results do not depend on how many multiprocessors a device has, nor on how many devices there are."""

import json
import os
import subprocess
import sys
import unittest

PROGRAM = sys.argv.pop(1)
MANY = 1 << 20  # more than the blocks that fit on four multiprocessors take at once
HELLO = {"do": "hello", "with": {"release": "2.11", "device_rules": "cuda", "deviations": "strict"}}


def numbers(dtype, count, start, step):
    recipe = {"kind": "counter", "start": str(start), "step": str(step)}
    return {"tensor": {"dtype": dtype, "shape": [count], "device": "cuda:0", "recipe": recipe}}


def reductions():
    kinds = {"float32": (0x3F000000, 37), "float64": (0x3FE0000000000000, 1 << 33), "float16": (0x0400, 7)}
    for dtype, (start, step) in kinds.items():
        for name in ("sum", "mean", "norm"):
            for count in (1000, MANY + 3):
                yield {"do": "core.op", "with": {"name": name, "args": [numbers(dtype, count, start, step)]}}


def replies(commands, **settings):
    lines = [json.dumps({"id": i, **command}) for i, command in enumerate(commands)]
    done = subprocess.run([PROGRAM], input="\n".join(lines) + "\n", env=os.environ | settings, text=True, capture_output=True)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


class Shape(unittest.TestCase):
    def test_sums_have_the_same_bits_on_4_and_132_multiprocessors(self):
        commands = [HELLO, *reductions()]
        few = replies(commands, ASSAY_ON_CPU_MULTIPROCESSORS="4")
        many = replies(commands, ASSAY_ON_CPU_MULTIPROCESSORS="132")
        self.assertEqual(len(few), len(commands))
        self.assertTrue(all("ok" in reply for reply in few), few)
        self.assertEqual(few, many)

    def test_the_machine_has_as_many_devices_as_it_is_told(self):
        for count in (1, 2, 5):
            (hello,) = replies([HELLO], ASSAY_ON_CPU_DEVICES=str(count))
            cuda = [each for each in hello["ok"]["devices"] if each["device"].startswith("cuda")]
            self.assertEqual(len(cuda), count)


if __name__ == "__main__":
    unittest.main()
