// Allocates from the system, and keeps the account.
#include "cuda_impl/on_cpu/cudart/memory.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>

#include "cuda_impl/on_cpu/cudart/shape.hpp"

namespace assay::cuda::on_cpu {
namespace {

constexpr unsigned char kFresh = 0xa5;
constexpr unsigned char kGone = 0xdb;
/// More is left to the system, which gives zeros: nobody waits for gigabytes to be filled.
constexpr std::uint64_t kMostFilled = 64 << 20;

std::size_t whole_pages(std::uint64_t size_bytes) {
  constexpr std::uint64_t kPage = 4096;
  return std::max<std::size_t>(kPage, (size_bytes + kPage - 1) / kPage * kPage);
}

}  // namespace

Memory& Memory::get() {
  static Memory* const memory = new Memory();
  return *memory;
}

void* Memory::allocate(std::uint64_t size_bytes, int device, bool is_host) {
  if (!is_host && bytes_on(device) + size_bytes > shape().memory_bytes) return nullptr;
  void* address = mmap(nullptr, whole_pages(size_bytes), PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (address == MAP_FAILED) return nullptr;
  std::memset(address, kFresh, std::min(size_bytes, kMostFilled));
  pieces_[reinterpret_cast<std::uintptr_t>(address)] = {size_bytes, device, is_host};
  return address;
}

bool Memory::release(void* address) {
  const auto found = pieces_.find(reinterpret_cast<std::uintptr_t>(address));
  if (found == pieces_.end() || !found->second.is_ours) return false;
  std::memset(address, kGone, std::min(found->second.size_bytes, kMostFilled));
  munmap(address, whole_pages(found->second.size_bytes));
  pieces_.erase(found);
  return true;
}

void Memory::add_registered(void* address, std::uint64_t size_bytes) {
  pieces_[reinterpret_cast<std::uintptr_t>(address)] = {size_bytes, 0, true, false};
}

void Memory::add_variable(void* address, std::uint64_t size_bytes) {
  pieces_[reinterpret_cast<std::uintptr_t>(address)] = {size_bytes, 0, false, false};
}

bool Memory::remove_registered(void* address) {
  const auto found = pieces_.find(reinterpret_cast<std::uintptr_t>(address));
  if (found == pieces_.end() || found->second.is_ours || !found->second.is_host) return false;
  pieces_.erase(found);
  return true;
}

const Piece* Memory::find(const void* address) const {
  const auto place = reinterpret_cast<std::uintptr_t>(address);
  auto found = pieces_.upper_bound(place);
  if (found == pieces_.begin()) return nullptr;
  --found;
  const bool is_inside =
      place < found->first + std::max<std::uint64_t>(1, found->second.size_bytes);
  return is_inside ? &found->second : nullptr;
}

std::uint64_t Memory::bytes_on(int device) const {
  std::uint64_t bytes = 0;
  for (const auto& [address, piece] : pieces_) {
    if (piece.is_ours && !piece.is_host && piece.device == device) bytes += piece.size_bytes;
  }
  return bytes;
}

int Memory::count(bool is_host) const {
  return static_cast<int>(std::count_if(pieces_.begin(), pieces_.end(), [&](const auto& entry) {
    return entry.second.is_host == is_host && entry.second.is_ours;
  }));
}

}  // namespace assay::cuda::on_cpu
