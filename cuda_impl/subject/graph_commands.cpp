// Area graph: captures, and their replays.
#include "cuda_impl/core/graph.hpp"
#include "cuda_impl/runtime/cuda_stream.hpp"
#include "cuda_impl/subject/command_table.hpp"
#include "cuda_impl/subject/runtime/arguments.hpp"
#include "cuda_impl/subject/runtime/capture_mode.hpp"

namespace assay::cuda {
namespace {

std::shared_ptr<Graph> graph_argument(Call& call) { return call.held<Graph>("graph", "graph"); }

void make(Call& call) {
  require(home().is_cuda(), [] {
    return "Tried to instantiate dummy base class CUDAGraph: without CUDA there are no graphs";
  });
  call.result(Object(std::make_shared<Graph>(), "graph"));
}

void begin(Call& call) {
  const auto graph = graph_argument(call);
  const auto stream = stream_or_none(call);
  if (!stream) return graph->begin(capture_mode(call));
  graph->begin(capture_mode(call), {stream->device.index, {stream->id, handle_of(*stream)}});
}

void end(Call& call) { graph_argument(call)->end(call.release()); }
void replay(Call& call) { graph_argument(call)->replay(); }
void reset(Call& call) { graph_argument(call)->reset(); }
void capturing(Call& call) { call.result(Value(is_capturing())); }

}  // namespace

void add_graph_commands(CommandTable& table) {
  table.add("graph.new", make);
  table.add("graph.begin", begin);
  table.add("graph.end", end);
  table.add("graph.replay", replay);
  table.add("graph.reset", reset);
  table.add("graph.is_capturing", capturing);
}

}  // namespace assay::cuda
