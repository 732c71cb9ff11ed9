// Dispatch keys: a functionality, with a backend if there is one key for each backend (DSP-103);
// their names, and the releases that have them.
#pragma once

#include <compare>
#include <cstdint>
#include <string_view>

#include "cuda_impl/core/contract.hpp"

namespace assay::cuda::dispatch {

// Dispatch keys: a functionality, with a backend if there is one key for each backend (DSP-103).

/// The functionalities of all releases by ascending priority; aliases come last (DSP-102, DSP-105).
enum class Functionality : std::uint8_t {
  kUndefined,
  kDense,
  kFpga,
  kOrt,   ///< 1.13
  kMaia,  ///< 2.4; a backend since
  kVulkan,
  kMetal,
  kQuantized,
  kCustomRngKeyId,
  kMkldnnCpu,
  kSparse,
  kSparseCsrCpu,   ///< 1.13
  kSparseCsrCuda,  ///< 1.13
  kSparseCsr,
  kNestedTensor,
  kBackendSelect,
  kPython,
  kFake,
  kFuncTorchDynamicLayerBackMode,
  kFunctionalize,
  kNamed,
  kConjugate,
  kNegative,
  kZeroTensor,
  kADInplaceOrView,
  kAutogradOther,
  kAutograd,  ///< one for each backend
  kAutogradNestedTensor,
  kTracer,
  kAutocastCpu,
  kAutocastMtia,
  kAutocastMaia,
  kAutocastXpu,
  kAutocastIpu,
  kAutocastHpu,
  kAutocastXla,
  kAutocastMps,
  kAutocastCuda,
  kAutocastPrivateUse1,
  kFuncTorchBatched,
  kBatchedNestedTensor,
  kFuncTorchVmapMode,
  kBatched,
  kVmapMode,
  kFuncTorchGradWrapper,
  kDeferredInit,
  kPythonTlsSnapshot,
  kFuncTorchDynamicLayerFrontMode,
  kGenericWrapper,
  kGenericMode,
  kPreDispatch,
  kPythonDispatcher,
  kAliasAutograd,
  kCompositeImplicit,
  kBatchedDecomposition,
  kCompositeImplicitNested,
  kCompositeExplicit,
  kCompositeExplicitNonFunctional,
};
inline constexpr int kFunctionalities = 58;
inline constexpr auto kFirstAlias = Functionality::kAliasAutograd;

/// The backends of all releases. Their priority depends on the release (DSP-101).
enum class Backend : std::uint8_t {
  kNone,
  kCpu,
  kCuda,
  kHip,
  kXla,
  kMps,
  kIpu,
  kXpu,
  kHpu,
  kVe,
  kLazy,
  kMtia,
  kMaia,
  kPrivateUse1,
  kPrivateUse2,
  kPrivateUse3,
  kMeta,
};
inline constexpr int kBackends = 17;

struct Key {
  Functionality functionality = Functionality::kUndefined;
  Backend backend = Backend::kNone;

  constexpr Key() = default;
  constexpr Key(Functionality of, Backend on = Backend::kNone) : functionality(of), backend(on) {}
  constexpr Key(Backend on) : Key(Functionality::kDense, on) {}

  constexpr bool is_undefined() const { return functionality == Functionality::kUndefined; }
  constexpr bool is_alias() const { return functionality >= kFirstAlias; }
  auto operator<=>(const Key&) const = default;
};

/// 64 bits: backends in the high bits, functionalities below. That is PyTorch's order reversed, so
/// that the key of the highest priority is the lowest bit: processors count trailing zeros in fewer
/// cycles than leading ones unless code is compiled for their extensions.
struct KeySet {
  std::uint64_t bits = 0;

  /// In PyTorch's order: backends in the low bits, functionalities above (DSP-108).
  constexpr std::uint64_t pytorch_bits() const { return reversed(bits); }
  static constexpr KeySet of_pytorch_bits(std::uint64_t bits) { return {reversed(bits)}; }

  constexpr bool empty() const { return bits == 0; }
  constexpr bool has_all(KeySet other) const { return (bits & other.bits) == other.bits; }
  constexpr KeySet without(KeySet other) const { return {bits & ~other.bits}; }
  constexpr KeySet operator|(KeySet other) const { return {bits | other.bits}; }
  constexpr KeySet operator&(KeySet other) const { return {bits & other.bits}; }
  constexpr KeySet operator^(KeySet other) const { return {bits ^ other.bits}; }
  constexpr KeySet& operator|=(KeySet other) { return *this = *this | other; }
  constexpr bool operator==(const KeySet&) const = default;

  static constexpr std::uint64_t reversed(std::uint64_t bits) {
    std::uint64_t found = 0;
    for (unsigned i = 0; i < 64; ++i) found |= (bits >> i & 1U) << (63U - i);
    return found;
  }
};

struct FunctionalityFacts {
  std::string_view name;
  bool is_per_backend = false;
  /// The prefix that precedes the backend in the names of the keys.
  std::string_view prefix = {};
  Release since = Release::k1_13;
  Release until = kNewestRelease;

  bool is_in(Release release) const { return since <= release && release <= until; }
};

const FunctionalityFacts& facts(Functionality functionality);
/// Empty for kNone.
std::string_view name_of(Backend backend);

}  // namespace assay::cuda::dispatch
