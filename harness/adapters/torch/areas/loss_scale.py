"""Area loss_scale: a GradScaler whose only gradient is zero, or infinite."""

import torch

from areas import scaler
from waist.wire import Unsupported


class LossScale:
    def __init__(self, grad_scaler, device):
        self.scaler = grad_scaler
        self.weight = torch.zeros(1, device=device, requires_grad=True)
        self.optimizer = torch.optim.SGD([self.weight], lr=0.0)
        self.scaler.scale(self.weight)  # makes the tensors of the scaler

    def step(self, overflow):
        self.weight.grad = torch.full_like(self.weight, float("inf") if overflow else 0.0)
        self.scaler.unscale_(self.optimizer)
        self.scaler.step(self.optimizer)
        self.scaler.update()
        return self.scaler.get_scale()


def make(subject, given):
    if "dtype" in given and given["dtype"] != torch.float32:
        raise Unsupported("a GradScaler's scale is a float32")
    made = scaler.constructed(scaler.class_of(subject, {}), {"device": subject.device.type, "init_scale": given["scale"]})
    made.set_growth_factor(given["growth_factor"])  # the constructor refuses factors of 1
    made.set_backoff_factor(given["backoff_factor"])
    made.set_growth_interval(given["growth_interval"])
    return {"result": LossScale(made, subject.device)}


def update(subject, given):
    held = given["loss_scale"]
    return {"scales": [held.step(overflow) for overflow in given["overflows"]]}


def load(subject, given):
    given["loss_scale"].scaler.load_state_dict(given["state"])


COMMANDS = {
    "loss_scale.new": make,
    "loss_scale.update": update,
    "loss_scale.get": lambda subject, given: {"result": given["loss_scale"].scaler.get_scale()},
    "loss_scale.save": lambda subject, given: {"result": given["loss_scale"].scaler.state_dict()},
    "loss_scale.load": load,
}
