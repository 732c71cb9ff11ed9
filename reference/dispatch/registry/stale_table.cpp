// Emulates PyTorch's table updates (DSP-509, compat mode only).
#include "reference/dispatch/registry/stale_table.hpp"

#include "reference/dispatch/registry/precedence.hpp"

namespace assay::reference {
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
