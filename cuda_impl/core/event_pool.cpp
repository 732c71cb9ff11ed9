// Event pools, each protected by its own mutex.
#include "cuda_impl/core/event_pool.hpp"

#include <array>
#include <mutex>
#include <utility>
#include <vector>

#include "cuda_impl/core/cuda_check.hpp"

namespace assay::cuda {
namespace {

constexpr std::size_t kMostDevices = 64;

class Pool {
 public:
  /// Returns null if the pool is empty.
  cudaEvent_t take() {
    const std::scoped_lock lock(mutex_);
    if (free_.empty()) return nullptr;
    cudaEvent_t const event = free_.back();
    free_.pop_back();
    return event;
  }
  void give_back(cudaEvent_t event) {
    const std::scoped_lock lock(mutex_);
    free_.push_back(event);
  }
  std::vector<cudaEvent_t> take_all() {
    const std::scoped_lock lock(mutex_);
    return std::exchange(free_, {});
  }

 private:
  std::mutex mutex_;
  std::vector<cudaEvent_t> free_;
};

/// Never destroyed: the driver shuts down first at process exit (FLT-017).
std::array<Pool, kMostDevices>& pools() {
  static auto* const made = new std::array<Pool, kMostDevices>();
  return *made;
}

Pool& pool_of(int device) { return pools().at(static_cast<std::size_t>(device)); }

/// Creates an event of the current device.
cudaEvent_t created() {
  cudaEvent_t event = nullptr;
  cuda_check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  return event;
}

}  // namespace

PooledEvent::PooledEvent(StreamUse stream) : device_(stream.device) {
  const DeviceScope scope(stream.device);
  Pool& pool = pool_of(stream.device);
  event_ = pool.take();
  if (event_ == nullptr) event_ = created();
  const cudaError_t result = cudaEventRecord(event_, stream.handle);
  if (result == cudaSuccess) return;
  pool.give_back(std::exchange(event_, nullptr));
  cuda_check(result);
}

PooledEvent::~PooledEvent() {
  if (event_ != nullptr) pool_of(device_).give_back(event_);
}

PooledEvent::PooledEvent(PooledEvent&& other) noexcept
    : device_(other.device_), event_(std::exchange(other.event_, nullptr)) {}

PooledEvent& PooledEvent::operator=(PooledEvent&& other) noexcept {
  std::swap(device_, other.device_);
  std::swap(event_, other.event_);
  return *this;
}

bool PooledEvent::is_done() const {
  const cudaError_t result = cudaEventQuery(event_);
  if (result == cudaErrorNotReady) {
    static_cast<void>(cudaGetLastError());  // clears the last error (FLT-007)
    return false;
  }
  cuda_check(result);
  return true;
}

void PooledEvent::wait() const { cuda_check(cudaEventSynchronize(event_)); }

void PooledEvent::hold_back(cudaStream_t stream) const {
  cuda_check(cudaStreamWaitEvent(stream, event_, 0));
}

void forget_pooled_events() {
  for (Pool& pool : pools()) {
    for (cudaEvent_t const event : pool.take_all()) cuda_warn(cudaEventDestroy(event));
  }
}

}  // namespace assay::cuda
