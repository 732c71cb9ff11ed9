"""Area optim: SGD and Adam in three implementations, and optimizers whose step the client defines."""

import functools

import torch

from waist.wire import Callback, Invalid

MODES = {"plain": {"foreach": False}, "foreach": {"foreach": True}, "fused": {"fused": True}, "default": {}}


def groups_of(params):
    if params and isinstance(params[0], list):
        return [{"params": group} for group in params]
    return params


def mode_of(given):
    mode = given.get("mode", "plain")
    if mode not in MODES:
        raise Invalid(f"no mode '{mode}'")
    return MODES[mode]


def counted(optimizer):
    """Counts the optimizer's steps, whoever calls them."""
    optimizer.assay_calls = 0
    if hasattr(optimizer, "register_step_pre_hook"):
        optimizer.register_step_pre_hook(count_call)
        return optimizer
    step = optimizer.step

    @functools.wraps(step)
    def counted_step(*arguments, **named):
        optimizer.assay_calls += 1
        return step(*arguments, **named)

    optimizer.step = counted_step
    return optimizer


def count_call(optimizer, arguments, named):
    optimizer.assay_calls += 1


def make_sgd(subject, given):
    options = given.some("lr", "momentum", "dampening", "weight_decay", "nesterov", "maximize")
    kind = torch.optim.SGD
    return {"result": counted(kind(groups_of(given["params"]), **options, **mode_of(given)))}


def make_adam(subject, given):
    options = given.some("lr", "eps", "weight_decay", "amsgrad", "maximize", "capturable")
    kind = torch.optim.AdamW if given.get("decoupled", False) else torch.optim.Adam
    if "betas" in given:
        options["betas"] = tuple(given["betas"])
    return {"result": counted(kind(groups_of(given["params"]), **options, **mode_of(given)))}


def make_custom(subject, given):
    callback = given["step"]
    if not isinstance(callback, Callback):
        raise Invalid("'step' must be a callable")
    run = subject.callback(callback.name)
    takes_scaler = given.get("takes_grad_scaler", False)

    class Custom(torch.optim.Optimizer):
        if takes_scaler:
            def step(self, *arguments, grad_scaler=None, **named):
                self.assay_calls += 1
                return run(*arguments, grad_scaler=grad_scaler, optimizer=self, **named)
        else:
            def step(self, *arguments, **named):
                self.assay_calls += 1
                return run(*arguments, optimizer=self, **named)

    optimizer = Custom(groups_of(given["params"]), {})
    optimizer.assay_calls = 0
    if given.get("supports_amp_scaling", False):
        optimizer._step_supports_amp_scaling = True
    return {"result": optimizer}


def state_of(subject, given):
    optimizer = given["optimizer"]
    params = [param for group in optimizer.param_groups for param in group["params"]]
    return {"result": [dict(optimizer.state.get(param, {})) for param in params]}


def get_attribute(subject, given):
    optimizer, name = given["optimizer"], given["name"]
    return {"present": hasattr(optimizer, name), "result": getattr(optimizer, name, None)}


def set_attribute(subject, given):
    setattr(given["optimizer"], given["name"], given["value"])
    return {}


def step(subject, given):
    optimizer = given["optimizer"]
    result = optimizer.step(*map(callable_of(subject), given.get("args", [])),
                            **{name: callable_of(subject)(value) for name, value in given.get("kwargs", {}).items()})
    return {"result": result}


def callable_of(subject):
    return lambda value: subject.callback(value.name) if isinstance(value, Callback) else value


def set_setting(subject, given):
    given["optimizer"].param_groups[given.get("group", 0)][given["name"]] = given["value"]
    return {}


def add_param_group(subject, given):
    given["optimizer"].add_param_group({**given.get("settings", {}), "params": given["params"]})
    return {}


class Saved:
    """A named state dict, whose tensors are the optimizer's own."""

    def __init__(self, entries):
        self.entries = entries


def state_dict(subject, given):
    saved = given["optimizer"].state_dict()
    return {"result": Saved(saved), "state": saved["state"], "groups": saved["param_groups"]}


def load_state_dict(subject, given):
    state = given["state"]
    given["optimizer"].load_state_dict(state.entries if isinstance(state, Saved) else state)
    return {}


def add_hook(subject, given):
    run = subject.callback(given["call"].name)
    optimizer, is_before = given["optimizer"], given["when"] == "pre"
    register = optimizer.register_step_pre_hook if is_before else optimizer.register_step_post_hook

    def hook(stepped, arguments, named):
        run(stepped)

    return {"result": register(hook)}


def remove_hook(subject, given):
    given["hook"].remove()
    return {}


COMMANDS = {
    "optim.sgd": make_sgd,
    "optim.adam": make_adam,
    "optim.custom": make_custom,
    "optim.step": step,
    "optim.zero_grad": lambda subject, given: given["optimizer"].zero_grad(**given.some("set_to_none")),
    "optim.state": state_of,
    "optim.get": get_attribute,
    "optim.set": set_attribute,
    "optim.groups": lambda subject, given: {"result": [dict(group) for group in given["optimizer"].param_groups]},
    "optim.set_setting": set_setting,
    "optim.add_param_group": add_param_group,
    "optim.state_dict": state_dict,
    "optim.load_state_dict": load_state_dict,
    "optim.hook": add_hook,
    "optim.remove_hook": remove_hook,
    "optim.calls": lambda subject, given: {"result": given["optimizer"].assay_calls},
    "optim.clip_grad_norm_": lambda subject, given: {
        "result": torch.nn.utils.clip_grad_norm_(given["params"], given["max_norm"])},
}
