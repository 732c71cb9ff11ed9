#!/usr/bin/env python3
"""A subject for the area amp, written only from the protocol's document, to show that the document is sufficient."""
import json, struct, sys

DIGITS = dict(float64=16, float32=8, float16=4, bfloat16=4, int64=16, int32=8, int16=4, int8=2, uint8=2, bool=2)
CODES = {"float64": "d", "float32": "f", "float16": "e"}
TYPES = {"bfloat16": "BFloat16", "int64": "Long", "int32": "Int", "int16": "Short", "int8": "Char", "uint8": "Byte"}
OWN_NAMES = {  # what the operators call their arguments, in order
    "amp.update_scale": {"scale": "self", "tracker": "growth_tracker", "found_inf": "found_inf",
        "growth": "scale_growth_factor", "backoff": "scale_backoff_factor", "interval": "growth_interval"},
    "amp.unscale": {"grads": "self", "found_inf": "found_inf", "inv_scale": "inv_scale"}}
WITHOUT = ["amp.update_scale", "amp.unscale", "amp.unscale_and_update", "amp.plan", "amp.schemas", "counts", "scope"]
contract = {"release": "2.11", "device_rules": "cuda", "deviations": "strict"}
class Raised(Exception): pass             # kind, message
class Unsupported(Exception): pass
class Tensor:                             # elements: their bits, in row-major order
    def __init__(self, *given):
        self.dtype, self.shape, self.strides, self.device, self.elements, self.is_number = given

def pack(code, value):                    # rounds to nearest even; what is too large becomes infinite
    try: return int.from_bytes(struct.pack(">" + code, value), "big")
    except OverflowError: return pack(code, float("inf") if value > 0 else float("-inf"))
def unpack(code, bits): return struct.unpack(">" + code, bits.to_bytes(struct.calcsize(code), "big"))[0]
def float32(value): return unpack("f", pack("f", value))
def decode(dtype, bits): return unpack("f", bits << 16) if dtype == "bfloat16" else unpack(CODES[dtype], bits)
def encode(dtype, value):
    if dtype != "bfloat16": return pack(CODES[dtype], value)
    bits = pack("f", value)
    return 0x7fc0 if value != value else (bits + 0x7fff + (bits >> 16 & 1)) >> 16
def finite(value): return value - value == 0
def is_bad(dtype, value, cuda): return not finite(float32(value) if dtype == "float64" and cuda else value)
def product(dtype, value, inverse):
    return encode(dtype, value * inverse if dtype == "float64" else float32(value * inverse))
def unscale_elements(dtype, elements, inverse, cuda):
    values = [decode(dtype, bits) for bits in elements]
    bad = any(is_bad(dtype, value, cuda) for value in values)
    return (elements if inverse == 1 else [product(dtype, value, inverse) for value in values]), bad
def unscale_list(grads, inverse, flag, cuda):
    for grad in grads:
        grad.elements, bad = unscale_elements(grad.dtype, grad.elements, inverse, cuda)
        flag = 1.0 if bad else flag
    return flag
def wrap32(number): return (number + 2**31) % 2**32 - 2**31
def grow(scale, factor):
    candidate = float32(scale * factor)
    return candidate if finite(candidate) else scale
def update(scale, tracker, flag, growth, backoff, interval, cuda):
    if flag != 0: return float32(scale * backoff), 0
    count = wrap32(tracker + 1)
    return (grow(scale, growth), 0) if count == (wrap32(interval) if cuda else interval) else (scale, count)

def float_in(value):                      # None when it is not a float
    text = value.get("f") if isinstance(value, dict) else None
    if text is None: return value if isinstance(value, float) else None
    return unpack("d", int(text[4:], 16)) if text.startswith("nan:") else float.fromhex(text)
def int_in(value):
    if isinstance(value, dict) and "i" in value: return int(value["i"])
    return value if isinstance(value, int) and not isinstance(value, bool) else None
def home(): return "cuda:0" if contract["device_rules"] == "cuda" else "cpu"
def refuse(command, name, wanted):
    names = OWN_NAMES[command["do"]]
    raise Raised("type", f"argument '{names[name]}' (position {[*names].index(name) + 1}) must be {wanted}")
def tensor(command, name, value, wanted="Tensor"):
    tag = next(iter(value), None) if isinstance(value, dict) else None
    if tag in ("ref", "sparse"): raise Unsupported("no named objects and no sparse tensors")
    if tag != "tensor": refuse(command, name, wanted)
    x = value["tensor"]
    if x["dtype"] not in DIGITS or "bits" not in x: raise Unsupported("only tensors whose bits are given")
    elements = [int(word, 16) for word in x["bits"].split()]
    return Tensor(x["dtype"], x["shape"], x.get("strides"), x.get("device", home()), elements, False)
def operand(command, name, dtype="float32"):
    value, device = command["with"].get(name), command["with"].get("device", {}).get("device", home())
    found = int_in(value) if dtype == "int32" else float_in(value)
    if found is None: return tensor(command, name, value)
    return Tensor(dtype, [], None, device, [found % 2**32 if dtype == "int32" else pack("f", found)], True)
