"""The simulated machine has as many devices as it is told to have."""

import json
import os
import subprocess
import sys
import unittest

PROGRAM = sys.argv.pop(1)
HELLO = {"id": 1, "do": "hello", "with": {"release": "2.11", "device_rules": "cuda", "deviations": "strict"}}


def devices(**settings):
    done = subprocess.run([PROGRAM], input=json.dumps(HELLO) + "\n", env=os.environ | settings, text=True, capture_output=True)
    assert done.returncode == 0, done.stderr
    return [each["device"] for each in json.loads(done.stdout)["ok"]["devices"]]


class Shape(unittest.TestCase):
    def test_the_machine_has_as_many_devices_as_it_is_told(self):
        for count in (1, 2, 5):
            self.assertEqual(devices(ASSAY_ON_CPU_DEVICES=str(count)), [*(f"cuda:{i}" for i in range(count)), "cpu"])


if __name__ == "__main__":
    unittest.main()
