"""jmp's `DynamicLossScale` as a loss scale, and as the operator that updates one. It has one factor, for growth and for backoff."""

import jax.numpy as jnp
import jmp

from assay.subject import Subject, Unsupported, library

me = Subject("jmp.DynamicLossScale", jmp.__version__, areas=["amp", "loss_scale"], without=["loss_scale.new", "loss_scale.load"])


@me.answers("amp.update_scale")
def update_scale(scale: float, tracker: int, found_inf: float, growth: float, backoff: float, interval: int):
    if growth * backoff != 1:
        raise Unsupported("a backoff that is not one through the growth")
    with library():
        state = jmp.DynamicLossScale(jnp.float32(scale), jnp.int32(tracker), interval, growth, jnp.float32(0))
        state = state.adjust(jnp.bool_(found_inf == 0))
    return {"scale": float(state.loss_scale), "tracker": int(state.counter), "found_inf": found_inf, "same": True}


class LossScale:
    def __init__(self, state):
        self.state = state

    def step(self, overflow):
        with library():
            self.state = self.state.adjust(jnp.bool_(not overflow))
        return float(self.state.loss_scale)


@me.answers("loss_scale.new")
def new(scale: float, growth_factor: float, backoff_factor: float, growth_interval: int, floor: float = 0.0, dtype: str = "float32"):
    if growth_factor * backoff_factor != 1:
        raise Unsupported("a backoff that is not one through the growth")
    return {"result": LossScale(jmp.DynamicLossScale(jnp.float32(scale), jnp.int32(0), growth_interval, growth_factor, jnp.float32(floor)))}


@me.answers("loss_scale.load")
def load(loss_scale, state):
    if not isinstance(state, jmp.DynamicLossScale):
        raise Unsupported("what is no state")  # a state is the object itself, and jmp loads nothing
    loss_scale.state = state


me.answers("loss_scale.update")(lambda loss_scale, overflows: {"scales": [loss_scale.step(overflow) for overflow in overflows]})
me.answers("loss_scale.get")(lambda loss_scale: {"result": float(loss_scale.state.loss_scale)})
me.answers("loss_scale.save")(lambda loss_scale: {"result": loss_scale.state})
me.serve()
