"""Operators by name: their schemas, and the kinds of calls in Python."""

import contextlib
import re

import torch

from dispatcher import twins
from waist.wire import UNDEFINED, Unsupported

C = torch._C


def split(name):
    """`ns::base.overload` in the two parts that PyTorch takes."""
    base, _, overload = name.partition(".")
    return base, overload


def name_of_overload(overload):
    schema = overload._schema
    return schema.name + ("." + schema.overload_name if schema.overload_name else "")


def is_ours(name):
    """True if the operator was made by the client and not by PyTorch."""
    return not name.startswith(("aten::", "prims::", "prim::"))


# Up to 2.4, the table is at odds with a kernel at FuncTorchBatchedDecomposition; and a tensor of vmap's key that vmap
# did not make is an assertion of its fallback, or has none.
LACKS = re.compile(" not implemented for '|Batching rule not implemented|from tensor with meta storage|!batched_tensor_inputs.empty\\(\\)|"
                   "_equalsBoxedAndUnboxed.*^FuncTorchBatchedDecomposition\\[alias\\]", re.DOTALL | re.MULTILINE)


@contextlib.contextmanager
def lacks_are_unsupported():
    """A dtype without a kernel in this PyTorch on this device is outside of the clauses. So is what a
    kernel gives of another kind than its schema says: PyTorch converts what Python's kernels give."""
    try:
        yield
    except RuntimeError as problem:
        if LACKS.search(str(problem)):
            raise Unsupported(str(problem)) from problem
        raise


class Operator:
    """A handle: a name that is looked up at each use."""

    def __init__(self, name):
        self.name = name


def name_of(value):
    return value.name if isinstance(value, Operator) else value


def is_there(name):
    return C._dispatch_has_kernel(name)


def has_schema(name):
    return is_there(name) and "schema: (none)" not in C._dispatch_dump(name)


def entry(name):
    """The Python functions of an operator: call, call for a key, tags."""
    found = None
    if has_schema(name):
        found = C._get_operation_overload(*split(name))
    if not found:
        raise Unsupported(f"Python cannot call an operator without a schema, such as {name}")
    return found


def schema_of(name):
    if hasattr(C, "_dispatch_find_schema_or_throw"):
        return C._dispatch_find_schema_or_throw(*split(name)).schema()
    return C._get_schema(*split(name))


def all_arguments(schema, arguments, named):
    """In the order of the schema. PyTorch omits trailing arguments that equal their defaults."""
    values = list(arguments)
    for argument in schema.arguments[len(values):]:
        if argument.name in named:
            values.append(named[argument.name])
        elif argument.has_default_value():
            values.append(argument.default_value)
    return values


def undefined_for(argument):
    """None means the undefined tensor for a required tensor, and no tensor for an optional one."""
    if argument is not None and str(argument.type) != "Tensor":
        raise Unsupported("Python has no undefined tensor, only None where an operator takes one")


def with_undefined(schema_values, values):
    """Converts None for a required tensor back."""
    return [UNDEFINED if value is None and str(one.type) == "Tensor" else value
            for one, value in zip(schema_values, values)] + list(values[len(schema_values):])


def result_of(name, result):
    returns = schema_of(name).returns
    result = twins.back(result)
    if not is_ours(name) or not returns:
        return result
    if len(returns) == 1:
        return with_undefined(returns, [result])[0]
    return tuple(with_undefined(returns, list(result)))


def as_given(name, arguments):
    """Positional and keyword-only arguments."""
    schema = schema_of(name)
    positional, named = [], {}
    for index, value in enumerate(arguments):
        argument = schema.arguments[index] if index < len(schema.arguments) else None
        if value is UNDEFINED:
            value = undefined_for(argument)
        if is_ours(name):
            value = twins.into(value)
        if argument is not None and argument.kwarg_only:
            named[argument.name] = value
        else:
            positional.append(value)
    return positional, named


def call(name, arguments):
    operation = entry(name)[0]
    positional, named = as_given(name, arguments)
    with twins.pretending([*positional, *named.values()]):
        return result_of(name, operation(*positional, **named))


def call_for_key(name, key, arguments):
    operation = entry(name)[1]
    positional, named = as_given(name, arguments)
    with twins.pretending([*positional, *named.values()]):
        return result_of(name, operation(key, *positional, **named))


def redispatch(name, key_set, arguments):
    entry(name)
    positional, named = as_given(name, arguments)
    found = C._dispatch_find_schema_or_throw(*split(name))
    return result_of(name, found.redispatch_boxed(key_set, *positional, **named))
