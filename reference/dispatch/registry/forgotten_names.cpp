// The names missing in PyTorch's key parser, found by querying 1.13, 2.4 and 2.11 for all keys.
#include "reference/dispatch/registry/forgotten_names.hpp"

#include <algorithm>
#include <span>

namespace assay::reference {
namespace {

using enum Backend;

/// Backends for which the per-backend name can be parsed.
constexpr Backend kQuantized1_13[] = {kCPU, kCUDA, kXPU};
constexpr Backend kQuantized2[] = {kCPU, kCUDA, kXPU, kPrivateUse1};
constexpr Backend kSparse1_13[] = {kCPU, kCUDA, kHIP, kXPU, kVE};
constexpr Backend kSparse2_4[] = {kCPU, kCUDA, kHIP, kXPU, kVE, kPrivateUse1, kMeta};
constexpr Backend kSparse2_11[] = {kCPU, kCUDA, kHIP, kMPS, kXPU, kVE, kPrivateUse1, kMeta};
constexpr Backend kNested1_13[] = {kCPU, kCUDA};
constexpr Backend kNested2_4[] = {kCPU, kCUDA, kPrivateUse1, kMeta};
constexpr Backend kNested2_11[] = {kCPU, kCUDA, kXPU, kHPU, kPrivateUse1, kMeta};
constexpr Backend kAutograd[] = {kCPU, kCUDA, kXLA,         kMPS,         kIPU,         kXPU,
                                 kHPU, kLazy, kPrivateUse1, kPrivateUse2, kPrivateUse3, kMeta};

std::span<const Backend> pick(Release release, std::span<const Backend> old,
                              std::span<const Backend> middle, std::span<const Backend> recent) {
  if (release == Release::k1_13) return old;
  return release == Release::k2_4 ? middle : recent;
}

std::span<const Backend> read_names(Functionality functionality, Release release) {
  switch (functionality) {
    case Functionality::kQuantized:
      return pick(release, kQuantized1_13, kQuantized2, kQuantized2);
    case Functionality::kSparse:
    case Functionality::kSparseCsr:
      return pick(release, kSparse1_13, kSparse2_4, kSparse2_11);
    case Functionality::kNestedTensor:
      return pick(release, kNested1_13, kNested2_4, kNested2_11);
    default:
      return kAutograd;
  }
}

}  // namespace

bool is_forgotten(DispatchKey key, Release release) {
  if (key.backend == kNone || key.functionality == Functionality::kDense) return false;
  return std::ranges::count(read_names(key.functionality, release), key.backend) == 0;
}

}  // namespace assay::reference
