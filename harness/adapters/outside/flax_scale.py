"""Flax's `DynamicScale` as the operator that updates a scale: its gradient is finite, or not, as the flag says."""

import flax
import jax
import jax.numpy as jnp
from flax.training.dynamic_scale import DynamicScale

from assay.subject import Subject, library

me = Subject("flax.training.dynamic_scale.DynamicScale", flax.__version__, areas=["amp"])


@me.answers("amp.update_scale")
def update_scale(scale: float, tracker: int, found_inf: float, growth: float, backoff: float, interval: int):
    with library():
        state = DynamicScale(growth_factor=growth, backoff_factor=backoff, growth_interval=interval, minimum_scale=None,
                             fin_steps=jnp.int32(tracker), scale=jnp.float32(scale))
        gradient = jnp.inf if found_inf != 0 else 0.0
        state = jax.jit(lambda state, x: state.value_and_grad(lambda y: y * gradient)(x))(state, jnp.float32(1)).dynamic_scale
    return {"scale": float(state.scale), "tracker": int(state.fin_steps), "found_inf": found_inf, "same": True}


me.serve()
