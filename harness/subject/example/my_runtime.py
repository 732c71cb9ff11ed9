"""A subject in Python with one operator. Yours would call your runtime where this one computes."""

import math

from assay.subject import Subject, float32, int32

# `without` names a command with forms that this runtime lacks: here, a scale that is a tensor.
me = Subject("my_runtime", "1", areas=["amp"], without=["amp.update_scale"], device="cuda:0")


@me.answers("amp.update_scale")
def update_scale(scale: float, tracker: int, found_inf: float, growth: float, backoff: float, interval: int):
    if found_inf != 0:
        scale, tracker = float32(scale * backoff), 0
    else:
        tracker = int32(tracker + 1)
        if tracker == int32(interval):
            grown = float32(scale * growth)
            scale, tracker = grown if math.isfinite(grown) else scale, 0
    return {"scale": scale, "tracker": tracker, "found_inf": found_inf, "same": True}


me.serve()
