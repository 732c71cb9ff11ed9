// The keys that an alias stands for, and the autograd key of a backend.
#include <array>

#include "cuda_impl/dispatch/keys/layout.hpp"

namespace assay::cuda::dispatch {
namespace {

using enum Functionality;

/// Precomputed by functionality, because it is queried for each slot of each table.
constexpr auto kIsOfBackends = [] {
  std::array<bool, kFunctionalities> is_one = {};
  for (const Functionality one :
       {kDense, kQuantized, kSparse, kFpga, kOrt, kMaia, kVulkan, kMetal, kCustomRngKeyId,
        kMkldnnCpu, kSparseCsrCpu, kSparseCsrCuda, kSparseCsr}) {
    is_one[static_cast<std::size_t>(one)] = true;
  }
  return is_one;
}();

bool is_autograd(Functionality functionality) {
  return functionality == kAutogradOther || functionality == kAutograd ||
         functionality == kAutogradNestedTensor;
}

bool is_functional(Key key) {
  return key.functionality != kSparse && key.backend != Backend::kXla &&
         key.backend != Backend::kLazy;
}

}  // namespace

bool Layout::is_backend_key(Key key) const {
  return kIsOfBackends[static_cast<std::size_t>(key.functionality)];
}

/// DSP-106
bool Layout::is_member(Key key, Functionality alias) const {
  const Functionality own = key.functionality;
  switch (alias) {
    case kAliasAutograd:
      return is_autograd(own);
    case kCompositeExplicit:
      return is_backend_key(key);
    case kCompositeExplicitNonFunctional:
      return is_backend_key(key) && is_functional(key);
    case kCompositeImplicitNested:
      return own == kNestedTensor || own == kAutogradNestedTensor;
    case kCompositeImplicit:
      if (own == kFunctionalize) return release_ == Release::k2_4;
      return is_backend_key(key) || is_autograd(own) || own == kNestedTensor;
    case kBatchedDecomposition:
      return own == kFuncTorchBatched;
    default:
      return false;
  }
}

Slots Layout::members_of(Key key) const {
  Slots members;
  if (const auto own = slot_of(key)) members.set(*own);
  for (std::size_t slot = 1; key.is_alias() && slot < keys_.size(); ++slot) {
    members[slot] = is_member(keys_[slot], key.functionality);
  }
  return members;
}

Key Layout::autograd_of(Key key) const {
  switch (key.backend) {
    case Backend::kNone:
    case Backend::kHip:
    case Backend::kVe:
      return kAutogradOther;
    case Backend::kMtia:
      if (release_ < Release::k2_11) return kAutogradOther;
      break;
    default:
      break;
  }
  return {kAutograd, key.backend};
}

}  // namespace assay::cuda::dispatch
