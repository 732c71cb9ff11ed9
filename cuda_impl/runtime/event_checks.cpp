// Error messages of events.
#include "cuda_impl/runtime/event_checks.hpp"

#include <algorithm>
#include <cctype>

#include "cuda_impl/core/contract.hpp"
#include "cuda_impl/core/error.hpp"

namespace assay::cuda {

std::string upper_name(DeviceKind type) {
  std::string name(name_of(type, rules().release));
  std::ranges::transform(name, name.begin(), [](unsigned char letter) {
    return static_cast<char>(std::toupper(letter));
  });
  return name;
}

std::string shown_index(int index) {
  if (rules().is_strict) return std::to_string(index);
  return std::string(1, static_cast<char>(index));
}

void require_one_device(int from, int to) {
  require(!rules().is_strict || from == to, ErrorKind::kValue, [&] {
    return "there is no time between events of two devices: device " + std::to_string(from) +
           " and device " + std::to_string(to);
  });
}

}  // namespace assay::cuda
