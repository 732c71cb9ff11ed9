// Area graph: captures, and their replays.
#include "cuda_impl/core/graph.hpp"
#include "cuda_impl/runtime/cuda_stream.hpp"
#include "cuda_impl/subject/command_table.hpp"
#include "cuda_impl/subject/runtime/arguments.hpp"
#include "cuda_impl/subject/runtime/capture_mode.hpp"

namespace assay::cuda {
namespace {

std::shared_ptr<Graph> graph_argument(Call& call) { return call.held<Graph>("graph", "graph"); }

}  // namespace

void graph_new(Call& call) {
  require(home().is_cuda(), [] {
    return "Tried to instantiate dummy base class CUDAGraph: without CUDA there are no graphs";
  });
  call.result(Object(std::make_shared<Graph>(), "graph"));
}

void graph_begin(Call& call) {
  const auto graph = graph_argument(call);
  const auto stream = stream_or_none(call);
  if (!stream) return graph->begin(capture_mode(call));
  graph->begin(capture_mode(call), {stream->device.index, {stream->id, handle_of(*stream)}});
}

void graph_end(Call& call) { graph_argument(call)->end(call.release()); }
void graph_replay(Call& call) { graph_argument(call)->replay(); }
void graph_reset(Call& call) { graph_argument(call)->reset(); }
void graph_is_capturing(Call& call) { call.result(Value(is_capturing())); }

}  // namespace assay::cuda
