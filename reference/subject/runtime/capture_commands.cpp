// Area runtime: captures.
#include "reference/runtime/streams/cuda.hpp"
#include "reference/subject/command_table.hpp"
#include "reference/subject/runtime/arguments.hpp"

namespace assay::reference {

void runtime_capture_begin(Call& call) {
  begin_capture(call.runtime(), stream_argument(call), capture_mode_argument(call));
}

void runtime_capture_end(Call& call) { end_capture(call.runtime(), stream_argument(call)); }

void runtime_capture_status(Call& call) {
  const char* names[] = {"none", "active", "invalidated"};
  const CaptureStatus found = capture_status(call.runtime(), stream_argument(call));
  call.result(Value(names[static_cast<int>(found)]));
}

}  // namespace assay::reference
