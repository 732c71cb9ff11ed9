// Allocates the memory of storages.
#include "cuda_impl/core/storage.hpp"

#include <new>

#include "cuda_impl/core/error.hpp"
#include "cuda_impl/core/session.hpp"

namespace assay::cuda {
namespace {

/// A cache line; also the widest access of any kernel or processor.
constexpr std::align_val_t kHostAlignment{64};

std::byte* allocate_on_host(std::size_t size_bytes) {
  void* address = ::operator new(size_bytes, kHostAlignment, std::nothrow);
  require(address != nullptr, ErrorKind::kOutOfMemory, [&] {
    return "can't allocate memory: the host has no " + std::to_string(size_bytes) + " bytes left";
  });
  return static_cast<std::byte*>(address);
}

}  // namespace

Storage::Storage(Device device, std::size_t size_bytes) : device_(device), size_bytes_(size_bytes) {
  if (size_bytes == 0 || device.is_meta()) return;
  if (device.is_cuda()) {
    memory_ = allocate_device_memory(device.index, size_bytes);
  } else {
    memory_.data = allocate_on_host(size_bytes);
  }
  ++counters().allocations;
}

Storage::Storage(Pinned, std::size_t size_bytes) : device_(kCpu), size_bytes_(size_bytes) {
  if (size_bytes == 0) return;
  memory_ = allocate_pinned_memory(size_bytes);
  ++counters().allocations;
}

std::shared_ptr<Storage> Storage::pinned(std::size_t size_bytes) {
  return std::shared_ptr<Storage>(new Storage(Pinned{}, size_bytes));
}

Storage::~Storage() {
  if (memory_.data == nullptr) return;
  if (device_.is_cuda()) {
    free_device_memory(memory_);
  } else if (is_pinned()) {
    free_pinned_memory(memory_);
  } else {
    ::operator delete(memory_.data, kHostAlignment);
  }
}

void Storage::note_use(StreamUse stream) const {
  if (memory_.block == nullptr) return;
  device_.is_cuda() ? note_device_use(memory_, stream) : note_pinned_use(memory_, stream);
}

}  // namespace assay::cuda
