"""Area module: modules and their conversion."""

import torch

from areas.core import FORMATS
from dispatcher import calls
from waist.wire import Callback, Invalid, Unsupported


def parameter_of(tensor, requires_grad=None, raw=False):
    """Parameters are shared; other tensors are converted to parameters, unless the tensor itself is requested."""
    if tensor is None or raw or isinstance(tensor, torch.nn.Parameter):
        return tensor
    if requires_grad is None:
        requires_grad = tensor.is_floating_point() or tensor.is_complex()
    return torch.nn.Parameter(tensor, requires_grad=requires_grad)


def make_linear(given):
    module = torch.nn.Linear(1, 1)
    module.weight = parameter_of(given["weight"])
    module.out_features, module.in_features = module.weight.shape
    module.bias = parameter_of(given.get("bias"))
    return module


KINDS = {"plain": lambda given: torch.nn.Module(), "linear": make_linear, "relu": lambda given: torch.nn.ReLU(),
         "mse_loss": lambda given: torch.nn.MSELoss(),
         "sequential": lambda given: torch.nn.Sequential(*given["modules"])}


def make(subject, given):
    kind = given.get("kind", "plain")
    if kind not in KINDS:
        raise Unsupported(f"no kind of module '{kind}'")
    torch.set_warn_always(True)  # no reset makes a warning of once in a process come again
    return {"result": KINDS[kind](given)}


def set_parameter(subject, given):
    module, name = given["module"], given["name"]
    parameter = parameter_of(given["tensor"], given.get("requires_grad"), given.get("raw", False))
    if parameter is not None and not isinstance(parameter, torch.nn.Parameter):
        module._parameters[name] = parameter  # what registering would refuse
    else:
        module.register_parameter(name, parameter)
    return {"result": parameter}


def set_buffer(subject, given):
    buffer = given["tensor"]
    given["module"].register_buffer(given["name"], buffer, persistent=given.get("persistent", True))
    return {"result": buffer}


def set_child(subject, given):
    given["module"].add_module(given["name"], given["child"])


def set_attribute(subject, given):
    setattr(given["module"], given["name"], given["value"])


def holder_of(given):
    """The module that holds the last name of the path, and that name."""
    path, _, name = given["path"].rpartition(".")
    return given["module"].get_submodule(path), name


def held_in(registry):
    def find(subject, given):
        module, name = holder_of(given)
        if name not in getattr(module, registry):
            raise AttributeError(f"{type(module).__name__} has no '{name}'")
        return {"result": getattr(module, registry)[name]}
    return find


def attribute(subject, given):
    module, name = holder_of(given)
    value = getattr(module, name)
    parts = {str(i): item for i, item in enumerate(value)} if isinstance(value, list) else {}
    return {"result": value, "parts": parts}


def paths_of(module, registry, prefix=""):
    for name, tensor in getattr(module, registry).items():
        if tensor is not None:
            yield prefix + name
    for name, child in module._modules.items():
        if child is not None:
            yield from paths_of(child, registry, f"{prefix}{name}.")


def listed(subject, given):
    module = given["module"]
    return {"parameters": list(paths_of(module, "_parameters")), "buffers": list(paths_of(module, "_buffers"))}


def train(subject, given):
    given["module"].train(given["value"])


def move(subject, given):
    module = given["module"]
    options = given.some("device", "dtype", "non_blocking", "copy")
    if "memory_format" in given:
        options["memory_format"] = FORMATS[given["memory_format"]]
    arguments = (given["like"],) if "like" in given else ()
    return {"result": module.to(*arguments, **options)}


def by_method(name):
    return lambda subject, given: {"result": getattr(given["module"], name)()}


def recursion(given):
    if "recurse" in given and "recurse" not in torch.nn.Module._apply.__code__.co_varnames:
        raise Unsupported("this PyTorch has no 'recurse'")
    return given.some("recurse")


def apply_tensors(subject, given):
    function = given["function"]
    if not isinstance(function, Callback):
        raise Invalid("'function' must be a callable")
    return {"result": given["module"]._apply(subject.callback(function.name), **recursion(given))}


def forward(subject, given):
    with calls.Watch():
        return {"result": given["module"](*given["args"])}


FLAGS = {"overwrite": "set_overwrite_module_params_on_conversion", "swap": "set_swap_module_params_on_conversion"}


def set_flags(subject, given):
    for name, setter in FLAGS.items():
        if name in given:
            if not hasattr(torch.__future__, setter):
                raise Unsupported(f"this PyTorch has no flag '{name}'")
            getattr(torch.__future__, setter)(given[name])


def reset():
    """The initial settings of conversions and warnings."""
    torch.set_warn_always(False)
    for setter in FLAGS.values():
        if hasattr(torch.__future__, setter):
            getattr(torch.__future__, setter)(False)


COMMANDS = {
    "module.new": make,
    "module.set_parameter": set_parameter,
    "module.set_buffer": set_buffer,
    "module.set_child": set_child,
    "module.set_attribute": set_attribute,
    "module.parameter": held_in("_parameters"),
    "module.buffer": held_in("_buffers"),
    "module.attribute": attribute,
    "module.list": listed,
    "module.train": train,
    "module.is_training": lambda subject, given: {"result": given["module"].training},
    "module.to": move,
    "module.cuda": lambda subject, given: {"result": given["module"].cuda(**given.some("device"))},
    **{f"module.{name}": by_method(name) for name in ("cpu", "half", "float", "double", "bfloat16")},
    "module.type": lambda subject, given: {"result": given["module"].type(given["dtype"])},
    "module.to_empty": lambda subject, given: {"result": given["module"].to_empty(
        device=given["device"], **recursion(given))},
    "module.apply_tensors": apply_tensors,
    "module.flags": set_flags,
    "module.forward": forward,
}
