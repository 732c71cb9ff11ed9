// Captures and launches CUDA graphs; memory kept by them, and allocation outside a capture.
#include "cuda_impl/core/graph.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <utility>

#include "cuda_impl/core/contract.hpp"
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

namespace {

/// A capture may end before one that began earlier, and on another thread.
struct OpenCaptures {
  std::vector<std::weak_ptr<GraphMemory>> memories;
  int hidden = 0;  ///< by this number of OutsideCapture
};

OpenCaptures& open_captures() {
  thread_local OpenCaptures open;
  return open;
}

/// Whether the thread has begun a capture that it does not know to have ended.
thread_local constinit bool has_begun_one = false;

}  // namespace

std::shared_ptr<GraphMemory> memory_of_capture() {
  if (!has_begun_one) return nullptr;
  OpenCaptures& open = open_captures();
  std::erase_if(open.memories, [](const auto& held) {
    const auto memory = held.lock();
    return memory == nullptr || !memory->is_open();
  });
  has_begun_one = !open.memories.empty();
  return open.hidden > 0 || !has_begun_one ? nullptr : open.memories.back().lock();
}

class OutsideCapture::SideStream {
 public:
  SideStream() : stream_(side_stream()), scope_(stream_) { ++open_captures().hidden; }
  ~SideStream() {
    cuda_warn(cudaStreamSynchronize(stream_));
    --open_captures().hidden;
  }
  SideStream(const SideStream&) = delete;
  SideStream& operator=(const SideStream&) = delete;

 private:
  RelaxedCapture relaxed_;
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

class Graph::Capture {
 public:
  Capture(const StreamOfDevice& stream, std::shared_ptr<GraphMemory> memory)
      : use_{stream.device, stream.stream.handle},
        scope_(stream.stream),
        memory_(std::move(memory)) {
    capture_begins(use_, memory_->pool());
    memory_->open();
    open_captures().memories.push_back(memory_);
    has_begun_one = true;
  }
  ~Capture() {
    capture_ends(use_);
    memory_->close();
  }
  Capture(const Capture&) = delete;
  Capture& operator=(const Capture&) = delete;

