// Selects the kernel of a slot from all registrations (DSP-501 to DSP-505).
#include <algorithm>

#include "cuda_impl/dispatch/registry/table.hpp"

namespace assay::cuda::dispatch {
namespace {

using enum Functionality;

std::uint64_t bit_of(Functionality functionality) {
  static_assert(kFunctionalities <= 64);
  return std::uint64_t{1} << static_cast<unsigned>(functionality);
}

/// Selects the entry of one slot; the first rule that matches wins.
class Choice {
 public:
  Choice(const Layout& layout, const OperatorState& state, const Present& present, unsigned slot)
      : layout_(layout), state_(state), present_(present), key_(layout.key_at(slot)) {}

  Chosen chosen(const Fallbacks& fallbacks) const {
    if (const auto* exact = at(key_); exact != nullptr && !key_.is_undefined()) {
      return {exact, Rule::kKernel};
    }
    if (const Chosen found = composite(); found.is_valid()) return found;
    if (key_.is_undefined()) return {};
    if (const auto* found = of(kAliasAutograd)) return {found, Rule::kAutograd};
    if (const auto* found = of(kBatchedDecomposition)) return {found, Rule::kBatched};
    if (!present_.may_fall_back(key_)) return {};
    const auto fallback = fallbacks.find(key_);
    if (fallback != fallbacks.end()) return {fallback->second.get(), Rule::kFallback};
    return {};
  }

 private:
  const Registered* at(Key key) const {
    if (!present_.may_have_kernel(key)) return nullptr;
    const RegisteredPtr* found = state_.newest_at(key);
    return found == nullptr ? nullptr : found->get();
  }
  /// Returns the alias's kernel if the alias includes this key.
  const Registered* of(Functionality alias) const {
    const Registered* const found = at(alias);
    return found != nullptr && layout_.is_member(key_, alias) ? found : nullptr;
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
  const Present& present_;
  const Key key_;
};

}  // namespace

Present::Present(const OperatorState& state, const Fallbacks& fallbacks) {
  for (const auto& [key, kernels] : state.kernels) kernels_ |= bit_of(key.functionality);
  for (const auto& [key, kernel] : fallbacks) fallbacks_ |= bit_of(key.functionality);
}

Chosen Precedence::at(unsigned slot) const {
  return Choice(layout_, state_, present_, slot).chosen(fallbacks_);
}

}  // namespace assay::cuda::dispatch
