// Allocates memory and keeps the records.
#include "cuda_impl/on_cpu/cudart/memory/memory.hpp"

#include <algorithm>
#include <cstring>
#include <optional>

#include "cuda_impl/on_cpu/cudart/calls.hpp"
#include "cuda_impl/on_cpu/cudart/memory/pages.hpp"
#include "cuda_impl/on_cpu/cudart/shape.hpp"

namespace assay::cuda::on_cpu {
namespace {

constexpr unsigned char kFresh = 0xa5;
constexpr unsigned char kGone = 0xdb;
/// The rest keeps the system's zeros: the segments of an allocator are large and tests use only
/// their beginning; pages that are never written cost nothing.
constexpr std::uint64_t kMostFilled = 4 << 20;
/// Below, a memset is quicker.
constexpr std::uint64_t kLeastMapped = 256 << 10;

std::uint64_t filled_bytes(const Piece& piece) { return std::min(piece.size_bytes, kMostFilled); }

void fill(void* address, const Piece& piece, unsigned char byte) {
  std::memset(address, byte, filled_bytes(piece));
}

/// Cheap if few of the pages are written later: the others all share the same memory.
bool fill_by_mapping(void* address, const Piece& piece) {
  static const FilledPages fresh(kFresh, kMostFilled);
  return piece.size_bytes >= kLeastMapped && fresh.map_at(address, filled_bytes(piece));
}

std::uintptr_t number_of(const void* address) { return reinterpret_cast<std::uintptr_t>(address); }

bool is_of_device(const Piece& piece) { return piece.is_ours && !piece.is_host; }

}  // namespace

Memory& Memory::get() {
  static Memory* const memory = new Memory();
  return *memory;
}

void* Memory::allocate(std::uint64_t size_bytes, int device, bool is_host) {
  if (!is_host && bytes_on(device) + size_bytes > shape().memory_bytes) return nullptr;
  std::optional<OpenArena> opened;
  if (is_guarded_) opened.emplace(arena_);
  const Piece piece{.size_bytes = size_bytes, .device = device, .is_host = is_host};
  void* const address = map_fresh(piece);
  if (address == nullptr) return nullptr;
  pieces_[number_of(address)] = piece;
  if (!is_host) bytes_[device] += size_bytes;
  return address;
}

void* Memory::map_fresh(const Piece& piece) {
  const bool is_of_arena = is_guarded_ && !piece.is_host;
  void* const address = is_of_arena ? arena_.take(piece.size_bytes) : map_pages(piece.size_bytes);
  const bool is_filled = address == nullptr || (!is_of_arena && fill_by_mapping(address, piece));
  if (!is_filled) fill(address, piece, kFresh);
  return address;
}

void Memory::unmap(void* address, const Piece& piece) {
  if (!arena_.contains(address)) return unmap_pages(address, piece.size_bytes);
  const OpenArena opened(arena_);
  if (!arena_.is_intact_behind(address, piece.size_bytes)) {
    Calls::get().complain(1, "something was written behind the end of " + description(address));
  }
  fill(address, piece, kGone);
  arena_.give_back(address, piece.size_bytes);
}

void* Memory::allocate_for_graph(std::uint64_t size_bytes, int device) {
  void* const address = allocate(size_bytes, device, false);
  if (address == nullptr) return nullptr;
  Piece& piece = pieces_[number_of(address)];
  piece.is_of_graph = true;
  piece.is_alive = false;
  return address;
}

void Memory::revive(void* address) {
  Piece& piece = pieces_.at(number_of(address));
  fill(address, piece, kFresh);
  piece.is_alive = true;
}

bool Memory::release(void* address) {
  const auto found = pieces_.find(number_of(address));
  if (found == pieces_.end() || !found->second.is_ours || !found->second.is_alive) return false;
  Piece& piece = found->second;
  if (piece.is_of_graph) {
    const OpenArena opened(arena_);
    fill(address, piece, kGone);
    piece.is_alive = false;
    return true;
  }
  unmap(address, piece);
  forget(found->first, piece);
  return true;
}

void Memory::mark_lost(const void* address) {
  const auto found = pieces_.find(number_of(address));
  if (found != pieces_.end()) found->second.is_lost = true;
}

void Memory::destroy(void* address) {
  const auto found = pieces_.find(number_of(address));
  if (found == pieces_.end()) return;
  unmap(address, found->second);
  forget(found->first, found->second);
}

void Memory::forget(std::uintptr_t address, const Piece& piece) {
  constexpr std::size_t kMostRemembered = 1000;
  if (is_of_device(piece)) bytes_[piece.device] -= piece.size_bytes;
  freed_.emplace_front(address, piece);
  if (freed_.size() > kMostRemembered) freed_.pop_back();
  pieces_.erase(address);
}

void Memory::add_registered(void* address, std::uint64_t size_bytes) {
  pieces_[number_of(address)] = {.size_bytes = size_bytes, .is_host = true, .is_ours = false};
}

void Memory::add_variable(void* address, std::uint64_t size_bytes) {
  pieces_[number_of(address)] = {.size_bytes = size_bytes, .is_host = false, .is_ours = false};
}

bool Memory::remove_registered(void* address) {
  const auto found = pieces_.find(number_of(address));
  const bool is_registered =
      found != pieces_.end() && !found->second.is_ours && found->second.is_host;
  if (is_registered) pieces_.erase(found);
  return is_registered;
}

const Piece* Memory::find(const void* address) const {
  const std::uintptr_t place = number_of(address);
  auto found = pieces_.upper_bound(place);
  if (found == pieces_.begin()) return nullptr;
  --found;
  const bool is_inside =
      place < found->first + std::max<std::uint64_t>(1, found->second.size_bytes);
  return is_inside ? &found->second : nullptr;
}

std::uint64_t Memory::bytes_from(const void* address) const {
  const std::uintptr_t place = number_of(address);
  auto found = pieces_.upper_bound(place);
  if (found == pieces_.begin()) return 0;
  --found;
  const std::uint64_t before = place - found->first;
  return before < found->second.size_bytes ? found->second.size_bytes - before : 0;
}

void Memory::guard(bool is_on) {
  if (!is_on) arena_.open();
  is_guarded_ = is_on;
  if (is_on) arena_.close();
}

void Memory::let_host_in() {
  if (is_guarded_) arena_.open();
}

void Memory::keep_host_out() {
  if (is_guarded_) arena_.close();
}

int Memory::count(bool is_host) const {
  return static_cast<int>(std::count_if(pieces_.begin(), pieces_.end(), [&](const auto& entry) {
    const Piece& piece = entry.second;
    return piece.is_host == is_host && piece.is_ours && piece.is_alive;
  }));
}

}  // namespace assay::cuda::on_cpu
