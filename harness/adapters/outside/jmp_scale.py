"""jmp's `DynamicLossScale` as the operator that updates a scale. It has one factor, for growth and for backoff."""

import jax.numpy as jnp
import jmp

from assay.subject import Subject, Unsupported, library

me = Subject("jmp.DynamicLossScale", jmp.__version__, areas=["amp"])


@me.answers("amp.update_scale")
def update_scale(scale: float, tracker: int, found_inf: float, growth: float, backoff: float, interval: int):
    if growth * backoff != 1:
        raise Unsupported("a backoff that is not one through the growth")
    with library():
        state = jmp.DynamicLossScale(jnp.float32(scale), jnp.int32(tracker), interval, growth, jnp.float32(0))
        state = state.adjust(jnp.bool_(found_inf == 0))
    return {"scale": float(state.loss_scale), "tracker": int(state.counter), "found_inf": found_inf, "same": True}


me.serve()
