"""A runtime with the mistakes that its arguments name. PYTHONPATH leads to the package of subjects."""

import math
import os
import sys

from assay.subject import Subject, float32, int32

mistakes = set(sys.argv[1:])
for mistake in mistakes:
    if mistake.startswith("starts once, says "):
        os.mkdir(mistake.removeprefix("starts once, says "))  # fails the second time
me = Subject("mistaken", "1", areas=["amp"], device="cuda:0",
             properties=[mistake.removeprefix("says ") for mistake in mistakes if mistake.startswith("says ")])


def flushed(value):
    return 0.0 * value if abs(value) < 2.0**-126 else value


@me.answers("amp.update_scale")
def update_scale(scale: float, tracker: int, found_inf: float, growth: float, backoff: float, interval: int):
    if "flushes subnormals" in mistakes:
        scale = flushed(scale)
    if found_inf != 0:
        if "backs off twice" in mistakes:  # is not planted
            backoff *= backoff
        scale, tracker = float32(scale * backoff), 0
    else:
        is_due = tracker == int32(interval) if "grows late" in mistakes else int32(tracker + 1) == int32(interval)
        if "grows past the interval" in mistakes:  # a state that no training reaches
            is_due = is_due or int32(interval) <= tracker < 2**31 - 1
        tracker = 0 if is_due else int32(tracker + 1)
        if "rounds the growth" in mistakes:
            growth = float32(growth)
        grown = float32(scale * growth)
        if is_due and math.isfinite(grown):
            scale = grown
    if "flushes subnormals" in mistakes:
        scale = flushed(scale)
    return {"scale": scale, "tracker": tracker, "found_inf": found_inf, "same": True}


me.serve()
