// Members of alias keys, and the keys of backends.
#include "reference/dispatch/keys/key_set.hpp"

namespace assay::reference {
namespace {

using enum Functionality;

KeySet all_backends(const KeyLayout& layout) { return backend_part(layout, full_set(layout)); }

/// The keys with backend kernels (DSP-106: B). Keys that the release lacks are ignored.
KeySet backend_keys(const KeyLayout& layout) {
  return all_backends(layout) |
         set_of(layout, {kDense, kQuantized, kSparse, kFPGA, kORT, kMAIA, kVulkan, kMetal,
                         kCustomRNGKeyId, kMkldnnCPU, kSparseCsr, kSparseCsrCPU, kSparseCsrCUDA});
}

KeySet autograd_keys(const KeyLayout& layout) {
  return all_backends(layout) |
         set_of(layout, {kAutogradOther, kAutogradFunctionality, kAutogradNestedTensor});
}

KeySet implicit_keys(const KeyLayout& layout) {
  const KeySet keys = backend_keys(layout) | autograd_keys(layout) | set_of(layout, kNestedTensor);
  // Only in 2.4, neither before nor in 2.11.
  return layout.release() == Release::k2_4 ? keys | set_of(layout, kFunctionalize) : keys;
}

KeySet explicit_non_functional_keys(const KeyLayout& layout) {
  KeySet keys = remove(layout, backend_keys(layout), kSparse);
  keys = remove_backend(layout, keys, Backend::kXLA);
  return remove_backend(layout, keys, Backend::kLazy);
}

/// Returns whether the backend has an autograd key of its own, like CPU and CUDA (DSP-107).
bool has_own_autograd(const KeyLayout& layout, Backend backend) {
  if (backend == Backend::kHIP || backend == Backend::kVE) return false;
  if (backend == Backend::kMTIA) return layout.release() != Release::k2_4;
  return true;
}

}  // namespace

KeySet members_of(const KeyLayout& layout, DispatchKey key) {
  switch (key.functionality) {
    case kAutograd:
      return autograd_keys(layout);
    case kCompositeImplicitAutograd:
      return implicit_keys(layout);
    case kCompositeImplicitAutogradNestedTensor:
      return all_backends(layout) | set_of(layout, {kNestedTensor, kAutogradNestedTensor});
    case kCompositeExplicitAutograd:
      return backend_keys(layout);
    case kCompositeExplicitAutogradNonFunctional:
      return explicit_non_functional_keys(layout);
    case kFuncTorchBatchedDecomposition:
      return set_of(layout, kFuncTorchBatched);
    default:
      return set_of(layout, key);
  }
}

bool is_member(const KeyLayout& layout, DispatchKey key, DispatchKey alias) {
  if (key == DispatchKey()) return false;
  return has(layout, members_of(layout, alias), key);
}

DispatchKey autograd_key_of(const KeyLayout& layout, DispatchKey key) {
  if (key.backend == Backend::kNone || !has_own_autograd(layout, key.backend)) {
    return kAutogradOther;
  }
  return {kAutogradFunctionality, key.backend};
}

DispatchKey autocast_key_of(const KeyLayout& layout, Backend backend) {
  const bool is_old = layout.release() == Release::k1_13;
  const auto own = [&]() -> Functionality {
    switch (backend) {
      case Backend::kCPU:
        return kAutocastCPU;
      case Backend::kCUDA:
        return kAutocastCUDA;
      case Backend::kXLA:
        return is_old ? kAutocastCUDA : kAutocastXLA;
      case Backend::kXPU:
        return kAutocastXPU;
      case Backend::kIPU:
        return kAutocastIPU;
      case Backend::kHPU:
        return kAutocastHPU;
      case Backend::kMPS:
        return kAutocastMPS;
      case Backend::kMTIA:
        return kAutocastMTIA;
      case Backend::kMAIA:
        return kAutocastMAIA;
      case Backend::kPrivateUse1:
        return kAutocastPrivateUse1;
      default:
        return kUndefined;
    }
  }();
  return layout.has(own) ? DispatchKey(own) : DispatchKey();
}

}  // namespace assay::reference
