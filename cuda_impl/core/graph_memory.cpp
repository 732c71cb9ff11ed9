// Memory kept by CUDA graphs, and allocation outside a capture.
#include "cuda_impl/core/graph_memory.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <utility>

#include "cuda_impl/core/cuda_check.hpp"
#include "cuda_impl/core/device/current_device.hpp"
#include "cuda_impl/core/error.hpp"
#include "cuda_impl/core/session.hpp"
#include "cuda_impl/core/tensor.hpp"

namespace assay::cuda {
namespace {

/// One stream for each device, created on first use. It is reused because memory belongs to the
/// stream that it was allocated on.
struct SideStreams {
  std::mutex mutex;
  std::map<int, cudaStream_t> by_device;
};

SideStreams& side_streams() {
  static auto* const made = new SideStreams();
  return *made;
}

/// Returns the current device's stream.
cudaStream_t side_stream() {
  SideStreams& streams = side_streams();
  const std::scoped_lock lock(streams.mutex);
  cudaStream_t& stream = streams.by_device[current_device()];
  if (stream == nullptr) cuda_check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  return stream;
}

}  // namespace

bool GraphMemory::Replayed::is_over() const noexcept {
  try {
    return latest && latest->is_done();
  } catch (const Error&) {
    return false;
  }
}

void GraphMemory::note_replay(StreamUse stream) {
  if (kept_.empty()) return;
  auto found = std::ranges::find(replayed_, stream, &Replayed::stream);
  if (found == replayed_.end()) found = replayed_.insert(found, Replayed{stream});
  found->latest.reset();
  try {
    found->latest.emplace(stream);
  } catch (const Error&) {
    // Ignored: the graph has been launched all the same.
  }
}

std::uint32_t* GraphMemory::word() {
  constexpr std::int64_t kAtOnce = 128;  // words in one allocation: fills the smallest memory block
  const int device = current_device();
  if (words_.device != device || words_.next == words_.end) {
    const OutsideCapture now;  // inside the capture, each replay would clear them
    const std::int64_t before = counters().allocations;
    const Tensor cleared = full({kAtOnce}, 0, Dtype::kInt32, cuda_device(device));
    counters().allocations = before;  // internal, so it is not counted
    keep(cleared->storage);
    auto* const first = cleared.data_as<std::uint32_t>();
    words_ = {device, first, first + kAtOnce};
  }
  return words_.next++;
}

GraphMemory::~GraphMemory() {
  for (const Replayed& replayed : replayed_) {
    if (replayed.is_over()) continue;
    for (const auto& storage : kept_) storage->note_use(replayed.stream);
  }
}

std::shared_ptr<GraphMemory>& memory_of_capture() {
  thread_local std::shared_ptr<GraphMemory> memory;
  return memory;
}

class OutsideCapture::SideStream {
 public:
  SideStream()
      : memory_(std::exchange(memory_of_capture(), nullptr)),
        stream_(side_stream()),
        scope_(stream_) {}
  ~SideStream() {
    cuda_warn(cudaStreamSynchronize(stream_));
    memory_of_capture() = std::move(memory_);
  }
  SideStream(const SideStream&) = delete;
  SideStream& operator=(const SideStream&) = delete;

 private:
  RelaxedCapture relaxed_;
  std::shared_ptr<GraphMemory> memory_;
  cudaStream_t stream_;
  StreamScope scope_;
};

OutsideCapture::OutsideCapture() {
  if (memory_of_capture() != nullptr) side_stream_ = std::make_unique<SideStream>();
}

OutsideCapture::~OutsideCapture() = default;

void forget_side_streams() {
  const std::scoped_lock lock(side_streams().mutex);
  for (const auto& [device, stream] : std::exchange(side_streams().by_device, {})) {
    if (stream != nullptr) cuda_warn(cudaStreamDestroy(stream));
  }
}

}  // namespace assay::cuda
