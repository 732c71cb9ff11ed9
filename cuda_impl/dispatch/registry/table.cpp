// Builds dispatch tables: selects the kernel of a slot from all registrations (DSP-501 to DSP-505).
#include "cuda_impl/dispatch/registry/table.hpp"

#include <algorithm>

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

namespace {

/// DSP-205: Tensor, Tensor[], Tensor?[] and Tensor? contribute keys.
bool brings_keys(const Type& type) {
  const bool is_list = type.is_list();
  const Type& inner = (is_list ? type.element() : type).without_optional();
  return inner.is(TypeKind::kTensor);
}

void set_schema(Table& table, const OperatorState& state) {
  table.has_schema = state.has_schema();
  if (!table.has_schema) return;
  const Schema& schema = state.definition->schema;
  table.arguments = static_cast<std::uint32_t>(schema.arguments().size());
  table.returns = static_cast<std::uint32_t>(schema.returns().size());
  table.argument_bytes = table.arguments * std::uint32_t{sizeof(Boxed)};
  table.growth_bytes = static_cast<std::int32_t>(table.returns * sizeof(Boxed)) -
                       static_cast<std::int32_t>(table.argument_bytes);
  for (const Argument& argument : schema.arguments()) {
    table.tensor_arguments = table.tensor_arguments << 1U | (brings_keys(argument.type) ? 1U : 0U);
  }
}

/// All entries of a removed operator raise (DSP-419).
BoxedFunction raiser_for(const Table& table, const Chosen& chosen) {
  if (!table.is_alive) return raise_dead;
  if (chosen.rule == Rule::kAmbiguous) return raise_ambiguous;
  if (chosen.registered == nullptr) return raise_missing;
  switch (chosen.registered->kernel.form) {
    case KernelForm::kFallthrough:
      return raise_fallthrough;
    case KernelForm::kNamedGuard:
      return raise_named;
    default:
      return nullptr;
  }
}

/// Assigns member by member into a new entry, for speed: there are thousands of tables with 138
/// entries.
void set_entry(Table& table, unsigned slot, const Chosen& chosen) {
  Entry& entry = table.entries[slot];
  entry.key = table.layout->key_at(slot);
  entry.table = &table;
  entry.registered = chosen.registered;
  entry.below = table.layout->full_after(entry.key);
  table.rules[slot] = chosen.rule;
  entry.boxed = raiser_for(table, chosen);
  entry.runs = entry.boxed == nullptr;
  if (!entry.runs) return;
  const Kernel& kernel = chosen.registered->kernel;
  entry.boxed = kernel.boxed;
  entry.typed = kernel.typed;
  entry.signature = kernel.signature;
}

bool falls_through(const Entry& entry) {
  return entry.registered != nullptr && entry.registered->kernel.is_fallthrough();
}

void set_masks(Table& table) {
  const Layout& layout = *table.layout;
  table.masks.fill(layout.full().bits);
  for (unsigned slot = 1; slot < static_cast<unsigned>(layout.slots()); ++slot) {
    if (!falls_through(table.entries[slot])) continue;
    const Key key = layout.key_at(slot);
    const std::uint64_t bit = layout.set_of(Key(key.functionality)).bits;
    if (key.backend != Backend::kNone) {
      table.masks[layout.index_of(key.backend)] &= ~bit;
      continue;
    }
    for (std::uint64_t& mask : table.masks) mask &= ~bit;
  }
  const auto all = std::span(table.masks).first(layout.backends().size());
  table.mask = all.front();
  table.has_one_mask = std::ranges::all_of(all, [&](auto mask) { return mask == table.mask; });
}

}  // namespace

std::string_view name_of(Rule rule) {
  static constexpr std::array<std::string_view, 9> kNames = {
      "missing",         "kernel",         "default backend kernel",
      "nested kernel",   "math kernel",    "ambiguous autogradother",
      "autograd kernel", "batched kernel", "backend fallback"};
  return kNames[static_cast<std::size_t>(rule)];
}

std::string_view name_of(AliasKind kind) {
  static constexpr std::array<std::string_view, 3> kNames = {"FROM_SCHEMA", "CONSERVATIVE",
                                                             "PURE_FUNCTION"};
  return kNames[static_cast<std::size_t>(kind)];
}

/// DSP-513: up to 2.4 only the arguments' keys select the mask.
KeySet Table::masked_by_backend(KeySet arguments_keys, KeySet all) const {
  const KeySet chooser = layout->release() >= Release::k2_11 ? all : arguments_keys;
  return {all.bits & masks[highest_index(chooser.bits & backends)]};
}

std::shared_ptr<const Table> make_table(TableParts parts, const Table* before,
                                        const Slots& changed) {
  auto table = std::make_shared<Table>();
  const ThreadKeys defaults = default_keys(parts.layout);
  table->included = defaults.included.bits;
  table->kept = ~defaults.excluded.bits;
  table->backends = parts.layout.all_backends().bits;
  table->is_strict = parts.contract.is_strict;
  table->is_alive = parts.state->is_alive();
  table->op = parts.op;
  table->map = &parts.layout.slot_map();
  table->layout = &parts.layout;
  set_schema(*table, *parts.state);
  const Precedence precedence(parts.layout, *parts.state, *parts.fallbacks);
  const bool is_stale = !parts.contract.is_strict && before != nullptr;
  for (unsigned slot = 0; slot < static_cast<unsigned>(parts.layout.slots()); ++slot) {
    const bool stays = is_stale && !changed[slot];
    set_entry(*table, slot, stays ? before->chosen_at(slot) : precedence.at(slot));
  }
  set_masks(*table);
  table->state = std::move(parts.state);
  table->fallbacks = std::move(parts.fallbacks);
  return table;
}

Slots refreshed_with(const Layout& layout, Key key) {
  Slots slots = layout.members_of(key);
  const bool fills_undefined = key == Key(kCompositeImplicit) || key == Key(kCompositeExplicit) ||
                               key == Key(kCompositeExplicitNonFunctional);
  if (fills_undefined) slots.set(0);
  if (!key.is_alias() && layout.is_backend_key(key)) {
    if (const auto autograd = layout.slot_of(layout.autograd_of(key))) slots.set(*autograd);
  }
  return slots;
}

void check_invariants(const Table& table) {
  const Precedence precedence(*table.layout, *table.state, *table.fallbacks);
  for (unsigned slot = 0; slot < static_cast<unsigned>(table.layout->slots()); ++slot) {
    const Chosen live = table.chosen_at(slot);
    const Chosen ruled = precedence.at(slot);
    require(live == ruled, ErrorKind::kInternal, [&] {
      return table.state->name.text() + ": what stands at " + name_of(table.layout->key_at(slot)) +
             " is the " + std::string(name_of(live.rule)) + ", and should be the " +
             std::string(name_of(ruled.rule));
    });
  }
}

}  // namespace assay::cuda::dispatch
