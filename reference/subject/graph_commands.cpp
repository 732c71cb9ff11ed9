// Area graph: captures and their replays.
#include "reference/memory/cuda_graph.hpp"
#include "reference/subject/command_table.hpp"
#include "reference/subject/runtime/arguments.hpp"

namespace assay::reference {
namespace {

std::shared_ptr<CudaGraph> graph_argument(Call& call) {
  return call.held<CudaGraph>("graph", "graph");
}

void make(Call& call) {
  call.result(Object::of(std::make_shared<CudaGraph>(call.runtime()), "graph"));
}

void begin(Call& call) {
  const auto graph = graph_argument(call);
  const CaptureMode mode = capture_mode_argument(call);
  if (const auto stream = stream_or_none(call)) return graph->begin(*stream, mode);
  graph->begin(mode);
}

void end(Call& call) { graph_argument(call)->end(); }
void replay(Call& call) { graph_argument(call)->replay(); }
void reset(Call& call) { graph_argument(call)->reset(); }

void is_capturing(Call& call) { call.result(Value(is_current_stream_capturing(call.runtime()))); }

}  // namespace

void add_graph_commands(CommandTable& table) {
  table.add("graph.new", make);
  table.add("graph.begin", begin);
  table.add("graph.end", end);
  table.add("graph.replay", replay);
  table.add("graph.reset", reset);
  table.add("graph.is_capturing", is_capturing);
}

}  // namespace assay::reference
