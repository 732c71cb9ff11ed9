"""Flax's `DynamicScale` as a loss scale, and as the operator that updates one: its gradient is finite, or not, as the flag says."""

import flax
import jax
import jax.numpy as jnp
from flax.training.dynamic_scale import DynamicScale

from assay.subject import Subject, library

me = Subject("flax.training.dynamic_scale.DynamicScale", flax.__version__, areas=["amp", "loss_scale"], without=["loss_scale.new"])
STEP = jax.jit(lambda state, gradient: state.value_and_grad(lambda y: y * gradient)(jnp.float32(1)).dynamic_scale)


@me.answers("amp.update_scale")
def update_scale(scale: float, tracker: int, found_inf: float, growth: float, backoff: float, interval: int):
    with library():
        state = DynamicScale(growth_factor=growth, backoff_factor=backoff, growth_interval=interval, minimum_scale=None,
                             fin_steps=jnp.int32(tracker), scale=jnp.float32(scale))
        state = STEP(state, jnp.float32(jnp.inf if found_inf != 0 else 0.0))
    return {"scale": float(state.scale), "tracker": int(state.fin_steps), "found_inf": found_inf, "same": True}


class LossScale:
    def __init__(self, state):
        self.state = state

    def step(self, overflow):
        self.state = STEP(self.state, jnp.float32(jnp.inf if overflow else 0.0))
        return float(self.state.scale)


@me.answers("loss_scale.new")
def new(scale: float, growth_factor: float, backoff_factor: float, growth_interval: int, floor: float = None, dtype: str = "float32"):
    return {"result": LossScale(DynamicScale(growth_factor=growth_factor, backoff_factor=backoff_factor, growth_interval=growth_interval,
                                             minimum_scale=floor, fin_steps=jnp.int32(0), scale=jnp.float32(scale)))}


@me.answers("loss_scale.load")
def load(loss_scale, state):
    with library():
        loss_scale.state = flax.serialization.from_state_dict(loss_scale.state, state)


me.answers("loss_scale.update")(lambda loss_scale, overflows: {"scales": [loss_scale.step(overflow) for overflow in overflows]})
me.answers("loss_scale.get")(lambda loss_scale: {"result": float(loss_scale.state.scale)})
me.answers("loss_scale.save")(lambda loss_scale: {"result": flax.serialization.to_state_dict(loss_scale.state)})
me.serve()
