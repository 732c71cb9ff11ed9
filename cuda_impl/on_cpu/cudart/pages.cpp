// Asks the system for pages.
#include "cuda_impl/on_cpu/cudart/pages.hpp"

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
  void* const address = mmap(nullptr, usable + kPage, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (address == MAP_FAILED) return nullptr;
  mprotect(static_cast<char*>(address) + usable, kPage, PROT_NONE);
  if (__asan_poison_memory_region != nullptr) {
    __asan_poison_memory_region(static_cast<char*>(address) + size_bytes,
                                usable + kPage - size_bytes);
  }
  return address;
}

void unmap_pages(void* address, std::uint64_t size_bytes) {
  const std::size_t all = whole_pages(size_bytes) + kPage;
  if (__asan_unpoison_memory_region != nullptr) __asan_unpoison_memory_region(address, all);
  munmap(address, all);
}

}  // namespace assay::cuda::on_cpu
