"""One or two files per area: `COMMANDS` maps each command to a function."""

from areas import amp, autocast, autograd, bench, core, dispatch, graph, loss_scale, memory, module, optim, runtime, scaler
from devices import simulated

AREAS = {"core": core.COMMANDS, "amp": amp.COMMANDS, "optim": optim.COMMANDS,
         "scaler": scaler.COMMANDS, "loss_scale": loss_scale.COMMANDS, "dispatch": dispatch.COMMANDS, "autograd": autograd.COMMANDS,
         "autocast": autocast.COMMANDS, "module": module.COMMANDS,
         "runtime": runtime.COMMANDS, "memory": memory.COMMANDS,
         "graph": graph.COMMANDS, "sim": simulated.COMMANDS}
OF_ACCELERATORS = ("runtime", "memory", "graph")  # through torch.accelerator and the backend's module
HANDLERS = {**AREAS, "bench": bench.COMMANDS}  # nothing conforms to loops
