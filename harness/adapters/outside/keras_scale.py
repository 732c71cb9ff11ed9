"""Keras' `LossScaleOptimizer` as the operator that updates a scale. It doubles and halves, and nothing else."""

import os

os.environ["KERAS_BACKEND"] = "jax"

import keras  # noqa: E402

from assay.subject import Subject, Unsupported, library  # noqa: E402

me = Subject("keras.optimizers.LossScaleOptimizer", keras.__version__, areas=["amp"])


@me.answers("amp.update_scale")
def update_scale(scale: float, tracker: int, found_inf: float, growth: float, backoff: float, interval: int):
    if (growth, backoff) != (2, 0.5):
        raise Unsupported("factors other than 2 and 0.5")
    with library():
        weight = keras.Variable(0.0)
        optimizer = keras.optimizers.LossScaleOptimizer(keras.optimizers.SGD(), initial_scale=scale, dynamic_growth_steps=interval)
        optimizer.build([weight])
        optimizer.step_counter.assign(tracker)
        gradient = keras.ops.array(float("inf") if found_inf != 0 else 0.0)
        _, after = optimizer.stateless_apply([one.value for one in optimizer.variables], [gradient], [weight.value])
        left = {id(variable): value for variable, value in zip(optimizer.variables, after)}
        scale, count = float(left[id(optimizer.dynamic_scale)]), int(left[id(optimizer.step_counter)])
    return {"scale": scale, "tracker": count, "found_inf": found_inf, "same": True}


me.serve()
