"""Areas runtime, memory and graph on an accelerator: what PyTorch offers for every device type, and nothing of CUDA alone.

A command is offered if this PyTorch has a function for it in torch.accelerator, torch.Stream, torch.Event or torch.Tensor, or if
the backend's module has one. What is not offered is named in `hello` and excused. What is offered is asked: if the backend lacks
its part of it, the command is unanswered, and the reason names that part.
"""

from areas import accelerator_graph, accelerator_memory, accelerator_streams, accelerator_work, runtime_work
from devices import backend, simulated
from waist.wire import Unsupported

ANSWERS = {**accelerator_streams.COMMANDS, **accelerator_work.COMMANDS, **accelerator_memory.COMMANDS, **accelerator_graph.COMMANDS}
# What only a simulated machine does, and its way to write memory, which needs no kernel.
OF_THE_SIMULATION = ("runtime.store", "runtime.kernel", "runtime.gate", "runtime.open", "runtime.gate_state")


def is_offered(verb, kind):
    if simulated.is_there() and verb in OF_THE_SIMULATION:
        return True
    return verb in ANSWERS and backend.is_offered(kind, *ANSWERS[verb][1:])


def answer_to(verb, kind):
    if not is_offered(verb, kind):
        raise Unsupported(f"this PyTorch has no function for it on {kind}: it is of CUDA alone" if verb not in ANSWERS
                          else f"this PyTorch has no {backend.in_full(ANSWERS[verb][1])}")
    if simulated.is_there() and verb in OF_THE_SIMULATION:
        return runtime_work.COMMANDS[verb]
    return ANSWERS[verb][0]


restore_streams = accelerator_streams.restore_streams
