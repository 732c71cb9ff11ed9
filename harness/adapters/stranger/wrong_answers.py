#!/usr/bin/env python3
"""Forty subjects that are nearly right: amp_subject.py with one thing wrong. The suites must tell each from a right one.

    wrong_answers.py --list    the number and the fault of each
    wrong_answers.py 7         answer with fault 7
"""
import math
import sys

import amp_subject as amp
from amp_subject import Raised, decode, encode, float32, pack, unpack

FAULTS = []


def wrong(sentence):
    def remember(function):
        FAULTS.append((sentence, function))
        return function
    return remember


def around(name):
    """Replaces a function of the subject by one that gets the right one first."""
    def replace(function):
        former = getattr(amp, name)
        setattr(amp, name, lambda *given, **more: function(former, *given, **more))
        return function
    return replace


@wrong("a negative tracker must reach one more than the interval")
def _():
    @around("update")
    def _(former, scale, tracker, flag, growth, backoff, interval, cuda):
        return former(scale, tracker, flag, growth, backoff, interval + (tracker < 0), cuda)


@wrong("a flag of -0 backs off")
def _():
    @around("update")
    def _(former, scale, tracker, flag, *rest):
        return former(scale, tracker, 1.0 if flag == 0 and math.copysign(1, flag) < 0 else flag, *rest)


@wrong("a subnormal flag is taken for 0")
def _():
    @around("update")
    def _(former, scale, tracker, flag, *rest):
        return former(scale, tracker, 0.0 if abs(flag) < 2.0**-126 else flag, *rest)


@wrong("growth multiplies by the factor rounded to float32")
def _():
    @around("grow")
    def _(former, scale, factor): return former(scale, float32(factor))


@wrong("backoff multiplies by the factor rounded to float32")
def _():
    @around("update")
    def _(former, scale, tracker, flag, growth, backoff, *rest):
        return former(scale, tracker, flag, growth, float32(backoff), *rest)


@wrong("growth to NaN is stored")
def _():
    @around("grow")
    def _(former, scale, factor):
        candidate = float32(scale * factor)
        return candidate if candidate != candidate else former(scale, factor)


@wrong("growth to -inf is stored")
def _():
    @around("grow")
    def _(former, scale, factor):
        candidate = float32(scale * factor)
        return candidate if candidate == -math.inf else former(scale, factor)


@wrong("growth that rounds to the largest float is refused")
def _():
    @around("grow")
    def _(former, scale, factor):
        after = former(scale, factor)
        return scale if after == unpack("f", 0x7f7fffff) else after


@wrong("the tracker stops at the largest int32")
def _():
    @around("update")
    def _(former, scale, tracker, flag, *rest):
        after, count = former(scale, tracker, flag, *rest)
        return after, (2**31 - 1 if count == -2**31 else count)


@wrong("the interval is never cut to 32 bits")
def _():
    @around("update")
    def _(former, *given): return former(*given[:-1], False)


@wrong("backoff flushes a subnormal result to 0")
def _():
    @around("update")
    def _(former, scale, tracker, flag, *rest):
        after, count = former(scale, tracker, flag, *rest)
        return (0.0 if flag != 0 and abs(after) < 2.0**-126 else after), count


@wrong("backoff never goes below the smallest subnormal")
def _():
    @around("update")
    def _(former, scale, tracker, flag, *rest):
        after, count = former(scale, tracker, flag, *rest)
        return (unpack("f", 1) if flag != 0 and after == 0 and scale > 0 and rest[1] > 0 else after), count


@wrong("backoff to infinity is refused")
def _():
    @around("update")
    def _(former, scale, tracker, flag, *rest):
        after, count = former(scale, tracker, flag, *rest)
        return (scale if flag != 0 and math.isinf(after) else after), count


@wrong("backoff by a factor of NaN leaves the scale")
def _():
    @around("update")
    def _(former, scale, tracker, flag, growth, backoff, *rest):
        after, count = former(scale, tracker, flag, growth, backoff, *rest)
        return (scale if flag != 0 and backoff != backoff else after), count


