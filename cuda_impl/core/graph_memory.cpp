// Memory for graphs: from the runtime itself, which a capture does not notice.
#include "cuda_impl/core/graph_memory.hpp"

#include <cuda_runtime_api.h>

#include <optional>
#include <utility>

#include "cuda_impl/core/cuda_check.hpp"

namespace assay::cuda {
namespace {

/// What would spoil a capture of the thread's is let through as long as it lives.
class RelaxedCapture {
 public:
  RelaxedCapture() { cuda_warn(cudaThreadExchangeStreamCaptureMode(&mode_)); }
  ~RelaxedCapture() { cuda_warn(cudaThreadExchangeStreamCaptureMode(&mode_)); }
  RelaxedCapture(const RelaxedCapture&) = delete;
  RelaxedCapture& operator=(const RelaxedCapture&) = delete;

 private:
  cudaStreamCaptureMode mode_ = cudaStreamCaptureModeRelaxed;
};

}  // namespace

GraphMemory::~GraphMemory() {
  end_capture();
  if (pieces_.empty()) return;
  const RelaxedCapture relaxed;
  for (const Piece& piece : pieces_) cuda_warn(cudaFree(piece.data));
}

std::byte* GraphMemory::allocate(int device, std::size_t size_bytes) {
  const DeviceScope scope(device);
  const RelaxedCapture relaxed;
  void* address = nullptr;
  cuda_check_memory(cudaMalloc(&address, size_bytes));
  pieces_.push_back({device, static_cast<std::byte*>(address)});
  return pieces_.back().data;
}

void GraphMemory::free_later(int device, std::byte* data) { let_go_.push_back({device, data}); }

void GraphMemory::end_capture() noexcept {
  for (const auto& [device, data] : std::exchange(let_go_, {})) {
    try {
      const DeviceScope scope(device);
      cuda_warn(cudaFreeAsync(data, current_stream()));
    } catch (...) {
      // The device is gone, and its memory with it.
    }
  }
}

std::shared_ptr<GraphMemory>& memory_of_capture() {
  thread_local std::shared_ptr<GraphMemory> memory;
  return memory;
}

class OutsideCapture::Detour {
 public:
  Detour() : memory_(std::exchange(memory_of_capture(), nullptr)) {
    cuda_check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    scope_.emplace(stream_);
  }
  ~Detour() {
    cuda_warn(cudaStreamSynchronize(stream_));
    scope_.reset();
    cuda_warn(cudaStreamDestroy(stream_));
    memory_of_capture() = std::move(memory_);
  }
  Detour(const Detour&) = delete;
  Detour& operator=(const Detour&) = delete;

 private:
  RelaxedCapture relaxed_;
  std::shared_ptr<GraphMemory> memory_;
  cudaStream_t stream_ = nullptr;
  std::optional<StreamScope> scope_;
};

OutsideCapture::OutsideCapture() {
  if (memory_of_capture() != nullptr) detour_ = std::make_unique<Detour>();
}

OutsideCapture::~OutsideCapture() = default;

}  // namespace assay::cuda
