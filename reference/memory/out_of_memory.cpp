// Implements MEM-013.
#include "reference/memory/out_of_memory.hpp"

#include "reference/core/types/error.hpp"
#include "reference/memory/device_allocator.hpp"
#include "reference/memory/driver_calls.hpp"
#include "reference/memory/sizes.hpp"
#include "reference/runtime/failure.hpp"

namespace assay::reference {
namespace {

std::string first_text(const MemoryShortage& shortage) {
  std::string text =
      "CUDA out of memory. Tried to allocate " + size_text(shortage.asked) + " (GPU " +
      std::to_string(shortage.device) + "; " + size_text(shortage.capacity) + " total capacity; " +
      size_text(shortage.allocated) + " already allocated; " + size_text(shortage.free) + " free; ";
  if (shortage.limit) text += size_text(*shortage.limit) + " allowed; ";
  return text + size_text(shortage.reserved) +
         " reserved in total by PyTorch) If reserved memory is >> allocated memory try setting "
         "max_split_size_mb to avoid fragmentation.";
}

std::string later_text(const MemoryShortage& shortage, Release release) {
  std::string text = "CUDA out of memory. Tried to allocate " + size_text(shortage.asked) +
                     ". GPU " + std::to_string(shortage.device) + " has a total capacity of " +
                     size_text(shortage.capacity) + " of which " + size_text(shortage.free) +
                     " is free. ";
  if (shortage.limit) text += size_text(*shortage.limit) + " allowed; ";
  text += "Of the allocated memory " + size_text(shortage.allocated) + " is allocated by PyTorch, ";
  if (shortage.in_private_pools > 0) {
    text += "with " + size_text(shortage.in_private_pools) + " allocated in private pools, ";
  }
  const char* variable =
      release >= Release::k2_11 ? "PYTORCH_ALLOC_CONF" : "PYTORCH_CUDA_ALLOC_CONF";
  return text + "and " + size_text(shortage.reserved - shortage.allocated) +
         " is reserved by PyTorch but unallocated. If reserved but unallocated memory is large, " +
         variable + "=expandable_segments:True may help against fragmentation.";
}

}  // namespace

std::string text_of(const MemoryShortage& shortage, Release release) {
  return release < Release::k2_4 ? first_text(shortage) : later_text(shortage, release);
}

void DeviceAllocator::fail(const Request& request, Lock& lock) {
  MemoryShortage shortage{
      .device = device_,
      .asked = request.segment,
      .allocated = static_cast<std::uint64_t>(stats_.allocated_bytes.of[0].current),
      .reserved = reserved_,
      .in_private_pools = bytes_in_private_pools(),
      .limit = limit_};
  {
    const ScopedDevice scope(runtime_, device_);
    const Code code = driver_.mem_info(shortage.free, shortage.capacity);
    cuda_check(runtime_, code);  // FLT-011: its error takes precedence
  }
  ++stats_.num_ooms;
  const auto observers = settings_.observers;
  lock.unlock();
  for (const auto& observer : observers) {
    observer(device_);
  }
  throw Error(ErrorKind::kOutOfMemory, text_of(shortage, runtime_.contract().release));
}

}  // namespace assay::reference
