// Formats out-of-memory messages.
#include "cuda_impl/memory/out_of_memory.hpp"

#include <limits>

#include "cuda_impl/core/contract.hpp"
#include "cuda_impl/memory/sizes.hpp"

namespace assay::cuda::memory {
namespace {

std::string in_old_words(const Shortage& it) {
  return "CUDA out of memory. Tried to allocate " + size_text(it.wanted_bytes) + " (GPU " +
         std::to_string(it.device) + "; " + size_text(it.total_bytes) + " total capacity; " +
         size_text(it.allocated_bytes) + " already allocated; " + size_text(it.free_bytes) +
         " free; " + size_text(it.reserved_bytes) +
         " reserved in total by PyTorch) If much more is reserved than allocated, setting "
         "max_split_size_mb may avoid fragmentation.";
}

std::string limit_in_words(const Shortage& it) {
  if (!it.limit_bytes) return "";
  return " The allocator may have " + size_text(*it.limit_bytes) + " of it.";
}

std::string private_in_words(const Shortage& it) {
  if (it.private_bytes == 0) return "";
  return " (" + size_text(it.private_bytes) + " of that in private pools, of CUDA graphs)";
}

}  // namespace

std::string in_words(const Shortage& it) {
  const Release release = rules().release;
  if (release == Release::k1_13) return in_old_words(it);
  const std::string variable =
      release == Release::k2_4 ? "PYTORCH_CUDA_ALLOC_CONF" : "PYTORCH_ALLOC_CONF";
  return "CUDA out of memory. Tried to allocate " + size_text(it.wanted_bytes) + ". GPU " +
         std::to_string(it.device) + " has a total capacity of " + size_text(it.total_bytes) +
         " of which " + size_text(it.free_bytes) + " is free." + limit_in_words(it) +
         " PyTorch has allocated " + size_text(it.allocated_bytes) + private_in_words(it) +
         ", and reserved " + size_text(it.reserved_bytes - it.allocated_bytes) +
         " that are not allocated. If that is much, setting " + variable +
         "=expandable_segments:True may avoid fragmentation.";
}

std::string in_words_of_async(const Shortage& it) {
  const std::size_t limit = it.limit_bytes.value_or(std::numeric_limits<std::size_t>::max());
  return "Allocation on device " + std::to_string(it.device) +
         " would exceed allowed memory. (out of memory)\nCurrently allocated     : " +
         size_text(it.allocated_bytes) +
         "\nRequested               : " + size_text(it.wanted_bytes) +
         "\nDevice limit            : " + size_text(it.total_bytes) +
         "\nFree (according to CUDA): " + size_text(it.free_bytes) +
         "\nPyTorch limit (set by user-supplied memory fraction)\n                        : " +
         size_text(limit);
}

}  // namespace assay::cuda::memory
