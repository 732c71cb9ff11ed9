// Asks the system for pages.
#include "cuda_impl/on_cpu/cudart/memory/pages.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstddef>

extern "C" {
// Of the address sanitizer, where the program has one.
[[gnu::weak]] void __asan_poison_memory_region(void const volatile* address, std::size_t bytes);
[[gnu::weak]] void __asan_unpoison_memory_region(void const volatile* address, std::size_t bytes);
}

namespace assay::cuda::on_cpu {
namespace {

constexpr std::uint64_t kPage = 4096;

std::size_t whole_pages(std::uint64_t size_bytes) {
  return std::max<std::size_t>(kPage, (size_bytes + kPage - 1) / kPage * kPage);
}

}  // namespace

void* map_pages(std::uint64_t size_bytes) {
  const std::size_t usable = whole_pages(size_bytes);
  void* const all = mmap(nullptr, kPage + usable + kPage, PROT_NONE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (all == MAP_FAILED) return nullptr;
  char* const begin = static_cast<char*>(all) + kPage;
  mprotect(begin, usable, PROT_READ | PROT_WRITE);
  if (__asan_poison_memory_region != nullptr) {
    __asan_poison_memory_region(all, kPage);
    __asan_poison_memory_region(begin + size_bytes, usable + kPage - size_bytes);
  }
  return begin;
}

void unmap_pages(void* address, std::uint64_t size_bytes) {
  void* const all = static_cast<char*>(address) - kPage;
  const std::size_t bytes = kPage + whole_pages(size_bytes) + kPage;
  if (__asan_unpoison_memory_region != nullptr) __asan_unpoison_memory_region(all, bytes);
  munmap(all, bytes);
}

}  // namespace assay::cuda::on_cpu
