"""Area amp: the two operators of loss scaling."""

import torch

from areas import graph
from waist.wire import Unsupported


def as_tensor(subject, given, name, dtype, device):
    """The argument, and a tensor for it: a number that the dtype can hold becomes a 0-dim tensor, other values are unchanged."""
    value = given[name]
    is_number = isinstance(value, (int, float) if dtype.is_floating_point else int) and not isinstance(value, bool)
    if not is_number:
        return value, False
    graph.refuse_values()
    return torch.tensor(value, dtype=dtype, device=device), True


def as_given(tensor, is_number):
    return tensor.item() if is_number else tensor


def common(subject, given, operator):
    if given.get("route", "dispatch") != "dispatch":
        raise Unsupported("kernels cannot be called directly from Python")
    if not hasattr(torch, operator):
        raise Unsupported(f"this PyTorch has no {operator}")
    return given.get("variant", "in_place"), given.get("device", subject.device)


def update_scale(subject, given):
    variant, device = common(subject, given, "_amp_update_scale_")
    scale, scale_was = as_tensor(subject, given, "scale", torch.float32, device)
    tracker, tracker_was = as_tensor(subject, given, "tracker", torch.int32, device)
    found_inf, found_was = as_tensor(subject, given, "found_inf", torch.float32, device)
    numbers = (given["growth"], given["backoff"], given["interval"])
    results = {}
    if variant == "in_place":
        returned = torch._amp_update_scale_(scale, tracker, found_inf, *numbers)
        results["same"] = returned is scale or returned.data_ptr() == scale.data_ptr()
    elif variant == "functional":
        returned, new_tracker = torch.ops.aten._amp_update_scale(scale, tracker, found_inf, *numbers)
        results.update(same=False, result=as_given(returned, scale_was),
                       result_tracker=as_given(new_tracker, tracker_was))
    else:
        out = torch.empty_like(scale)
        torch.ops.aten._amp_update_scale.out(scale, tracker, found_inf, *numbers, out=out)
        results.update(same=False, result=as_given(out, scale_was))
    results.update(scale=as_given(scale, scale_was), tracker=as_given(tracker, tracker_was),
                   found_inf=as_given(found_inf, found_was))
    return results


def unscale(subject, given):
    variant, device = common(subject, given, "_amp_foreach_non_finite_check_and_unscale_")
    grads = given["grads"]
    found_inf, found_was = as_tensor(subject, given, "found_inf", torch.float32, device)
    inverse, _ = as_tensor(subject, given, "inv_scale", torch.float32, device)
    results = {}
    if variant == "in_place":
        torch._amp_foreach_non_finite_check_and_unscale_(grads, found_inf, inverse)
    elif variant == "functional":
        made, flag = torch.ops.aten._amp_foreach_non_finite_check_and_unscale(grads, found_inf, inverse)
        results.update(result=list(made), result_found_inf=as_given(flag, found_was))
    else:
        out = [torch.empty_like(grad) for grad in grads]
        torch.ops.aten._amp_foreach_non_finite_check_and_unscale.out(grads, found_inf, inverse, out=out)
        results.update(result=out)
    # Gradients are returned by value, even if they are named.
    results.update(grads=[grad.detach().view_as(grad) if isinstance(grad, torch.Tensor) else grad for grad in grads],
                   found_inf=as_given(found_inf, found_was))
    return results


def schemas(subject, given):
    found = []
    for name in ("_amp_update_scale", "_amp_foreach_non_finite_check_and_unscale"):
        for spelled in (name + "_", name):
            packet = getattr(torch.ops.aten, spelled)
            found += [str(getattr(packet, overload)._schema) for overload in packet.overloads()]
    return {"result": found}


def plan(subject, given):
    raise Unsupported("Python cannot query the launch plan")


COMMANDS = {"amp.update_scale": update_scale, "amp.unscale": unscale, "amp.schemas": schemas, "amp.plan": plan}
