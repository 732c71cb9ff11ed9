// Implements CAP-001 to CAP-007.
#include "reference/memory/cuda_graph.hpp"

#include <utility>

#include "reference/core/types/error.hpp"
#include "reference/memory/caching_allocator.hpp"
#include "reference/runtime/cuda_device.hpp"
#include "reference/runtime/failure.hpp"
#include "reference/runtime/streams/cuda.hpp"

namespace assay::reference {
namespace {

void check_has_devices(const Runtime& runtime) {
  check(runtime.contract().cuda(), [] {
    return "Tried to instantiate dummy base class CUDAGraph: without CUDA there are no graphs";
  });
}

Stream checked_current_stream(Runtime& runtime) {
  check_has_devices(runtime);
  return current_stream(runtime);
}

}  // namespace

CudaGraph::CudaGraph(Runtime& runtime, bool keep)
    : runtime_(runtime), keep_(keep), begun_on_(checked_current_stream(runtime)) {}

CudaGraph::~CudaGraph() {
  Driver& driver = driver_of(runtime_);
  if (capturing_) {
    static_cast<void>(driver.capture_end(handle_of(runtime_, *capturing_)));
    leave_stream();
  }
  release_memory();
  if (own_) static_cast<void>(driver.stream_destroy(handle_of(runtime_, *own_)));
}

void CudaGraph::check_can_begin() {
  check(held_ == nullptr, [] {
    return "This CUDAGraph instance already owns a captured graph. To capture a new graph, create "
           "a new instance or reset this one.";
  });
  check(!is_capturing(runtime_),
        [] { return "a capture cannot begin while the current stream is capturing"; });
}

void CudaGraph::begin(CaptureMode mode, std::shared_ptr<SharedPool> pool) {
  check_can_begin();
  if (!own_) own_ = create_raw_stream(runtime_, -1, false, 0);
  begin(*own_, mode, std::move(pool));
}

void CudaGraph::begin(const Stream& stream, CaptureMode mode, std::shared_ptr<SharedPool> pool) {
  check_can_begin();
  if (pool == nullptr) pool = std::make_shared<SharedPool>();
  std::shared_ptr<PrivatePool>& here = pool->on_device[stream.device.index];
  check(here == nullptr || !here->is_in_use,
        [] { return "another graph is already recording to the pool of this capture"; });
  begin_capture(runtime_, stream, mode);
  device_ = stream.device.index;
  before_ = current_stream(runtime_, device_);
  capturing_ = stream;
  begun_on_ = stream;
  has_ever_begun_ = true;
  held_ = nullptr;
  set_current_stream(runtime_, stream);
  CachingAllocator& allocator = allocator_of(runtime_);
  pool_ = here = allocator.of_device(device_).shared_pool(here, allocator.tag_of(stream));
  pool_->is_in_use = true;
  shared_ = std::move(pool);
}

void CudaGraph::leave_stream() {
  set_current_stream(runtime_, before_);
  capturing_.reset();
  pool_->is_in_use = false;
}

/// CAP-003: until 2.11 the driver refuses to end what did not begin.
void CudaGraph::check_may_try_to_end() const {
  const Contract& contract = runtime_.contract();
  if (contract.before(Release::k2_12)) return;
  const bool prints_no_device =
      !contract.strict() && contract.at_least(Release::k2_13) && !has_ever_begun_;
  throw Error(prints_no_device ? ErrorKind::kValue : ErrorKind::kError,
              "There is no capture to end: capture_end() was called before capture_begin().");
}

void CudaGraph::end() {
  const bool is_other = !capturing_ && is_capturing(runtime_);
  check(current_stream(runtime_) == begun_on_ && !is_other,
        [] { return "Capture must end on the same stream it began on."; });
  const bool has_begun = capturing_.has_value();
  if (!has_begun) check_may_try_to_end();
  CapturedWork captured;
  const Code code = driver_of(runtime_).capture_end(handle_of(runtime_, begun_on_), &captured);
  if (has_begun) leave_stream();
  if (code != Code::kSuccess) {
    if (has_begun) release_memory();
    return cuda_check(runtime_, code);
  }
  if (captured.empty() && runtime_.contract().at_least(Release::k2_4)) {
    runtime_.warn("UserWarning",
                  "The CUDA Graph is empty. This usually means that the graph was attempted to be "
                  "captured on wrong device or stream.");
  }
  held_ = std::make_shared<const CapturedWork>(std::move(captured));
}

void CudaGraph::replay() {
  check(held_ != nullptr,
        [] { return "Called CUDAGraph::replay without a preceding successful capture."; });
  if (held_ == nullptr) return;
  const OnCudaDevice on(runtime_, device_);
  cuda_check(runtime_, driver_of(runtime_).graph_launch(
                           handle_of(runtime_, current_stream(runtime_, device_)), held_));
}

void CudaGraph::reset() {
  held_ = nullptr;
  if (!capturing_) release_memory();
}

void CudaGraph::instantiate() const {
  check(held_ != nullptr, [] {
    return "capture_end() must have been called before instantiate(): there is no captured graph";
  });
  check(keep_, [] { return "instantiate() is for graphs that were made with keep_graph=True"; });
}

std::shared_ptr<SharedPool> CudaGraph::pool() const {
  check(held_ != nullptr,
        [] { return "Called CUDAGraph::pool() without a preceding successful capture."; });
  return shared_;
}

void CudaGraph::release_memory() {
  if (pool_ != nullptr) allocator_of(runtime_).of_device(device_).release_pool(*pool_);
  pool_ = nullptr;
}

bool is_current_stream_capturing(Runtime& runtime) {
  check_has_devices(runtime);
  return is_capturing(runtime);
}

}  // namespace assay::reference
