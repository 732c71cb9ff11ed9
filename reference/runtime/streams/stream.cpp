// The current stream, and the handles of streams.
#include "reference/runtime/streams/stream.hpp"

#include <utility>

#include "reference/core/types/error.hpp"
#include "reference/runtime/streams/cuda.hpp"
#include "reference/runtime/streams/id.hpp"
#include "reference/runtime/streams/pool.hpp"

namespace assay::reference {
namespace {

/// Ids by device; missing entries mean the default stream (STR-019).
struct CurrentStreams {
  std::unordered_map<int, std::int64_t> ids;
};

CurrentStreams& current_streams(Runtime& runtime) { return runtime.local<CurrentStreams>(); }

}  // namespace

StreamPlace place_of(Runtime& runtime, const Stream& stream) {
  check(stream.device.is_cuda(), ErrorKind::kInternal,
        [&] { return "a stream of CUDA was expected, not of " + to_text(stream.device); });
  // Only pool ids depend on the number of levels.
  const bool asks = stream.id % 2 != 0 || runtime.contract().release == Release::k1_13;
  const int levels = asks && stream.id != 0 ? priority_levels(runtime) : 0;
  return place_of(runtime.contract(), stream, levels);
}

StreamHandle handle_of(Runtime& runtime, const Stream& stream) {
  const StreamPlace place = place_of(runtime, stream);
  switch (place.kind) {
    case StreamKind::kLegacy:
      return 0;
    case StreamKind::kPool:
      return pool_handle(runtime, checked_cuda_index(runtime, stream.device.index), place.level,
                         place.index);
    case StreamKind::kPerThread:
    case StreamKind::kExternal:
      break;
  }
  return place.handle;
}

Stream default_stream(Runtime& runtime, int index) {
  init_streams(runtime);
  const int device = checked_cuda_index(runtime, index);
  return {cuda_device(device), 0};
}

Stream current_stream(Runtime& runtime, int index) {
  init_streams(runtime);
  const int device = checked_cuda_index(runtime, index);
  const auto& ids = current_streams(runtime).ids;
  const auto found = ids.find(device);
  return {cuda_device(device), found == ids.end() ? 0 : found->second};
}

void set_current_stream(Runtime& runtime, const Stream& stream) {
  init_streams(runtime);
  const int count = cuda_device_count(runtime);
  const int index = stream.device.index;
  check(index >= 0 && index < count, [&] {  // STR-021
    return "Device index value " + std::to_string(index) + " is out of index range [0, " +
           std::to_string(count) + ")";
  });
  current_streams(runtime).ids[index] = stream.id;
}

OnlyStream::OnlyStream(Runtime& runtime, const Stream& stream)
    : runtime_(runtime),
      before_(std::exchange(current_streams(runtime).ids, {{stream.device.index, stream.id}})),
      device_(runtime, stream.device.index) {}

OnlyStream::~OnlyStream() { current_streams(runtime_).ids = std::move(before_); }

}  // namespace assay::reference
