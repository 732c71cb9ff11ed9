"""Area scaler: GradScaler, through its public methods and a few private ones that external code uses."""

import copy
import inspect
import pickle

import torch

from areas.optim import callable_of
from waist.wire import Invalid, Unsupported


def class_of(subject, given):
    """The class selected by `api`, which chooses its own default device."""
    api = given.get("api", "torch.amp")
    if subject.scaler is not None:
        if api != "torch.amp":
            raise Unsupported(f"--scaler is asked, not {api}.GradScaler")
        return subject.scaler
    if api == "torch.cuda.amp":
        return torch.cuda.amp.GradScaler
    if api == "torch.cpu.amp" and hasattr(torch.cpu.amp, "GradScaler"):
        return torch.cpu.amp.GradScaler
    if api == "torch.amp" and hasattr(torch.amp, "GradScaler"):
        return torch.amp.GradScaler
    if api == "torch.amp" and subject.device.type == "cuda":
        return torch.cuda.amp.GradScaler
    raise Unsupported(f"this PyTorch has no {api}.GradScaler for {subject.device.type}")


def group_of_one():
    """For a scaler that asks the other processes: there are none."""
    import torch.distributed as dist
    if not dist.is_initialized():
        dist.init_process_group("gloo", rank=0, world_size=1, store=dist.HashStore())
    return dist.group.WORLD


def make(subject, given):
    kind = class_of(subject, given)
    if "cuda_available" in given and given["cuda_available"] != torch.cuda.is_available():
        raise Unsupported("this PyTorch does not let the adapter choose whether CUDA is available")
    options = given.some("device", "init_scale", "growth_factor", "backoff_factor", "growth_interval", "enabled")
    return {"result": constructed(kind, options, *given.get("positional", []))}


def constructed(kind, options, *positional):
    if "process_group" in inspect.signature(kind).parameters:
        options["process_group"] = group_of_one()
    return kind(*positional, **options)


def scale(subject, given):
    result = given["scaler"].scale(given["outputs"])
    return {"result": result}


def next_of(subject, given):
    lazy = given["lazy"]
    if not hasattr(lazy, "__next__"):
        raise Invalid("'lazy' is not a lazy sequence")
    try:
        return {"done": False, "result": next(lazy)}
    except StopIteration:
        return {"done": True, "result": None}


def step(subject, given):
    as_python = callable_of(subject)
    return {"result": given["scaler"].step(given["optimizer"], *map(as_python, given.get("args", [])),
                                           **{name: as_python(value) for name, value in given.get("kwargs", {}).items()})}


def tensors_of(subject, given):
    scaler = given["scaler"]
    # A disabled scaler has neither attribute.
    parts = {"scale": getattr(scaler, "_scale", None), "tracker": getattr(scaler, "_growth_tracker", None)}
    return {**parts, "parts": {name: part for name, part in parts.items() if part is not None}}


def flags(method):
    """The live flag map of a probe; each flag is named with its index as suffix."""
    def answer(subject, given):
        found = getattr(given["scaler"], method)(given["optimizer"])
        return {"result": dict(found), "parts": {str(i): flag for i, flag in enumerate(found.values())}}

    return answer


def stage(subject, given):
    scaler, optimizer = given["scaler"], given["optimizer"]
    states = getattr(scaler, "_per_optimizer_states", {})  # a disabled scaler has none
    known = id(optimizer) in states
    return {"stage": states[id(optimizer)]["stage"].name if known else "READY", "known": known}


def call(method, *names):
    """A method of the scaler with these arguments, which returns its result."""
    def answer(subject, given):
        return {"result": getattr(given["scaler"], method)(*(given[name] for name in names))}

    return answer


def update(subject, given):
    given["scaler"].update(*([given["new_scale"]] if "new_scale" in given else []))
    return {}


def nothing(answer):
    """The same without a result."""
    def silent(subject, given):
        answer(subject, given)
        return {}

    return silent


def moved(subject, given):
    raise Unsupported("Python has no move construction")


COMMANDS = {
    "scaler.new": make,
    "scaler.scale": scale,
    "scaler.next": next_of,
    "scaler.unscale_": nothing(call("unscale_", "optimizer")),
    "scaler.step": step,
    "scaler.update": update,
    "scaler.get_scale": call("get_scale"),
    "scaler.get_growth_factor": call("get_growth_factor"),
    "scaler.get_backoff_factor": call("get_backoff_factor"),
    "scaler.get_growth_interval": call("get_growth_interval"),
    "scaler.get_growth_tracker": call("_get_growth_tracker"),
    "scaler.is_enabled": call("is_enabled"),
    "scaler.set_growth_factor": nothing(call("set_growth_factor", "value")),
    "scaler.set_backoff_factor": nothing(call("set_backoff_factor", "value")),
    "scaler.set_growth_interval": nothing(call("set_growth_interval", "value")),
    "scaler.state_dict": call("state_dict"),
    "scaler.load_state_dict": nothing(call("load_state_dict", "state")),
    "scaler.pickle": lambda subject, given: {"result": pickle.loads(pickle.dumps(given["scaler"]))},
    "scaler.deepcopy": lambda subject, given: {"result": copy.deepcopy(given["scaler"])},
    "scaler.move": moved,
    "scaler.tensors": tensors_of,
    "scaler.found_inf": flags("_found_inf_per_device"),
    "scaler.check_inf": flags("_check_inf_per_device"),
    "scaler.stage": stage,
}
