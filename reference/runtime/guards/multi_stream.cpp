// Sets and restores the streams of several devices.
#include <algorithm>
#include <ranges>
#include <string>

#include "reference/core/types/error.hpp"
#include "reference/runtime/backends/registry.hpp"
#include "reference/runtime/guards/stream.hpp"

namespace assay::reference {
namespace {

DeviceType type_of(const std::vector<Stream>& streams) {
  const Device first = streams.front().device;
  for (std::size_t i = 1; i < streams.size(); ++i) {
    const Device device = streams[i].device;
    check(device.type == first.type, ErrorKind::kValue, [&] {
      return "Streams have a mix of device types: stream 0 is on " + to_text(first) +
             " while stream " + std::to_string(i) + " is on device " + to_text(device);
    });
  }
  return first.type;
}

bool has_a_device_twice(const std::vector<Stream>& streams) {
  std::vector<int> indices;
  for (const Stream& stream : streams) indices.push_back(stream.device.index);
  std::ranges::sort(indices);
  return std::ranges::adjacent_find(indices) != indices.end();
}

}  // namespace

MultiStreamGuard::MultiStreamGuard(Runtime& runtime, const std::vector<Stream>& streams)
    : runtime_(runtime) {
  if (streams.empty()) return;
  backend_ = backend_of(runtime, type_of(streams));
  try {
    for (const Stream& stream : streams) originals_.push_back(backend_->exchange_stream(stream));
  } catch (const Error&) {
    if (runtime.contract().strict()) restore();
    throw;
  }
}

MultiStreamGuard::~MultiStreamGuard() { restore(); }

/// In list order (GRD-019). [DEV] of GRD-021: if a device occurs twice, PyTorch's order restores
/// the stream that the list itself had set.
void MultiStreamGuard::restore() noexcept {
  if (runtime_.contract().strict() && has_a_device_twice(originals_)) {
    std::ranges::reverse(originals_);
  }
  try {
    for (const Stream& stream : originals_) backend_->exchange_stream(stream);
  } catch (const Error& error) {
    runtime_.warn("UserWarning", error.message());
  }
}

}  // namespace assay::reference
