// Area graph: captures and their replays.
#include "reference/memory/cuda_graph.hpp"
#include "reference/subject/command_table.hpp"
#include "reference/subject/runtime/arguments.hpp"

namespace assay::reference {
namespace {

std::shared_ptr<CudaGraph> graph_argument(Call& call) {
  return call.held<CudaGraph>("graph", "graph");
}

}  // namespace

void graph_new(Call& call) {
  const bool keep = call.arguments().boolean("keep", false);
  call.result(Object(std::make_shared<CudaGraph>(call.runtime(), keep), "graph"));
}

void graph_begin(Call& call) {
  const auto graph = graph_argument(call);
  const CaptureMode mode = capture_mode_argument(call);
  std::shared_ptr<SharedPool> pool;
  if (call.arguments().optional("pool") != nullptr)
    pool = call.held<SharedPool>("pool", "graph pool");
  if (const auto stream = stream_or_none(call)) return graph->begin(*stream, mode, pool);
  graph->begin(mode, pool);
}

void graph_end(Call& call) { graph_argument(call)->end(); }
void graph_replay(Call& call) { graph_argument(call)->replay(); }
void graph_reset(Call& call) { graph_argument(call)->reset(); }
void graph_instantiate(Call& call) { graph_argument(call)->instantiate(); }

void graph_pool(Call& call) { call.result(Object(graph_argument(call)->pool(), "graph pool")); }
void graph_pool_handle(Call& call) {
  call.result(Object(std::make_shared<SharedPool>(), "graph pool"));
}

void graph_is_capturing(Call& call) {
  call.result(Value(is_current_stream_capturing(call.runtime())));
}

}  // namespace assay::reference
