"""DeepSpeed's `DynamicLossScaler`, as a loss scale and as the operator that updates one. It doubles and halves."""

from importlib.metadata import version

from deepspeed.runtime.fp16 import loss_scaler

from assay.subject import Subject, Unsupported, library

loss_scaler.dist.get_rank = lambda: 0  # it asks for its messages, and there is no other process
me = Subject("deepspeed.runtime.fp16.loss_scaler.DynamicLossScaler", version("deepspeed"), areas=["amp", "loss_scale"],
             without=["loss_scale.new", "loss_scale.save", "loss_scale.load"])


def made(scale, growth, backoff, interval, floor=0.0, hysteresis=1):
    if (growth, backoff) != (2, 0.5):
        raise Unsupported("factors other than 2 and 0.5")
    with library():
        return loss_scaler.DynamicLossScaler(init_scale=scale, scale_window=interval, min_scale=floor, delayed_shift=hysteresis,
                                             consecutive_hysteresis=False, raise_error_at_min_scale=False)


@me.answers("amp.update_scale")
def update_scale(scale: float, tracker: int, found_inf: float, growth: float, backoff: float, interval: int):
    state = made(scale, growth, backoff, interval)
    with library():
        state.cur_iter = tracker
        state.update_scale(found_inf != 0)
    steps = state.cur_iter - state.last_overflow_iter - 1  # it grows where these are a multiple of the interval, but 0
    return {"scale": float(state.cur_scale), "tracker": steps if steps <= interval else 1 + (steps - 1) % interval,
            "found_inf": found_inf, "same": True}


@me.answers("loss_scale.new")
def new(scale: float, growth_factor: float, backoff_factor: float, growth_interval: int, floor: float = 0.0, hysteresis: int = 1):
    return {"result": made(scale, growth_factor, backoff_factor, growth_interval, floor, hysteresis)}


@me.answers("loss_scale.update")
def update(loss_scale, overflows):
    scales = []
    for overflow in overflows:
        with library():
            loss_scale.update_scale(overflow)
        scales.append(float(loss_scale.cur_scale))
    return {"scales": scales}


me.answers("loss_scale.get")(lambda loss_scale: {"result": float(loss_scale.cur_scale)})
me.serve()
