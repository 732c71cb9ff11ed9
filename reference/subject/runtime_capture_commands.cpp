// Area runtime: captures.
#include "reference/runtime/stream_cuda.hpp"
#include "reference/subject/runtime_arguments.hpp"
#include "reference/subject/runtime_commands.hpp"

namespace assay::reference {
namespace {

CaptureMode mode_argument(Call& call) {
  const std::string mode = call.arguments().text("mode", "global");
  if (mode == "global") return CaptureMode::kGlobal;
  if (mode == "thread_local") return CaptureMode::kThreadLocal;
  if (mode == "relaxed") return CaptureMode::kRelaxed;
  throw InvalidArgument("mode must be global, thread_local or relaxed, not '" + mode + "'");
}

void begin(Call& call) {
  begin_capture(call.runtime(), stream_argument(call), mode_argument(call));
}

void end(Call& call) { end_capture(call.runtime(), stream_argument(call)); }

void status(Call& call) {
  const char* names[] = {"none", "active", "invalidated"};
  const CaptureStatus found = capture_status(call.runtime(), stream_argument(call));
  call.result(Value(names[static_cast<int>(found)]));
}

}  // namespace

void add_runtime_capture_commands(CommandTable& table) {
  table.add("runtime.capture_begin", begin);
  table.add("runtime.capture_end", end);
  table.add("runtime.capture_status", status);
}

}  // namespace assay::reference