def answer(x):
    if x.is_number: return wrap32(x.elements[0]) if x.dtype == "int32" else {"f": unpack("f", x.elements[0]).hex()}
    strides = {"strides": x.strides} if x.strides else {}
    bits = " ".join(f"{bits:0{DIGITS[x.dtype]}x}" for bits in x.elements)
    return {"tensor": {"dtype": x.dtype, "shape": x.shape, **strides, "device": x.device, "bits": bits}}
def scalar(command, name, whole=False):   # a double or an int64
    value, wanted = command["with"].get(name), "int" if whole else "float"
    found = int_in(value)
    if found is None and not whole: found = int(value) if isinstance(value, bool) else float_in(value)
    if found is None:
        if tensor(command, name, value, wanted).shape: refuse(command, name, wanted)
        raise Unsupported(f"'{name}' only as a number")
    expect(not whole or -2**63 <= found < 2**63, f"'{name}' overflows int64")
    return found if whole else float(found)
def expect(condition, message, kind="error"):
    if not condition: raise Raised(kind, message)
def runs_on_cuda(tensors):                # all on one device; that device's kernel runs
    first = tensors[0][1]
    for name, x in tensors:
        expect(x.device == first.device, f"not on the same device: {name} on {x.device}, others on {first.device}")
    return first.device != "cpu"
def check_each(tensors, dtypes):
    for name, x in tensors: expect(len(x.elements) == 1, f"{name} must be a 1-element tensor")
    for (name, x), dtype in zip(tensors, dtypes):
        expect(x.dtype == dtype, f"{name} must be {'an int' if dtype == 'int32' else 'a float'} tensor")
def check_gradient(grad, cuda):
    where = f"_amp_foreach_non_finite_check_and_unscale_{'cuda' if cuda else 'cpu'}"
    taken = grad.dtype in CODES or (grad.dtype == "bfloat16" and not cuda)
    expect(taken, f"{where} not implemented for {TYPES.get(grad.dtype, 'Bool')}", "not_implemented")
    overlaps = any(stride == 0 and extent > 1 for extent, stride in zip(grad.shape, grad.strides or []))
    expect(not overlaps, "several elements refer to a single memory location; clone() the tensor first")
def update_scale(command):
    scale, tracker = operand(command, "scale"), operand(command, "tracker", "int32")
    flag, factors = operand(command, "found_inf"), (scalar(command, "growth"), scalar(command, "backoff"))
    interval = scalar(command, "interval", whole=True)
    operands = [("growth_tracker", tracker), ("current_scale", scale), ("found_inf", flag)]
    cuda = runs_on_cuda([("self", scale), *operands])
    check_each(operands, ["int32", "float32", "float32"])
    before = unpack("f", scale.elements[0]), wrap32(tracker.elements[0]), unpack("f", flag.elements[0])
    after, count = update(*before, *factors, interval, cuda)
    scale.elements, tracker.elements = [encode("float32", after)], [count % 2**32]
    return {"scale": answer(scale), "tracker": answer(tracker), "found_inf": answer(flag), "same": True}
def unscale(command):
    given, flag, inverse = command["with"].get("grads"), operand(command, "found_inf"), operand(command, "inv_scale")
    if not isinstance(given, list): refuse(command, "grads", "a list of Tensors")
    grads = [tensor(command, "grads", item) for item in given]
    cuda = runs_on_cuda([("self", grad) for grad in grads] + [("found_inf", flag), ("inv_scale", inverse)])
    if grads:
        check_each([("inv_scale", inverse), ("found_inf", flag)], ["float32", "float32"])
        for grad in grads: check_gradient(grad, cuda)
        raised = unscale_list(grads, unpack("f", inverse.elements[0]), unpack("f", flag.elements[0]), cuda)
        flag.elements = [encode("float32", raised)] if raised == 1 else flag.elements
    return {"grads": [answer(grad) for grad in grads], "found_inf": answer(flag)}
def hello(command):
    contract.update({name: wish for name, wish in command["with"].items() if name in contract and wish != "1.13"})
    devices = [{"device": name} for name in dict.fromkeys([home(), "cpu"])]
    return {"protocol": 1, "name": "stranger", "version": "1", "devices": devices, "areas": ["amp"],
            "threads": False, "without": WITHOUT, **contract}

VERBS = {"hello": hello, "reset": lambda command: {"uncleaned": []},
         "amp.update_scale": update_scale, "amp.unscale": unscale}
def reply(line):
    command = {}
    try:
        command = json.loads(line)
        if command["do"] not in VERBS: raise Unsupported(f"no command {command['do']}")
        for name in {"variant", "route"} & {*command.setdefault("with", {})}: raise Unsupported(f"no choice of {name}")
        return {"id": command.get("id"), "ok": VERBS[command["do"]](command)}
    except Raised as raised: outcome = {"error": {"kind": raised.args[0], "message": raised.args[1]}}
    except Unsupported as lack: outcome = {"unsupported": str(lack)}
    except Exception as defect: outcome = {"invalid": f"{type(defect).__name__}: {defect}"}
    return {"id": command.get("id") if isinstance(command, dict) else None, **outcome}
def main():
    for line in sys.stdin: print(json.dumps(reply(line)), flush=True)
if __name__ == "__main__": main()
