// Allocates pages from the system.
#include "cuda_impl/on_cpu/cudart/memory/pages.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstring>

extern "C" {
// A function of the address sanitizer; null without it.
[[gnu::weak]] void __asan_poison_memory_region(void const volatile* address, std::size_t bytes);
[[gnu::weak]] void __asan_unpoison_memory_region(void const volatile* address, std::size_t bytes);
}

namespace assay::cuda::on_cpu {
namespace {

constexpr std::uint64_t kPage = 4096;
constexpr std::uint64_t kHugePage = 2 << 20;

std::size_t whole_pages(std::uint64_t size_bytes) {
  return std::max<std::size_t>(kPage, (size_bytes + kPage - 1) / kPage * kPage);
}

/// Reserves addresses for `usable` bytes with a guard page on each side; the bytes are aligned to
/// `alignment`. Returns null on failure.
char* reserve(std::size_t usable, std::size_t alignment) {
  const std::size_t wanted = kPage + usable + kPage;
  const std::size_t spare = alignment - kPage;
  void* const all =
      mmap(nullptr, wanted + spare, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (all == MAP_FAILED) return nullptr;
  char* const first = static_cast<char*>(all);
  const auto earliest = reinterpret_cast<std::uintptr_t>(first + kPage);
  const std::size_t skipped = (alignment - earliest % alignment) % alignment;
  if (skipped != 0) munmap(first, skipped);
  if (skipped != spare) munmap(first + skipped + wanted, spare - skipped);
  return first + skipped + kPage;
}

}  // namespace

void* map_pages(std::uint64_t size_bytes) {
  const std::size_t usable = whole_pages(size_bytes);
  const bool is_large = usable >= kHugePage;
  char* const begin = reserve(usable, is_large ? kHugePage : kPage);
  if (begin == nullptr) return nullptr;
  mprotect(begin, usable, PROT_READ | PROT_WRITE);
  // Large memory is then faulted in by huge pages instead of 512 small ones. The system may refuse.
  if (is_large) madvise(begin, usable, MADV_HUGEPAGE);
  if (__asan_poison_memory_region != nullptr) {
    __asan_poison_memory_region(begin - kPage, kPage);
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

FilledPages::FilledPages(unsigned char byte, std::uint64_t size_bytes)
    : byte_(byte),
      size_bytes_(whole_pages(size_bytes)),
      file_(memfd_create("assay_filled_pages", MFD_CLOEXEC)) {
  if (file_ == -1) return;
  void* const all = ftruncate(file_, static_cast<off_t>(size_bytes_)) != 0
                        ? MAP_FAILED
                        : mmap(nullptr, size_bytes_, PROT_WRITE, MAP_SHARED, file_, 0);
  if (all == MAP_FAILED) {
    close(file_);
    file_ = -1;
    return;
  }
  std::memset(all, byte, size_bytes_);
  munmap(all, size_bytes_);
}

FilledPages::~FilledPages() {
  if (file_ != -1) close(file_);
}

bool FilledPages::map_at(void* address, std::uint64_t size_bytes) const {
  if (file_ == -1 || size_bytes > size_bytes_) return false;
  const std::uint64_t whole = size_bytes / kPage * kPage;
  const void* const mapped = mmap(address, whole, PROT_READ | PROT_WRITE,
                                  MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE, file_, 0);
  if (mapped == MAP_FAILED) return false;
  std::memset(static_cast<char*>(address) + whole, byte_, size_bytes - whole);
  return true;
}

}  // namespace assay::cuda::on_cpu
