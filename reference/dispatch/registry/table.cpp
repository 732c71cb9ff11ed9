// Implements the precedence rule (DSP-501 to DSP-505), evaluates the slots of a table, masks out
// fallthrough keys for each backend (DSP-513, DSP-514), and emulates PyTorch's table updates
// (DSP-509, compat mode only).
#include "reference/dispatch/registry/table.hpp"

#include <algorithm>
#include <array>

#include "reference/dispatch/keys/thread_keys.hpp"

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

// The slots.

TableEntry Table::entry(DispatchKey key) const {
  const auto slot = layout.slot_of(key);
  if (!slot) return {};
  if (op->stale_table.empty()) return entry_by_rule(layout, *op, *fallbacks, key);
  return op->stale_table[static_cast<std::size_t>(*slot)];
}

// Fallthrough masks.

namespace {

/// The backend that selects the mask; without a backend, the lowest one.
Backend backend_of_mask(const KeyLayout& layout, const CallKeys& keys, KeySet set) {
  const Backend highest =
      highest_backend(layout, layout.release() < Release::k2_11 ? keys.arguments : set);
  return highest == Backend::kNone ? layout.backends().front() : highest;
}

bool falls_through(const Table& table, Functionality functionality, Backend backend) {
  const bool per_backend = table.layout.is_per_backend(functionality);
  const DispatchKey key = per_backend ? DispatchKey(functionality, backend) : functionality;
  return table.entry(key).is_fallthrough();
}

}  // namespace

KeySet effective_keys(const Table& table, const CallKeys& keys) {
  const KeyLayout& layout = table.layout;
  KeySet set = with_thread_keys(layout, keys.arguments, {keys.included, keys.excluded});
  const Backend backend = backend_of_mask(layout, keys, set);
  for (const Functionality functionality : layout.functionalities().subspan(1)) {
    const bool is_there = has_all(set, set_of(layout, functionality));
    if (is_there && falls_through(table, functionality, backend)) {
      set = remove(layout, set, functionality);
    }
  }
  return set;
}

// PyTorch's stored tables, which some registrations fail to update.

namespace {

class Update {
 public:
  Update(const KeyLayout& layout, OperatorState& op, const Fallbacks& fallbacks)
      : layout_(layout), op_(op), fallbacks_(fallbacks) {}

  void slot(DispatchKey key) {
    const auto found = layout_.slot_of(key);
    if (!found) return;
    op_.stale_table[static_cast<std::size_t>(*found)] =
        entry_by_rule(layout_, op_, fallbacks_, key);
  }

 private:
  const KeyLayout& layout_;
  OperatorState& op_;
  const Fallbacks& fallbacks_;
};

bool fills_undefined(DispatchKey key) {
  return key == Functionality::kCompositeImplicitAutograd ||
         key == Functionality::kCompositeExplicitAutograd ||
         key == Functionality::kCompositeExplicitAutogradNonFunctional;
}

}  // namespace

void fill_stale_table(const KeyLayout& layout, OperatorState& op, const Fallbacks& fallbacks) {
  op.stale_table.resize(static_cast<std::size_t>(layout.slots()));
  Update update(layout, op, fallbacks);
  for (int slot = 0; slot < layout.slots(); ++slot) update.slot(layout.key_at(slot));
}

void refresh_stale_table(const KeyLayout& layout, OperatorState& op, const Fallbacks& fallbacks,
                         DispatchKey changed) {
  Update update(layout, op, fallbacks);
  for (const DispatchKey key : keys_of(layout, members_of(layout, changed))) update.slot(key);
  if (fills_undefined(changed)) update.slot(Functionality::kUndefined);
  if (changed.functionality == Functionality::kDense) {
    update.slot(autograd_key_of(layout, changed));
  } else if (is_autograd_other_backend(layout, changed)) {
    const bool has_backend = changed.backend != Backend::kNone;
    update.slot(autograd_key_of(layout, has_backend ? DispatchKey(changed.backend) : changed));
  }
}

}  // namespace assay::reference
