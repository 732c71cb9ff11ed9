// Area graph: captures, and their replays.
#include "cuda_impl/core/graph.hpp"
#include "cuda_impl/subject/command_table.hpp"

namespace assay::cuda {
namespace {

std::shared_ptr<Graph> graph_argument(Call& call) { return call.held<Graph>("graph", "graph"); }

cudaStreamCaptureMode mode_argument(Call& call) {
  const std::string mode = call.arguments().text("mode", "global");
  if (mode == "global") return cudaStreamCaptureModeGlobal;
  if (mode == "thread_local") return cudaStreamCaptureModeThreadLocal;
  if (mode == "relaxed") return cudaStreamCaptureModeRelaxed;
  throw InvalidArgument("graph.begin: there is no mode '" + mode + "'");
}

void make(Call& call) {
  require(home().is_cuda(), [] {
    return "Tried to instantiate dummy base class CUDAGraph: without CUDA there are no graphs";
  });
  call.result(Object(std::make_shared<Graph>(), "graph"));
}

void begin(Call& call) {
  if (!call.is_none("stream")) throw NotSupported("graph.begin: there are no streams to choose");
  graph_argument(call)->begin(mode_argument(call));
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
