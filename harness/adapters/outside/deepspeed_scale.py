"""DeepSpeed's `DynamicLossScaler` as the operator that updates a scale. It doubles and halves, and counts from the last overflow."""

from importlib.metadata import version

from deepspeed.runtime.fp16 import loss_scaler

from assay.subject import Subject, Unsupported, library

loss_scaler.dist.get_rank = lambda: 0  # it asks for its messages, and there is no other process
me = Subject("deepspeed.runtime.fp16.loss_scaler.DynamicLossScaler", version("deepspeed"), areas=["amp"])


@me.answers("amp.update_scale")
def update_scale(scale: float, tracker: int, found_inf: float, growth: float, backoff: float, interval: int):
    if (growth, backoff) != (2, 0.5):
        raise Unsupported("factors other than 2 and 0.5")
    with library():
        state = loss_scaler.DynamicLossScaler(init_scale=scale, scale_window=interval, min_scale=0.0, delayed_shift=1,
                                              consecutive_hysteresis=False, raise_error_at_min_scale=False)
        state.cur_iter = tracker
        state.update_scale(found_inf != 0)
    steps = state.cur_iter - state.last_overflow_iter - 1  # it grows where these are a multiple of the interval, but 0
    return {"scale": float(state.cur_scale), "tracker": steps if steps <= interval else 1 + (steps - 1) % interval,
            "found_inf": found_inf, "same": True}


me.serve()
