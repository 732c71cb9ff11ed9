// Which stream is current, and what the driver knows a stream by.
#include "reference/runtime/stream.hpp"

#include <unordered_map>

#include "reference/core/error.hpp"
#include "reference/core/fault.hpp"
#include "reference/runtime/cuda_device.hpp"
#include "reference/runtime/stream_cuda.hpp"
#include "reference/runtime/stream_id.hpp"
#include "reference/runtime/stream_pool.hpp"

namespace assay::reference {
namespace {

/// Ids by device; one that is not there is the default stream's (STR-019).
struct CurrentStreams {
  std::unordered_map<int, std::int64_t> ids;
};

struct FirstDefaultDevice {
  int index = -1;
};

CurrentStreams& current_streams(Runtime& runtime) {
  if (fault("current_stream_is_the_process_s")) return runtime.shared<CurrentStreams>();
  return runtime.local<CurrentStreams>();
}

}  // namespace

StreamPlace place_of(Runtime& runtime, const Stream& stream) {
  check(stream.device.is_cuda(), ErrorKind::kInternal,
        [&] { return "a stream of CUDA was expected, not of " + to_text(stream.device); });
  // Only an id that names a pool needs to know how many of them there are.
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
      return pool_handle(runtime, checked_cuda_index(runtime, stream.device.index),
                         fault("resolving_ignores_the_level") ? 0 : place.level, place.index);
    case StreamKind::kPerThread:
    case StreamKind::kExternal:
      break;
  }
  return place.handle;
}

Stream default_stream(Runtime& runtime, int index) {
  init_streams(runtime);
  const int device = checked_cuda_index(runtime, index);
  if (fault("default_stream_is_of_the_current_device")) {
    return {cuda_device(cuda_current_device(runtime)), 0};
  }
  if (fault("default_stream_remembers_the_first_device")) {
    int& first = runtime.shared<FirstDefaultDevice>().index;
    if (first == -1) first = device;
    return {cuda_device(first), 0};
  }
  if (fault("default_stream_is_the_current_one")) return current_stream(runtime, device);
  return {cuda_device(device), 0};
}

Stream current_stream(Runtime& runtime, int index) {
  init_streams(runtime);
  const int device = checked_cuda_index(runtime, index);
  const auto& ids = current_streams(runtime).ids;
  const auto found = ids.find(fault("one_current_stream_for_all_devices") ? 0 : device);
  return {cuda_device(device), found == ids.end() ? 0 : found->second};
}

void set_current_stream(Runtime& runtime, const Stream& stream) {
  init_streams(runtime);
  const int count = cuda_device_count(runtime);
  const int index = stream.device.index;
  const bool is_taken = fault("current_stream_is_set_on_any_device");
  check((index >= 0 && index < count) || is_taken, [&] {  // STR-021
    return "Device index value " + std::to_string(index) + " is out of index range [0, " +
           std::to_string(count) + ")";
  });
  current_streams(runtime).ids[fault("one_current_stream_for_all_devices") ? 0 : index] = stream.id;
  if (fault("setting_a_stream_switches_the_device")) cuda_set_device(runtime, index);
}

}  // namespace assay::reference
