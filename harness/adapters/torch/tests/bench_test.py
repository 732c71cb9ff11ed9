"""Tests that Python loops have the same checksums as the harness's own loops; times are ignored."""

import sys
import unittest

sys.dont_write_bytecode = True
from talk import Talk, python_or_skip

FACTOR, MASK = 6364136223846793005, (1 << 64) - 1
# The steps of an iteration, and those of every second one if they differ.
HOST = {"empty": [[1]], "typed_1": [[1]], "typed_2": [[1]], "typed_4": [[1]], "fallthrough_1": [[1]], "fallthrough_2": [[1]],
        "fallthrough_3": [[1]], "boxed_fallback": [[2, 1]], "redispatch_1": [[3, 1]], "redispatch_2": [[3, 3, 1]],
        "redispatch_3": [[3, 3, 3, 1]], "autocast_off": [[6]], "autocast_hit": [[15]], "autocast_miss": [[15]],
        "autocast_promote": [[6, 6]], "amp_update_scale": [[1], [0]], "amp_unscale": [[0xbf800000], [0x3f800000]]}
# Supported by every PyTorch since 1.13.
EVERYWHERE = {"empty", "typed_1", "typed_2", "typed_4", "fallthrough_1", "autocast_off", "autocast_hit", "autocast_miss",
              "autocast_promote"}
NEEDS_A_DEVICE = ("event", "event_create", "event_record", "event_query", "stream_from_pool", "stream_guard", "device_guard",
                  "allocate_hit", "allocate_miss", "allocate_crossed")


def checksum(steps, times, seed=0):
    total = seed & MASK
    for index in range(times):
        for token in steps[index % len(steps)]:
            total = (total * FACTOR + token) & MASK
    return total


def whole(value):
    return int(value["i"] if isinstance(value, dict) else value) & MASK


class HostLoops(unittest.TestCase):
    def setUp(self):
        TALK.ok("reset")

    def test_every_loop_takes_its_steps_whatever_ran_before(self):
        ran = set()
        for loop in [*HOST, *reversed(HOST)]:
            for times in (1, 2, 7):
                with self.subTest(loop=loop, times=times):
                    reply = TALK.reply("bench.run", loop=loop, n=times)
                    if "unsupported" in reply and loop not in EVERYWHERE:
                        continue
                    self.assertIn("ok", reply)
                    self.assertEqual(whole(reply["ok"]["checksum"]), checksum(HOST[loop], times))
                    self.assertEqual(reply["ok"]["via"], "python")
                    self.assertGreaterEqual(whole(reply["ok"]["ns"]), 0)
                    ran.add(loop)
        self.assertLessEqual(EVERYWHERE, ran)

    def test_a_checksum_begins_with_the_seed_and_the_next_one_without(self):
        for seed in (5, -1, 2**63 - 1):
            self.assertEqual(whole(TALK.ok("bench.run", loop="typed_1", n=3, seed=seed)["checksum"]), checksum([[1]], 3, seed))
        self.assertEqual(whole(TALK.ok("bench.run", loop="typed_1", n=3)["checksum"]), checksum([[1]], 3))

    def test_nothing_of_a_loop_is_left(self):
        for loop in HOST:
            TALK.reply("bench.run", loop=loop, n=3)
        self.assertEqual(TALK.ok("dispatch.find", op="assay_bench::call")["result"], False)
        self.assertEqual(TALK.ok("autocast.is_enabled", device="cpu")["result"], False)
        two = {"tensor": {"dtype": "float32", "shape": [1, 1], "bits": "40000000"}}
        self.assertEqual(TALK.ok("dispatch.call", op="aten::mm", args=[two, two])["result"]["tensor"]["bits"], "40800000")

    def test_what_it_has_not_is_unsupported_and_what_makes_no_sense_invalid(self):
        for given, word in (({"loop": "observed", "n": 1}, "unsupported"), ({"loop": "nonsense", "n": 1}, "unsupported"),
                            ({"loop": "empty", "n": 0}, "invalid"), ({"loop": "empty"}, "invalid"), ({"n": 1}, "invalid"),
                            ({"loop": "empty", "n": True}, "invalid"), ({"loop": "empty", "n": 1, "colour": "red"}, "unsupported")):
            with self.subTest(given=given):
                self.assertIn(word, TALK.reply("bench.run", **given))

    def test_without_a_device_its_loops_are_unsupported(self):
        if TALK.reply("bench.run", loop="event_query", n=1).get("ok"):
            self.skipTest("there is a device")
        for loop in NEEDS_A_DEVICE:
            self.assertIn("unsupported", TALK.reply("bench.run", loop=loop, n=1), loop)
        self.assertIn("unsupported", TALK.reply("bench.run", loop="kernel", clock="sync", n=1))


if __name__ == "__main__":
    TALK = Talk(python_or_skip())
    try:
        unittest.main()
    finally:
        TALK.end()
