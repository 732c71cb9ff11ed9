// Implements the precedence rule (DSP-501 to DSP-505).
#include "reference/dispatch/registry/precedence.hpp"

#include <algorithm>
#include <array>

namespace assay::reference {
namespace {

using enum Functionality;

bool any_kernel_at(const OperatorState& op, auto&& belongs) {
  return std::any_of(op.kernels.begin(), op.kernels.end(),
                     [&](const auto& entry) { return belongs(entry.first); });
}

/// PyTorch's autograd list lacks these backends in
/// all releases (verified with 1.13, 2.4 and 2.11).
bool has_row(Backend backend) {
  return backend != Backend::kHIP && backend != Backend::kVE && backend != Backend::kMTIA;
}

bool has_autograd_other_kernel(const KeyLayout& layout, const OperatorState& op) {
  return any_kernel_at(op, [&](DispatchKey key) { return is_autograd_other_backend(layout, key); });
}

}  // namespace

bool is_autograd_other_backend(const KeyLayout& layout, DispatchKey key) {
  static constexpr std::array kBackendsOfOther{
      kFPGA,      kORT,       kMAIA,         kVulkan,        kMetal,     kCustomRNGKeyId,
      kMkldnnCPU, kSparseCsr, kSparseCsrCPU, kSparseCsrCUDA, kQuantized, kSparse};
  if (layout.kind_of(key) != KeyKind::kPlain && layout.kind_of(key) != KeyKind::kRuntime) {
    return false;
  }
  return std::find(kBackendsOfOther.begin(), kBackendsOfOther.end(), key.functionality) !=
         kBackendsOfOther.end();
}

// DSP-503
bool has_backend_kernel(const KeyLayout& layout, const OperatorState& op, DispatchKey key) {
  if (op.newest_at(kCompositeExplicitAutograd) != nullptr) return true;
  switch (key.functionality) {
    case kAutogradOther:
      return has_autograd_other_kernel(layout, op);
    case kAutogradNestedTensor:
      return any_kernel_at(op, [](DispatchKey at) {
        return at.functionality == kNestedTensor && at.backend != Backend::kNone;
      });
    case kAutogradFunctionality:  // only dense kernels count
      return has_row(key.backend) && op.newest_at(DispatchKey(key.backend)) != nullptr;
    default:
      return false;
  }
}

// DSP-501: the first match wins.
TableEntry entry_by_rule(const KeyLayout& layout, const OperatorState& op,
                         const Fallbacks& fallbacks, DispatchKey k) {
  const bool undefined = k == kUndefined;
  const auto in = [&](Functionality alias) { return is_member(layout, k, alias); };
  const auto kernel = [&](DispatchKey at) { return op.newest_at(at); };

  // 1
  if (auto exact = kernel(k)) return {exact, Provenance::kKernel};
  // 2
  if (auto ceanf = kernel(kCompositeExplicitAutogradNonFunctional);
      ceanf && (undefined || in(kCompositeExplicitAutogradNonFunctional))) {
    return {ceanf, Provenance::kDefaultBackend};
  }
  // 3
  if (auto cea = kernel(kCompositeExplicitAutograd);
      cea && (undefined || in(kCompositeExplicitAutograd))) {
    return {cea, Provenance::kDefaultBackend};
  }
  // 4
  if (auto nested = kernel(kCompositeImplicitAutogradNestedTensor);
      nested && !undefined && in(kCompositeImplicitAutogradNestedTensor)) {
    return {nested, Provenance::kNested};
  }
  // 5
  if (auto cia = kernel(kCompositeImplicitAutograd);
      cia && (undefined || in(kCompositeImplicitAutograd))) {
    if (k == kAutogradOther && has_autograd_other_kernel(layout, op)) {
      return {nullptr, Provenance::kAmbiguousAutogradOther};
    }
    if (!has_backend_kernel(layout, op, k)) return {cia, Provenance::kMath};
  }
  // 6
  if (auto autograd = kernel(kAutograd); autograd && in(kAutograd)) {
    return {autograd, Provenance::kAutograd};
  }
  // 6b
  if (auto batched = kernel(kFuncTorchBatchedDecomposition); batched && k == kFuncTorchBatched) {
    return {batched, Provenance::kBatched};
  }
  // 7
  if (const auto fallback = fallbacks.find(k); fallback != fallbacks.end()) {
    return {fallback->second, Provenance::kFallback};
  }
  // 8
  return {};
}

}  // namespace assay::reference
