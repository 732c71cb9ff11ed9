// Selects the kernel of a slot from all registrations (DSP-501 to DSP-505).
#include <algorithm>

#include "cuda_impl/dispatch/registry/table.hpp"

namespace assay::cuda::dispatch {
namespace {

using enum Functionality;

/// Selects the entry of one slot; the first rule that matches wins.
class Choice {
 public:
  Choice(const Layout& layout, const OperatorState& state, unsigned slot)
      : layout_(layout), state_(state), key_(layout.key_at(slot)) {}

  Chosen chosen(const Fallbacks& fallbacks) const {
    if (const auto* exact = at(key_); exact != nullptr && !key_.is_undefined()) {
      return {exact, Rule::kKernel};
    }
    if (const Chosen found = composite(); found.is_valid()) return found;
    if (key_.is_undefined()) return {};
    if (const auto* found = of(kAliasAutograd)) return {found, Rule::kAutograd};
    if (const auto* found = of(kBatchedDecomposition)) return {found, Rule::kBatched};
    const auto fallback = fallbacks.find(key_);
    if (fallback != fallbacks.end()) return {fallback->second.get(), Rule::kFallback};
    return {};
  }

 private:
  const Registered* at(Key key) const {
    const RegisteredPtr* found = state_.newest_at(key);
    return found == nullptr ? nullptr : found->get();
  }
  /// Returns the alias's kernel if the alias includes this key.
  const Registered* of(Functionality alias) const {
    return layout_.is_member(key_, alias) ? at(alias) : nullptr;
  }
  const Registered* of_or_undefined(Functionality alias) const {
    return key_.is_undefined() ? at(alias) : of(alias);
  }

  Chosen composite() const {
    if (const auto* found = of_or_undefined(kCompositeExplicitNonFunctional)) {
      return {found, Rule::kDefaultBackend};
    }
    if (const auto* found = of_or_undefined(kCompositeExplicit)) {
      return {found, Rule::kDefaultBackend};
    }
    if (const auto* found = of(kCompositeImplicitNested)) return {found, Rule::kNested};
    const auto* implicit = of_or_undefined(kCompositeImplicit);
    if (implicit == nullptr) return {};
    if (key_ == Key(kAutogradOther) && has_tied_kernel()) return {nullptr, Rule::kAmbiguous};
    if (has_backend_kernel()) return {};
    return {implicit, Rule::kMath};
  }

  /// DSP-503
  bool has_backend_kernel() const { return at(kCompositeExplicit) != nullptr || has_tied_kernel(); }
  bool has_tied_kernel() const {
    return layout_.is_member(key_, kAliasAutograd) &&
           std::ranges::any_of(state_.kernels, [&](const auto& one) { return is_tied(one.first); });
  }
  /// Returns whether a kernel at `key` keeps CompositeImplicit from this autograd key.
  bool is_tied(Key key) const {
    const bool is_dense = key.functionality == kDense;
    switch (key_.functionality) {
      case kAutogradNestedTensor:
        return key.functionality == kNestedTensor;
      case kAutogradOther:
        return layout_.is_backend_key(key) && !is_dense;
      default:  // MTIA, HIP and VE have no such rule in any release
        return is_dense && key.backend != Backend::kMtia && layout_.autograd_of(key) == key_;
    }
  }

  const Layout& layout_;
  const OperatorState& state_;
  const Key key_;
};

}  // namespace

Chosen chosen_by_rule(const Layout& layout, const OperatorState& state, const Fallbacks& fallbacks,
                      unsigned slot) {
  return Choice(layout, state, slot).chosen(fallbacks);
}

}  // namespace assay::cuda::dispatch