@wrong("an interval of 0 never grows, from a tracker of -1 neither")
def _():
    @around("update")
    def _(former, scale, tracker, flag, growth, backoff, interval, cuda):
        after, count = former(scale, tracker, flag, growth, backoff, interval, cuda)
        return (scale if flag == 0 and interval == 0 else after), count


@wrong("a negative interval is refused")
def _():
    @around("scalar")
    def _(former, command, name, whole=False):
        found = former(command, name, whole)
        if whole and found < 0: raise Raised("value", "the interval must not be negative")
        return found


@wrong("update lowers the flag")
def _():
    @around("update_scale")
    def _(former, command):
        reply = former(command)
        if "f" in reply["found_inf"]: reply["found_inf"] = {"f": "0x0p+0"}
        return reply


@wrong("a waiting scale of -0 loses its sign")
def _():
    @around("update")
    def _(former, scale, *rest):
        after, count = former(scale, *rest)
        return after + 0.0 if after == 0 else after, count


@wrong("a scale of shape (1,) comes back as one of shape ()")
def _():
    @around("update_scale")
    def _(former, command):
        reply = former(command)
        if reply["scale"].get("tensor", {}).get("shape") == [1]: reply["scale"]["tensor"]["shape"] = []
        return reply


@wrong("an int64 tracker is taken")
def _():
    @around("check_each")
    def _(former, tensors, dtypes):
        former(tensors, [x.dtype if x.dtype == "int64" else dtype for (_, x), dtype in zip(tensors, dtypes)])


@wrong("update checks dtypes before numbers of elements")
def _():
    @around("check_each")
    def _(former, tensors, dtypes):
        for pair, dtype in zip(tensors, dtypes):
            amp.expect(pair[1].dtype == dtype, f"{pair[0]} must be {'an int' if dtype == 'int32' else 'a float'} tensor")
        former(tensors, dtypes)


@wrong("update checks the scale before the tracker")
def _():
    @around("check_each")
    def _(former, tensors, dtypes):
        order = [1, 0, 2][:len(tensors)] if len(tensors) == 3 else [0, 1]
        former([tensors[i] for i in order], [dtypes[i] for i in order])


@wrong("an int is no growth factor")
def _():
    @around("scalar")
    def _(former, command, name, whole=False):
        if name == "growth" and isinstance(command["with"].get(name), int): raise Raised("type", "growth must be float")
        return former(command, name, whole)


@wrong("a bool is an interval")
def _():
    @around("scalar")
    def _(former, command, name, whole=False):
        value = command["with"].get(name)
        return int(value) if whole and isinstance(value, bool) else former(command, name, whole)


@wrong("subnormal float16 results are truncated")
def _():
    @around("product")
    def _(former, dtype, value, inverse):
        after = former(dtype, value, inverse)
        exact = float32(value * inverse)
        if dtype == "float16" and 0 < abs(exact) < 2.0**-14 and abs(decode(dtype, after)) > abs(exact): after -= 1
        return after


@wrong("float16 products are rounded once, from the exact product")
def _():
    @around("product")
    def _(former, dtype, value, inverse):
        return pack("e", value * inverse) if dtype == "float16" else former(dtype, value, inverse)


@wrong("float64 elements that a float32 holds are multiplied in float32")
def _():
    @around("product")
    def _(former, dtype, value, inverse):
        narrow = dtype == "float64" and float32(value) == value
        return encode(dtype, float32(value * inverse)) if narrow else former(dtype, value, inverse)


@wrong("only the first tensor of each dtype can raise the flag")
def _():
    @around("unscale_list")
    def _(former, grads, inverse, flag, cuda):
        seen = set()
        for grad in grads:
            raised = former([grad], inverse, flag, cuda)
            flag = flag if grad.dtype in seen else raised
            seen.add(grad.dtype)
        return flag


