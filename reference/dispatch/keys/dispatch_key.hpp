// Dispatch keys: what kernels are registered for and calls are dispatched to.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

namespace assay::reference {

/// The backends of all releases (DSP-101). The order here has no meaning: KeyLayout defines which
/// backends a release has and their priorities.
enum class Backend : std::uint8_t {
  kCPU,
  kCUDA,
  kHIP,
  kXLA,
  kMPS,
  kIPU,
  kXPU,
  kHPU,
  kVE,
  kLazy,
  kMTIA,
  kMAIA,
  kMeta,
  kPrivateUse1,
  kPrivateUse2,
  kPrivateUse3,
  kNone,  ///< for keys without a single backend
};
inline constexpr int kBackends = 16;

/// The functionalities of all releases (DSP-102) in no particular order, followed by the alias keys
/// (DSP-105).
enum class Functionality : std::uint8_t {
  kUndefined,
  kDense,
  kFPGA,
  kORT,
  kMAIA,  ///< a plain key in 2.4, later a backend
  kVulkan,
  kMetal,
  kQuantized,
  kCustomRNGKeyId,
  kMkldnnCPU,
  kSparse,
  kSparseCsr,
  kSparseCsrCPU,   ///< plain keys in 1.13
  kSparseCsrCUDA,  ///< likewise
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
  kAutogradFunctionality,
  kAutogradNestedTensor,
  kTracer,
  kAutocastCPU,
  kAutocastMTIA,
  kAutocastMAIA,
  kAutocastXPU,
  kAutocastIPU,
  kAutocastHPU,
  kAutocastXLA,
  kAutocastMPS,
  kAutocastCUDA,
  kAutocastPrivateUse1,
  kFuncTorchBatched,
  kBatchedNestedTensor,
  kFuncTorchVmapMode,
  kBatched,
  kVmapMode,
  kFuncTorchGradWrapper,
  kDeferredInit,
  kPythonTLSSnapshot,
  kFuncTorchDynamicLayerFrontMode,
  kTestingOnlyGenericWrapper,
  kTestingOnlyGenericMode,
  kPreDispatch,
  kPythonDispatcher,
  kAutograd,
  kCompositeImplicitAutograd,
  kFuncTorchBatchedDecomposition,
  kCompositeImplicitAutogradNestedTensor,
  kCompositeExplicitAutograd,
  kCompositeExplicitAutogradNonFunctional,
};
inline constexpr int kFunctionalities = 58;  ///< including alias keys

/// A functionality, or its instance for one backend: `{kSparse, kCUDA}` is SparseCUDA (DSP-103).
struct DispatchKey {
  Functionality functionality = Functionality::kUndefined;
  Backend backend = Backend::kNone;

  constexpr DispatchKey() = default;
  constexpr DispatchKey(Functionality f, Backend b = Backend::kNone)
      : functionality(f), backend(b) {}
  /// The key of the backend's dense kernels, such as `CUDA`.
  constexpr DispatchKey(Backend b) : functionality(Functionality::kDense), backend(b) {}

  constexpr auto operator<=>(const DispatchKey&) const = default;
};

/// For example `CUDA`, `AutogradXLA`, `Dense` or `CompositeImplicitAutograd`.
std::string name_of(DispatchKey key);
std::string_view name_of(Functionality functionality);
std::string_view name_of(Backend backend);

/// Alias keys accept registrations but are never in a set (DSP-105).
constexpr bool is_alias(DispatchKey key) { return key.functionality >= Functionality::kAutograd; }

}  // namespace assay::reference
