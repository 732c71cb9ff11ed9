// Reads, writes and discards pages.
#include "reference/memory/device_bytes.hpp"

#include <algorithm>

namespace assay::reference {

DeviceBytes::Page& DeviceBytes::page(std::uint64_t number) {
  const auto [found, is_new] = pages_.try_emplace(number);
  if (is_new) found->second.fill(kPoison);
  return found->second;
}

std::vector<std::uint8_t> DeviceBytes::read(Address address, std::uint64_t count) const {
  const std::scoped_lock lock(mutex_);
  std::vector<std::uint8_t> bytes(count, kPoison);
  for (auto it = pages_.lower_bound(address / kPage); it != pages_.end(); ++it) {
    const Address begin = it->first * kPage;
    if (begin >= address + count) break;
    const Address from = std::max(begin, address);
    const Address to = std::min(begin + kPage, address + count);
    std::copy(it->second.begin() + static_cast<std::ptrdiff_t>(from - begin),
              it->second.begin() + static_cast<std::ptrdiff_t>(to - begin),
              bytes.begin() + static_cast<std::ptrdiff_t>(from - address));
  }
  return bytes;
}

void DeviceBytes::fill(Address address, std::uint64_t count, std::uint8_t byte) {
  const std::scoped_lock lock(mutex_);
  for (Address at = address; at < address + count;) {
    const Address end = std::min((at / kPage + 1) * kPage, address + count);
    Page& bytes = page(at / kPage);
    std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(at % kPage), end - at, byte);
    at = end;
  }
}

void DeviceBytes::poison(Address address, std::uint64_t count) {
  const std::scoped_lock lock(mutex_);
  auto it = pages_.lower_bound(address / kPage);
  while (it != pages_.end() && it->first * kPage < address + count) {
    const Address begin = it->first * kPage;
    const Address from = std::max(begin, address);
    const Address to = std::min(begin + kPage, address + count);
    if (to - from == kPage) {
      it = pages_.erase(it);
      continue;
    }
    std::fill_n(it->second.begin() + static_cast<std::ptrdiff_t>(from - begin), to - from, kPoison);
    ++it;
  }
}

}  // namespace assay::reference