 private:
  StreamUse use_;
  StreamScope scope_;
  std::shared_ptr<GraphMemory> memory_;
};

Graph::Graph(bool is_kept) : is_kept_(is_kept) {
  require(Session::cuda_devices() > 0, [] {
    return "Tried to instantiate dummy base class CUDAGraph: without CUDA there are no graphs";
  });
  stream_.device = current_device();
  stream_.stream.handle = current_stream();
}

Graph::~Graph() {
  if (capture_ != nullptr) {
    cudaGraph_t captured = nullptr;
    static_cast<void>(cudaStreamEndCapture(stream_.stream.handle, &captured));
    static_cast<void>(cudaGetLastError());
    if (captured != nullptr) cuda_warn(cudaGraphDestroy(captured));
    capture_.reset();
  }
  if (executable_ != nullptr) cuda_warn(cudaGraphExecDestroy(executable_));
  if (captured_ != nullptr) cuda_warn(cudaGraphDestroy(captured_));
  if (own_.stream.handle != nullptr) cuda_warn(cudaStreamDestroy(own_.stream.handle));
}

void Graph::require_empty() const {
  require(!holds_capture(), [] {
    return "This CUDAGraph instance already owns a captured graph: reset it, or make another one";
  });
  require(!is_capturing(),
          [] { return "expected no capture in the current stream, but it is capturing"; });
}

void Graph::begin(cudaStreamCaptureMode mode, std::shared_ptr<PoolOfCaptures> pool) {
  require_empty();
  if (own_.stream.handle == nullptr) {
    own_.device = current_device();
    cuda_check(cudaStreamCreateWithFlags(&own_.stream.handle, cudaStreamNonBlocking));
    own_.stream.id = reinterpret_cast<std::intptr_t>(own_.stream.handle);
  }
  capture_on(own_, mode, std::move(pool));
}

void Graph::begin(cudaStreamCaptureMode mode, StreamOfDevice stream,
                  std::shared_ptr<PoolOfCaptures> pool) {
  require_empty();
  require(stream.stream.handle != nullptr, [] {
    return "CUDA graphs must be captured on a non-default stream, and this is the default one";
  });
  capture_on(stream, mode, std::move(pool));
}

void Graph::capture_on(StreamOfDevice stream, cudaStreamCaptureMode mode,
                       std::shared_ptr<PoolOfCaptures> pool) {
  if (pool == nullptr) pool = std::make_shared<PoolOfCaptures>();
  std::shared_ptr<CapturePool> memory = pool->of_device[stream.device].lock();
  require(memory == nullptr || !is_captured_into(*memory, stream.device),
          [] { return "beginAllocateToPool: a capture is already recording to this pool"; });
  const DeviceScope scope(stream.device);
  cuda_check(cudaStreamBeginCapture(stream.stream.handle, mode));
  stream_ = stream;
  was_used_ = true;
  if (memory == nullptr) memory = make_capture_pool();
  pool->of_device[stream.device] = memory;
  pool_ = std::move(pool);
  memory_ = std::make_shared<GraphMemory>(std::move(memory));
  capture_ = std::make_unique<Capture>(stream, memory_);
}

/// CAP-003: the capture must be this graph's, too.
void Graph::require_own_stream() const {
  const bool is_here =
      current_device() == stream_.device && current_stream() == stream_.stream.handle;
  require(is_here && (capture_ != nullptr || !is_capturing()),
          [] { return "Capture must end on the same stream it began on."; });
}

/// PyTorch writes the device into the message as a character, which for a graph that never began
/// Python cannot read.
void Graph::refuse_end(Release release) const {
  const bool is_unreadable = release >= Release::k2_13 && !rules().is_strict && !was_used_;
  throw Error(is_unreadable ? ErrorKind::kValue : ErrorKind::kError,
              "capture_end: the graph has no capture under way");
}

void Graph::end(Release release) {
  require_own_stream();
  const bool has_begun = capture_ != nullptr;
  if (!has_begun && release >= Release::k2_12) refuse_end(release);
  cudaGraph_t captured = nullptr;
  const cudaError_t result = cudaStreamEndCapture(stream_.stream.handle, &captured);
  capture_.reset();
  if (has_begun && result != cudaSuccess) memory_.reset();  // otherwise an earlier capture's
  cuda_check(result);
  captured_ = captured;
  std::size_t nodes = 0;
  cuda_check(cudaGraphGetNodes(captured_, nullptr, &nodes));
  if (!is_kept_) make_executable();
  if (nodes > 0 || release == Release::k1_13) return;
  warn("UserWarning",
       "The CUDA Graph is empty. This usually means that the graph was attempted to be captured on "
       "wrong device or stream.");
}

/// Of a graph that is not kept, only the executable one stays.
void Graph::make_executable() {
  if (executable_ != nullptr) cuda_check(cudaGraphExecDestroy(std::exchange(executable_, nullptr)));
  const cudaError_t result = cudaGraphInstantiate(&executable_, captured_, 0);
  if (!is_kept_) cuda_warn(cudaGraphDestroy(std::exchange(captured_, nullptr)));
  cuda_check(result);
}

void Graph::instantiate() {
  require(holds_capture(), [] {
    return "capture_end() must have been called before calling instantiate: nothing is captured";
  });
  require(is_kept_, [] {
    return "expected a graph with keep_graph=true: others are instantiated when they are captured";
  });
  make_executable();
}

void Graph::replay() {
  require(holds_capture(), [] {
    return "Called CUDAGraph::replay without a preceding successful capture: there is nothing to "
           "run";
  });
  const DeviceScope scope(stream_.device);
  if (executable_ == nullptr) make_executable();
  cuda_check(cudaGraphLaunch(executable_, current_stream()));
  memory_->note_replay(current_use(stream_.device));
}

std::shared_ptr<PoolOfCaptures> Graph::pool() const {
  require(holds_capture(), [] { return "a pool is given after a successful capture_end()"; });
  return pool_;
}

void Graph::reset() {
  if (captured_ != nullptr) cuda_check(cudaGraphDestroy(std::exchange(captured_, nullptr)));
  if (executable_ != nullptr) cuda_check(cudaGraphExecDestroy(std::exchange(executable_, nullptr)));
  if (capture_ == nullptr) memory_.reset();  // a capture in progress has new memory
}

bool is_capturing() {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  cuda_check(cudaStreamIsCapturing(current_stream(), &status));
  return status != cudaStreamCaptureStatusNone;
}

}  // namespace assay::cuda
