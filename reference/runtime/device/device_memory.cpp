// Blocks by address, with poisoning.
#include "reference/runtime/device/device_memory.hpp"

#include <algorithm>
#include <iterator>

namespace assay::reference {
namespace {

/// The address ranges of devices are disjoint.
Address first_address(int device) { return static_cast<Address>(device + 2) << 44; }

constexpr std::uint64_t kAlignment = std::uint64_t{2} << 20;

}  // namespace

Address DeviceMemory::allocate(int device, std::uint64_t size_bytes) {
  Address& next = next_.try_emplace(device, first_address(device)).first->second;
  const Address address = next;
  next += (size_bytes / kAlignment + 1) * kAlignment;
  blocks_.emplace(address, Block{device, size_bytes});
  return address;
}

bool DeviceMemory::free(int device, Address address) {
  const auto found = blocks_.find(address);
  if (found == blocks_.end() || found->second.device != device) return false;
  std::vector<std::byte> bytes = std::move(found->second.bytes);
  std::fill(bytes.begin(), bytes.end(), kPoison);
  if (!bytes.empty()) freed_.push_back(std::move(bytes));
  blocks_.erase(found);
  return true;
}

std::optional<int> DeviceMemory::device_of(Address address) const {
  const auto found = blocks_.find(address);
  if (found == blocks_.end()) return std::nullopt;
  return found->second.device;
}

std::byte* DeviceMemory::data(Address address) {
  auto found = blocks_.upper_bound(address);
  if (found == blocks_.begin()) return nullptr;
  auto& [begin, block] = *std::prev(found);
  const std::uint64_t offset = address - begin;
  if (offset >= block.size_bytes) return nullptr;
  if (block.bytes.empty()) block.bytes.assign(block.size_bytes, kPoison);
  return block.bytes.data() + offset;
}

std::uint64_t DeviceMemory::used_bytes(int device) const {
  std::uint64_t bytes = 0;
  for (const auto& [address, block] : blocks_) {
    if (block.device == device) bytes += block.size_bytes;
  }
  return bytes;
}

int DeviceMemory::blocks(bool of_host) const {
  return static_cast<int>(std::count_if(blocks_.begin(), blocks_.end(), [&](const auto& entry) {
    return (entry.second.device == kHost) == of_host;
  }));
}

}  // namespace assay::reference
