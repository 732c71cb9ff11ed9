// The list of captures; it is short.
#include "cuda_impl/memory/captures.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <utility>
#include <vector>

#include "cuda_impl/core/cuda_check.hpp"
#include "cuda_impl/memory/allocator.hpp"

namespace assay::cuda {
namespace memory {
namespace {

struct Capture {
  StreamUse stream;
  std::shared_ptr<CapturePool> pool;
};

struct Bound {
  StreamUse stream;
  std::weak_ptr<CapturePool> pool;
};

struct Captures {
  std::atomic<int> count = 0;
  std::mutex mutex;
  std::vector<Capture> all;
  std::vector<Bound> bound;
};

Captures& captures() {
  static auto* const made = new Captures();
  return *made;
}

std::shared_ptr<CapturePool> bound_pool(const Captures& known, StreamUse stream) {
  for (const Bound& bound : known.bound) {
    if (bound.stream == stream) return bound.pool.lock();
  }
  return nullptr;
}

/// Looks for a capture that the stream has joined, not for one that it began itself.
const CapturePool* joined_pool(const Captures& known, StreamUse stream) {
  const unsigned long long number = number_of_capture(stream.handle);
  if (number == 0) return nullptr;
  for (const Capture& capture : known.all) {
    if (number_of_capture(capture.stream.handle) == number) return capture.pool.get();
  }
  return nullptr;
}

/// A stream is unusable until its capture has ended.
void end(const Capture& capture) {
  cudaGraph_t captured = nullptr;
  static_cast<void>(cudaStreamEndCapture(capture.stream.handle, &captured));
  static_cast<void>(cudaGetLastError());
  if (captured != nullptr) cuda_warn(cudaGraphDestroy(captured));
}

}  // namespace

unsigned long long number_of_capture(cudaStream_t stream) {
  // Querying a default stream during another capture would be an error.
  if (stream == nullptr) return 0;
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  unsigned long long number = 0;
  cuda_check(
      cudaStreamGetCaptureInfo(stream, &status, &number, nullptr, nullptr, nullptr, nullptr));
  return status == cudaStreamCaptureStatusActive ? number : 0;
}

bool is_capturing(cudaStream_t stream) {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  if (stream != nullptr) cuda_check(cudaStreamIsCapturing(stream, &status));
  return status != cudaStreamCaptureStatusNone;
}

bool is_capture_under_way() { return captures().count.load(std::memory_order_relaxed) != 0; }

const CapturePool* pool_of_capture(StreamUse stream) {
  Captures& known = captures();
  const std::scoped_lock lock(known.mutex);
  for (const Capture& capture : known.all) {
    if (capture.stream == stream) return capture.pool.get();
  }
  return joined_pool(known, stream);
}

void bind_capture_pool(StreamUse stream, const std::shared_ptr<CapturePool>& pool) {
  Captures& known = captures();
  const std::scoped_lock lock(known.mutex);
  std::erase_if(known.bound,
                [&](const Bound& bound) { return bound.stream == stream || bound.pool.expired(); });
  known.bound.push_back({stream, pool});
}

void end_captures() {
  Captures& known = captures();
  std::vector<Capture> gone;  // destroyed without the lock, because a pool notifies the allocators
  {
    const std::scoped_lock lock(known.mutex);
    gone.swap(known.all);
    known.bound.clear();
    known.count = 0;
  }
  for (const Capture& capture : gone) end(capture);
}

}  // namespace memory

std::shared_ptr<CapturePool> make_capture_pool() { return std::make_shared<CapturePool>(); }

CapturePool::~CapturePool() { memory::let_go_of(this); }

void capture_begins(StreamUse stream, std::shared_ptr<CapturePool> pool) {
  memory::Captures& known = memory::captures();
  const std::scoped_lock lock(known.mutex);
  if (pool == nullptr) pool = memory::bound_pool(known, stream);
  known.all.push_back({stream, std::move(pool)});
  ++known.count;
}

bool is_captured_into(const CapturePool& pool, int device) {
  memory::Captures& known = memory::captures();
  const std::scoped_lock lock(known.mutex);
  return std::ranges::any_of(known.all, [&](const memory::Capture& capture) {
    return capture.pool.get() == &pool && capture.stream.device == device;
  });
}

void capture_ends(StreamUse stream) noexcept {
  memory::Captures& known = memory::captures();
  std::shared_ptr<CapturePool> gone;
  const std::scoped_lock lock(known.mutex);
  const auto found = std::ranges::find(known.all, stream, &memory::Capture::stream);
  if (found == known.all.end()) return;
  gone = std::move(found->pool);
  known.all.erase(found);
  --known.count;
}

RelaxedCapture::RelaxedCapture() { cuda_warn(cudaThreadExchangeStreamCaptureMode(&mode_)); }
RelaxedCapture::~RelaxedCapture() { cuda_warn(cudaThreadExchangeStreamCaptureMode(&mode_)); }

}  // namespace assay::cuda