@wrong("a signalling NaN of float32 does not raise the flag")
def _():
    @around("unscale_elements")
    def _(former, dtype, elements, inverse, cuda):
        quiet = [0 if dtype == "float32" and bits & 0x7fc00000 == 0x7f800000 and bits & 0x3fffff else bits
                 for bits in elements]
        return former(dtype, elements, inverse, cuda)[0], former(dtype, quiet, inverse, cuda)[1]


@wrong("a float16 of -inf does not raise the flag")
def _():
    @around("is_bad")
    def _(former, dtype, value, cuda): return former(dtype, value, cuda) and (dtype, value) != ("float16", -math.inf)


@wrong("float16 is not checked when the inverse is 1")
def _():
    @around("unscale_elements")
    def _(former, dtype, elements, inverse, cuda):
        after, bad = former(dtype, elements, inverse, cuda)
        return after, bad and not (dtype == "float16" and inverse == 1)


@wrong("an inverse next to 1 is taken for 1")
def _():
    @around("unscale_elements")
    def _(former, dtype, elements, inverse, cuda):
        return former(dtype, elements, 1.0 if abs(inverse - 1) < 2e-7 else inverse, cuda)


@wrong("zeros times an infinite inverse stay zeros")
def _():
    @around("product")
    def _(former, dtype, value, inverse):
        return encode(dtype, value) if value == 0 and math.isinf(inverse) else former(dtype, value, inverse)


@wrong("a list whose first tensor has no elements is taken for empty")
def _():
    @around("unscale_list")
    def _(former, grads, inverse, flag, cuda):
        return flag if grads and not grads[0].elements else former(grads, inverse, flag, cuda)


@wrong("a flag above 1 stays above 1 when it is raised")
def _():
    @around("unscale_list")
    def _(former, grads, inverse, flag, cuda):
        after = former(grads, inverse, 0.0, cuda)
        return flag if after == 1 and flag > 1 else (after if after == 1 else flag)


@wrong("float32 elements are unscaled four at a time, and a single one at the end is forgotten")
def _():
    @around("unscale_elements")
    def _(former, dtype, elements, inverse, cuda):
        after, bad = former(dtype, elements, inverse, cuda)
        odd = dtype == "float32" and len(elements) > 4 and len(elements) % 4 == 1
        return (after[:-1] + elements[-1:] if odd else after), bad


@wrong("a float16 product that overflows raises the flag")
def _():
    @around("unscale_elements")
    def _(former, dtype, elements, inverse, cuda):
        after, bad = former(dtype, elements, inverse, cuda)
        return after, bad or (dtype == "float16" and any(bits & 0x7c00 == 0x7c00 for bits in after))


@wrong("float64 is infinite from the largest float32 on")
def _():
    @around("is_bad")
    def _(former, dtype, value, cuda):
        return former(dtype, value, cuda) or (dtype == "float64" and cuda and abs(value) > unpack("f", 0x7f7fffff))


@wrong("an empty list has its scalars checked")
def _():
    @around("unscale")
    def _(former, command):
        scalars = [(name, amp.operand(command, name)) for name in ("inv_scale", "found_inf")]
        amp.check_each(scalars, ["float32", "float32"])
        return former(command)


@wrong("a list of two dtypes is refused")
def _():
    @around("unscale_list")
    def _(former, grads, *rest):
        amp.expect(len({grad.dtype for grad in grads}) == 1, "all gradients must have the same dtype")
        return former(grads, *rest)


def main(arguments):
    if arguments == ["--list"]:
        for number, (sentence, _) in enumerate(FAULTS, 1): print(number, sentence)
        return 0
    if len(arguments) != 1 or not arguments[0].isdecimal() or not 1 <= int(arguments[0]) <= len(FAULTS):
        print(__doc__, file=sys.stderr)
        return 2
    FAULTS[int(arguments[0]) - 1][1]()
    amp.VERBS.update({"amp.update_scale": amp.update_scale, "amp.unscale": amp.unscale})
    amp.main()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
