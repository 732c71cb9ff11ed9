// Allocates pages from the system, or from a reserved address range.
#include "cuda_impl/on_cpu/cudart/memory/pages.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <utility>

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

// The arena.

namespace {

constexpr std::uint64_t kReserved = std::uint64_t{64} << 30;
/// The number of freed pages whose contents are kept.
constexpr std::uint64_t kMostLeftPages = (64 << 20) / kPage;
constexpr unsigned char kGuardByte = 0x5c;

/// Includes at least one byte behind the allocation.
std::uint64_t pages_for(std::uint64_t size_bytes) { return size_bytes / kPage + 1; }

std::uint64_t bytes_behind(std::uint64_t size_bytes) {
  return pages_for(size_bytes) * kPage - size_bytes;
}

/// Whole huge pages only, because releasing a part would split the page.
void give_to_system(char* begin, std::uint64_t bytes) {
  const auto address = reinterpret_cast<std::uintptr_t>(begin);
  const std::uint64_t skipped = (kHugePage - address % kHugePage) % kHugePage;
  if (bytes < skipped + kHugePage) return;
  madvise(begin + skipped, (bytes - skipped) / kHugePage * kHugePage, MADV_DONTNEED);
}

}  // namespace

void Arena::reserve() {
  if (begin_ != nullptr) return;
  void* const all = mmap(nullptr, kReserved + kHugePage, PROT_NONE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (all == MAP_FAILED) return;
  const auto address = reinterpret_cast<std::uintptr_t>(all);
  begin_ = static_cast<char*>(all) + (kHugePage - address % kHugePage);
  used_ = protected_ = begin_;
  end_ = begin_ + kReserved;
  // With small pages, closing the arena would change one entry a page, twice an operation.
  madvise(begin_, kReserved, MADV_HUGEPAGE);
}

void* Arena::take(std::uint64_t size_bytes) {
  reserve();
  const std::uint64_t pages = pages_for(size_bytes);
  char* taken = nullptr;
  if (const auto found = free_.find(pages); found != free_.end() && !found->second.empty()) {
    taken = found->second.back();
    found->second.pop_back();
  } else if (static_cast<std::uint64_t>(end_ - used_) >= pages * kPage) {
    taken = used_;
    grow(pages * kPage);
  }
  if (taken == nullptr) return nullptr;
  std::memset(taken + size_bytes, kGuardByte, bytes_behind(size_bytes));
  return taken;
}

void Arena::grow(std::uint64_t bytes) {
  used_ += bytes;
  if (used_ <= protected_) return;
  const auto needed = static_cast<std::uint64_t>(used_ - begin_);
  protected_ = begin_ + (needed + kHugePage - 1) / kHugePage * kHugePage;
  protect(is_open_ ? PROT_READ | PROT_WRITE : PROT_NONE);
}

void Arena::protect(int how) {
  const auto bytes = static_cast<std::size_t>(protected_ - begin_);
  if (bytes != 0) mprotect(begin_, bytes, how);
}

void Arena::give_back(void* address, std::uint64_t size_bytes) {
  const std::uint64_t pages = pages_for(size_bytes);
  left_.push_back({static_cast<char*>(address), pages});
  left_pages_ += pages;
  while (left_pages_ > kMostLeftPages) reuse_the_oldest();
}

void Arena::reuse_the_oldest() {
  const Range oldest = left_.front();
  left_.pop_front();
  left_pages_ -= oldest.pages;
  give_to_system(oldest.begin, oldest.pages * kPage);
  free_[oldest.pages].push_back(oldest.begin);
}

bool Arena::contains(const void* address) const {
  const char* const at = static_cast<const char*>(address);
  return begin_ != nullptr && at >= begin_ && at < end_;
}

void Arena::open() {
  if (!std::exchange(is_open_, true)) protect(PROT_READ | PROT_WRITE);
}

void Arena::close() {
  if (std::exchange(is_open_, false)) protect(PROT_NONE);
}

bool Arena::is_intact_behind(const void* address, std::uint64_t size_bytes) const {
  const auto* const behind = static_cast<const unsigned char*>(address) + size_bytes;
  return std::all_of(behind, behind + bytes_behind(size_bytes),
                     [](unsigned char byte) { return byte == kGuardByte; });
}

}  // namespace assay::cuda::on_cpu
