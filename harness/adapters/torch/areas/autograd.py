"""Area autograd: gradients, graphs, custom functions and checkpoints."""

import re

import torch
from torch.utils.checkpoint import checkpoint

from dispatcher.calls import casts_counted
from dispatcher.key_commands import Guard
from dispatcher.operators import lacks_are_unsupported
from waist.wire import Unsupported



def grad_mode(value):
    return Guard(lambda: torch.set_grad_enabled(value))


def inference_mode(value):
    return Guard(lambda: torch.inference_mode(value))


def backward(subject, given):
    tensor, gradient, options = given["tensor"], given.get("gradient"), given.some("retain_graph")  # made before anything is recorded
    with casts_counted(), lacks_are_unsupported():
        tensor.backward(gradient, **options)
    return {}


def gradients(subject, given):
    found = torch.autograd.grad(given["output"], given["inputs"], given.get("gradient"), allow_unused=True,
                                **given.some("create_graph"))
    parts = {str(place): one for place, one in enumerate(found) if one is not None}
    return {"result": list(found), "parts": parts}


def kind_of(node):
    """MmBackward0 is the operator mm; casts have their own name."""
    if node is None:
        return "none"
    name = re.sub(r"Backward\d*$", "", node.name().rpartition("::")[2])
    if name in ("ToCopy", "To"):
        return "cast"
    if name == "AccumulateGrad":
        return "leaf"
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def saved_by(node):
    """In the order of the operator's arguments; results are last."""
    names = [name[len("_saved_"):] for name in dir(node) if name.startswith("_saved_")]
    order = {argument.name: place for place, argument in enumerate(arguments_of(kind_of(node)))}
    found = []
    for name in sorted(names, key=lambda name: (order.get(name, len(order)), name)):
        try:
            value = getattr(node, "_saved_" + name)
        except RuntimeError as problem:
            if "already been freed" not in str(problem):
                raise
            continue  # nothing is kept any more
        found += [one.dtype for one in (value if isinstance(value, (list, tuple)) else [value])
                  if isinstance(one, torch.Tensor)]
    return found


def arguments_of(kind):
    packet = getattr(torch.ops.aten, kind, None)
    if packet is None:
        return []
    return getattr(packet, packet.overloads()[0])._schema.arguments


def node(subject, given):
    tensor = given["tensor"]
    made_by = tensor.grad_fn
    if made_by is None:
        return {"kind": "leaf" if tensor.requires_grad else "none", "next": [], "saved": []}
    shape = {"kind": kind_of(made_by), "next": [kind_of(behind) for behind, _ in made_by.next_functions]}
    try:
        return {**shape, "saved": saved_by(made_by)}
    except RuntimeError as problem:  # PyTorch shows nothing that was written to since
        if "modified by an inplace operation" not in str(problem):
            raise
        return {**shape, "blind": ["saved"]}


def same_node(subject, given):
    left, right = given["a"].grad_fn, given["b"].grad_fn
    return {"result": left is not None and left is right}


def hook(subject, given):
    factor = given["factor"]
    given["tensor"].register_hook(lambda gradient: gradient * factor)
    return {}


def wrappers(casts):
    """This PyTorch's custom_fwd and custom_bwd for a device."""
    device = casts["device"]
    inputs = {"cast_inputs": casts["inputs"]} if casts.get("inputs") is not None else {}
    if hasattr(torch.amp, "custom_fwd"):
        return torch.amp.custom_fwd(device_type=device, **inputs), torch.amp.custom_bwd(device_type=device)
    if device != "cuda":
        raise Unsupported("custom_fwd of this PyTorch is for CUDA only")
    return torch.cuda.amp.custom_fwd(**inputs), torch.cuda.amp.custom_bwd


def as_tuple(value):
    return tuple(value) if isinstance(value, (list, tuple)) else (value,)


def function(subject, given):
    run_forward, run_backward = given["forward"].name, given["backward"].name

    def forward(context, *arguments):
        first, *saved = as_tuple(subject.blocks.call(run_forward, arguments, {}))
        context.save_for_backward(*saved)
        context.has_saved = bool(saved)
        return first

    def backward(context, *grads):
        saved = list(context.saved_tensors) if context.has_saved else []  # asking for them a second time raises
        return subject.blocks.call(run_backward, grads, {"saved": saved})

    if "casts" in given:
        wrap_forward, wrap_backward = wrappers(given["casts"])
        forward, backward = wrap_forward(forward), wrap_backward(backward)
    made = type("Function", (torch.autograd.Function,),
                {"forward": staticmethod(forward),
                 "backward": staticmethod(lambda *grads: tuple_or_one(backward(*grads)))})
    return {"result": made}


def tuple_or_one(value):
    return tuple(value) if isinstance(value, list) else value


def apply(subject, given):
    return {"result": given["function"].apply(*given["args"])}


def check_point(subject, given):
    name = given["body"].name
    body = lambda *arguments: subject.blocks.call(name, arguments, {})
    return {"result": checkpoint(body, *given["args"], use_reentrant=False)}


COMMANDS = {
    "autograd.grad_mode": lambda subject, given: {"result": grad_mode(given["value"])},
    "autograd.inference_mode": lambda subject, given: {"result": inference_mode(given["value"])},
    "autograd.is_grad_enabled": lambda subject, given: {"result": torch.is_grad_enabled()},
    "autograd.is_inference_mode": lambda subject, given: {"result": torch.is_inference_mode_enabled()},
    "autograd.is_inference": lambda subject, given: {"result": given["tensor"].is_inference()},
    "autograd.backward": backward,
    "autograd.grad": gradients,
    "autograd.node": node,
    "autograd.same_node": same_node,
    "autograd.hook": hook,
    "autograd.function": function,
    "autograd.apply": apply,
    "autograd.checkpoint": check_point,
}
