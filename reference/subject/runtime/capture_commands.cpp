// Area runtime: captures.
#include "reference/runtime/streams/cuda.hpp"
#include "reference/subject/runtime/arguments.hpp"
#include "reference/subject/runtime/commands.hpp"

namespace assay::reference {
namespace {

void begin(Call& call) {
  begin_capture(call.runtime(), stream_argument(call), capture_mode_argument(call));
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
