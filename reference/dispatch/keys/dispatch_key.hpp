// Names of keys: what a kernel can be registered at, and what a call is sent to.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

namespace assay::reference {

/// The backends of all releases (DSP-101), in an order of our own: which ones a release has, and
/// which ranks above which, says its KeyLayout.
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
  kNone,  ///< of a key that is not one backend's
};
inline constexpr int kBackends = 16;

/// The functionalities of all releases (DSP-102), in an order of our own, and after them the alias
/// keys (DSP-105).
enum class Functionality : std::uint8_t {
  kUndefined,
  kDense,
  kFPGA,
  kORT,
  kMAIA,  ///< a plain key in 2.4; afterwards a backend
  kVulkan,
  kMetal,
  kQuantized,
  kCustomRNGKeyId,
  kMkldnnCPU,
  kSparse,
  kSparseCsr,
  kSparseCsrCPU,   ///< plain keys in 1.13
  kSparseCsrCUDA,  ///< the same
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
inline constexpr int kFunctionalities = 58;  ///< alias keys included

/// A functionality, or one backend's instance of it: `{kSparse, kCUDA}` is SparseCUDA (DSP-103).
struct DispatchKey {
  Functionality functionality = Functionality::kUndefined;
  Backend backend = Backend::kNone;

  constexpr DispatchKey() = default;
  constexpr DispatchKey(Functionality f, Backend b = Backend::kNone)
      : functionality(f), backend(b) {}
  /// The backend's own kernels: `CUDA`.
  constexpr DispatchKey(Backend b) : functionality(Functionality::kDense), backend(b) {}

  constexpr auto operator<=>(const DispatchKey&) const = default;
};

/// `CUDA`, `AutogradXLA`, `Dense`, `CompositeImplicitAutograd`.
std::string name_of(DispatchKey key);
std::string_view name_of(Functionality functionality);
std::string_view name_of(Backend backend);

/// Can be registered to, but never stands in a set (DSP-105).
constexpr bool is_alias(DispatchKey key) { return key.functionality >= Functionality::kAutograd; }

}  // namespace assay::reference
