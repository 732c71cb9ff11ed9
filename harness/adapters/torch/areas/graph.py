"""Area graph: capture and replay."""

import torch

from areas.runtime_streams import as_cuda
from waist.wire import Invalid, Unsupported


UNDER_WAY = set()  # graphs that capture; asking a stream while none does would be a call that no client made


def is_captured():
    """True if the work of this thread's current stream is captured."""
    return bool(UNDER_WAY) and torch.cuda.is_current_stream_capturing()


def refuse_values():
    """A value made for a single command would not exist when a graph is replayed."""
    if is_captured():
        raise Invalid("while the current stream captures, tensors are given by name")


def is_unseen(value, name_of):
    """True if the elements must be read to represent the value."""
    if isinstance(value, torch.Tensor):
        return value.is_cuda and name_of(value) is None
    return isinstance(value, (list, tuple)) and any(is_unseen(item, name_of) for item in value)


class Graph:
    """A PyTorch graph, with the stream on which it captures."""

    def __init__(self):
        self.graph = torch.cuda.CUDAGraph()
        self.own, self.scope = None, None

    def begin(self, stream, modes):
        if stream is None:
            self.own = self.own or torch.cuda.Stream()
        scope = torch.cuda.stream(stream or self.own)
        scope.__enter__()
        try:
            self.graph.capture_begin(**modes)
        except BaseException:
            scope.__exit__(None, None, None)
            raise
        self.scope = scope
        UNDER_WAY.add(self)

    def end(self):
        scope = self.scope
        try:
            self.graph.capture_end()
        except RuntimeError as problem:
            if "same stream" in str(problem):
                raise  # it goes on
            self.leave(scope)
            raise
        self.leave(scope)

    def leave(self, scope):
        self.scope = None
        UNDER_WAY.discard(self)
        if scope is not None:
            scope.__exit__(None, None, None)


def make(subject, given):
    if not torch.cuda.is_available():
        raise Unsupported("without a CUDA device PyTorch has no graphs")
    return {"result": Graph()}


def begin(subject, given):
    stream = as_cuda(given["stream"]) if "stream" in given else None
    modes = {"capture_error_mode": given["mode"]} if "mode" in given else {}
    graph = given["graph"]
    if torch.cuda.is_current_stream_capturing():
        raise Unsupported("PyTorch refuses this, and crashes when the refused graph is destroyed")
    graph.begin(stream, modes)


def is_capturing(subject, given):
    if not torch.cuda.is_available():
        raise Unsupported("without a CUDA device PyTorch has no graphs")
    return {"result": torch.cuda.is_current_stream_capturing()}


COMMANDS = {
    "graph.new": make,
    "graph.begin": begin,
    "graph.end": lambda subject, given: given["graph"].end(),
    "graph.replay": lambda subject, given: given["graph"].graph.replay(),
    "graph.reset": lambda subject, given: given["graph"].graph.reset(),
    "graph.is_capturing": is_capturing,
}
