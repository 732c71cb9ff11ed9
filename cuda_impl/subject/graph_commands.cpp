// Area graph: captures, and their replays.
#include "cuda_impl/core/graph.hpp"
#include "cuda_impl/runtime/cuda_stream.hpp"
#include "cuda_impl/subject/command_table.hpp"
#include "cuda_impl/subject/runtime/arguments.hpp"
#include "cuda_impl/subject/runtime/capture_mode.hpp"

namespace assay::cuda {
namespace {

std::shared_ptr<Graph> graph_argument(Call& call) { return call.held<Graph>("graph", "graph"); }

std::shared_ptr<PoolOfCaptures> pool_or_none(Call& call) {
  if (call.arguments().optional("pool") == nullptr) return nullptr;
  return call.held<PoolOfCaptures>("pool", "pool of captures");
}

void require_graphs() {
  require(home().is_cuda(), [] {
    return "Tried to instantiate dummy base class CUDAGraph: without CUDA there are no graphs";
  });
}

}  // namespace

void graph_new(Call& call) {
  require_graphs();
  const bool is_kept = call.arguments().boolean("keep", false);
  call.result(Object(std::make_shared<Graph>(is_kept), "graph"));
}

void graph_begin(Call& call) {
  const auto graph = graph_argument(call);
  const auto stream = stream_or_none(call);
  if (!stream) return graph->begin(capture_mode(call), pool_or_none(call));
  graph->begin(capture_mode(call), {stream->device.index, {stream->id, handle_of(*stream)}},
               pool_or_none(call));
}

void graph_end(Call& call) { graph_argument(call)->end(call.release()); }
void graph_replay(Call& call) { graph_argument(call)->replay(); }
void graph_reset(Call& call) { graph_argument(call)->reset(); }
void graph_instantiate(Call& call) { graph_argument(call)->instantiate(); }
void graph_pool(Call& call) {
  call.result(Object(graph_argument(call)->pool(), "pool of captures"));
}
void graph_pool_handle(Call& call) {
  call.result(Object(std::make_shared<PoolOfCaptures>(), "pool of captures"));
}
void graph_is_capturing(Call& call) {
  require_graphs();
  call.result(Value(is_capturing()));
}

}  // namespace assay::cuda
