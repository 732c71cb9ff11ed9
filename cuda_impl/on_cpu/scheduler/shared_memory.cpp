// The shared memory of the running block, with red zones around each part.
#include "cuda_impl/on_cpu/scheduler/shared_memory.hpp"

#include <cstring>
#include <new>

#include "cuda_impl/on_cpu/scheduler/fibers/sanitizers.hpp"

namespace assay::cuda::on_cpu {
namespace {

constexpr std::align_val_t kAlignment{256};
/// In front of the dynamic shared memory and behind it.
constexpr std::size_t kRedZone = 1024;

/// Variables begin at multiples of a zone, and at least one zone apart.
constexpr std::size_t kZoneOfVariable = 256;
constexpr std::size_t kRoomOfVariables = (48 << 10) + 16 * kZoneOfVariable;

}  // namespace

void SharedMemory::Release::operator()(std::byte* memory) const {
  ::operator delete(memory, kAlignment);
}

void SharedMemory::make_room(std::size_t bytes) {
  // To the thread sanitizer, reused memory would appear to be shared by both blocks.
  if (bytes <= room_ && !has_thread_sanitizer()) return;
  memory_.reset();
  memory_.reset(static_cast<std::byte*>(::operator new(kRedZone + bytes + kRedZone, kAlignment)));
  base_ = memory_.get() + kRedZone;
  room_ = bytes;
}

void SharedMemory::make_room_for_variables() {
  memory_of_variables_.reset(static_cast<std::byte*>(::operator new(kRoomOfVariables, kAlignment)));
  poison_memory(memory_of_variables_.get(), kRoomOfVariables);
  used_by_variables_ = kZoneOfVariable;
}

std::byte* SharedMemory::variable(const void* name, std::size_t bytes) {
  for (const Variable& known : variables_) {
    if (known.name == name) return known.at;
  }
  if (memory_of_variables_ == nullptr) make_room_for_variables();
  const std::size_t begin = used_by_variables_;
  const std::size_t zones = (bytes + kZoneOfVariable - 1) / kZoneOfVariable + 1;
  if (zones > (kRoomOfVariables - begin) / kZoneOfVariable) return nullptr;
  used_by_variables_ = begin + zones * kZoneOfVariable;
  std::byte* const at = memory_of_variables_.get() + begin;
  unpoison_memory(at, bytes);
  if (poisons_) std::memset(at, 0xff, bytes);
  variables_.push_back({name, at});
  return at;
}

void SharedMemory::begin(std::size_t bytes, bool poison) {
  poisons_ = poison;
  make_room(bytes);
  if (poison) std::memset(base_, 0xff, bytes);
  poison_memory(memory_.get(), kRedZone + room_ + kRedZone);
  unpoison_memory(base_, bytes);
}

void SharedMemory::end() {
  unpoison_memory(memory_.get(), kRedZone + room_ + kRedZone);
  if (variables_.empty()) return;
  variables_.clear();
  used_by_variables_ = kZoneOfVariable;
  poison_memory(memory_of_variables_.get(), kRoomOfVariables);
  // To the thread sanitizer, reused memory would appear to be shared by both blocks.
  if (has_thread_sanitizer()) memory_of_variables_.reset();
}

}  // namespace assay::cuda::on_cpu
