"""Loops on a device: the work of an iteration, and the expected data."""

import functools

import torch

from loops.checksum import SUM
from waist.wire import Invalid, Unsupported

PERIOD = 65536
NEVER = (1 << 31) - 1
DTYPES = {"f32": torch.float32, "f16": torch.float16, "bf16": torch.bfloat16}


def period():
    index = torch.arange(PERIOD, dtype=torch.int64) + SUM.seed % PERIOD
    return (index * 40503 % PERIOD - PERIOD // 2).to(torch.float32) / 1024


def fill(tensor):
    numbers = period().to(tensor.dtype).to(tensor.device)
    for at in range(0, tensor.numel(), PERIOD):
        tensor[at:at + PERIOD].copy_(numbers[:tensor.numel() - at])


def placed(count, dtype, device, alignment):
    """A tensor whose address is an odd multiple of this many bytes."""
    width = torch.empty((), dtype=dtype).element_size()
    if alignment < 1 or alignment > 256 or alignment & (alignment - 1):
        raise Invalid("'alignment' must be a power of two up to 256")
    if alignment % width:
        raise Unsupported(f"elements of {width} bytes are not aligned to {alignment}")
    room = torch.empty(count * width + 768, dtype=torch.uint8, device=device)
    first = -room.data_ptr() % 512 + alignment
    return room[first:first + count * width].view(dtype)


class Scale:
    """The scale stays 1, and the tracker counts."""

    def __init__(self, device, given):
        self.scale = torch.ones((), device=device)
        self.tracker = torch.zeros((), dtype=torch.int32, device=device)
        self.found_inf = torch.zeros((), device=device)

    def restore(self):
        self.tracker.zero_()

    def queue(self):
        torch._amp_update_scale_(self.scale, self.tracker, self.found_inf, 2.0, 0.5, NEVER)

    def results(self):
        return [self.scale, self.tracker]


class Kernel(Scale):
    """The smallest kernel launch in PyTorch."""

    def queue(self):
        self.tracker.add_(1)


def sizes_of(given):
    if "sizes" in given:
        return given["sizes"]
    return [given["N"]] * given.get("tensors", 1)


class Unscale:
    """Every iteration negates the values."""

    def __init__(self, device, given):
        dtype, alignment = dtype_of(given), given.get("alignment", 256)
        self.grads = [placed(size, dtype, device, alignment) for size in sizes_of(given)]
        self.found_inf, self.inv_scale = torch.zeros((), device=device), torch.full((), -1.0, device=device)

    def restore(self):
        for grad in self.grads:
            fill(grad)

    def queue(self):
        torch._amp_foreach_non_finite_check_and_unscale_(self.grads, self.found_inf, self.inv_scale)

    def results(self):
        return self.grads


class Copy:
    def __init__(self, device, given, source=torch.float32, target=torch.float32):
        alignment = given.get("alignment", 256)
        self.source = placed(given["N"], source, device, alignment)
        self.target = placed(given["N"], target, device, alignment)
        fill(self.source)

    def restore(self):
        self.target.zero_()

    def queue(self):
        self.target.copy_(self.source)

    def results(self):
        return [self.target]


class AcrossTheBus(Copy):
    """One side is page-locked host memory."""

    def __init__(self, device, given, into_device):
        on_device = torch.empty(given["N"], device=device)
        on_host = torch.empty(given["N"], pin_memory=device.type == "cuda")
        self.source, self.target = (on_host, on_device) if into_device else (on_device, on_host)
        fill(self.source)

    def queue(self):
        self.target.copy_(self.source, non_blocking=True)


class Step:
    """The scale is -1, so gradients change sign; Adam without momentum adds or subtracts their sign."""

    def __init__(self, device, given):
        make = getattr(torch.amp, "GradScaler", None)
        make = functools.partial(make, device.type) if make else torch.cuda.amp.GradScaler
        self.scaler = make(init_scale=-1.0, growth_interval=NEVER)
        self.params = [torch.empty(size, device=device, requires_grad=True) for size in sizes_of(given)]
        for param in self.params:
            param.grad = torch.empty_like(param)
        self.optimizer = torch.optim.Adam(self.params, lr=1.0, betas=(0.0, 0.0), eps=2.0**-40, fused=True, capturable=True)
        self.scaler.scale(torch.ones((), device=device))  # makes the scale's tensor
        self.restore()
        self.queue()  # makes the optimizer's state

    @torch.no_grad()
    def restore(self):
        for param in self.params:
            fill(param)
            fill(param.grad)

    def queue(self):
        self.scaler.unscale_(self.optimizer)
        self.scaler.step(self.optimizer)
        self.scaler.update()

    def results(self):
        return self.params


def dtype_of(given):
    if given["dtype"] not in DTYPES:
        raise Unsupported(f"there is no dtype {given['dtype']} for loops")
    return DTYPES[given["dtype"]]


WORKS = {
    "kernel": Kernel,
    "update_scale": Scale,
    "unscale": Unscale,
    "cast_to": lambda device, given: Copy(device, given, target=dtype_of(given)),
    "cast_from": lambda device, given: Copy(device, given, source=dtype_of(given)),
    "copy": Copy,
    "copy_in": lambda device, given: AcrossTheBus(device, given, True),
    "copy_out": lambda device, given: AcrossTheBus(device, given, False),
    "step": Step,
}
