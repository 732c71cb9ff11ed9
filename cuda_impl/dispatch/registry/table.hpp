// The table of an operator: worked out at registration, read by calls without a lock.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "cuda_impl/dispatch/keys/thread_keys.hpp"
#include "cuda_impl/dispatch/registry/operator_state.hpp"

namespace assay::cuda::dispatch {

/// By which rule an entry was chosen (DSP-501).
enum class Rule : std::uint8_t {
  kMissing,
  kKernel,
  kDefaultBackend,
  kNested,
  kMath,
  kAmbiguous,
  kAutograd,
  kBatched,
  kFallback,
};
std::string_view name_of(Rule rule);

struct Chosen {
  const Registered* registered = nullptr;
  Rule rule = Rule::kMissing;

  bool is_valid() const { return rule != Rule::kMissing; }
  bool operator==(const Chosen&) const = default;
};

struct alignas(64) Table {
  // What each call reads.
  std::uint64_t included = 0;          ///< the thread's defaults
  std::uint64_t excluded = 0;          ///< the thread's defaults
  std::uint64_t functionalities = 0;   ///< all bits but those of backends
  std::uint64_t tensor_arguments = 0;  ///< of a stack: a bit each, the last argument's lowest
  std::uint32_t arguments = 0;
  std::uint32_t returns = 0;
  bool has_one_mask = true;
  bool has_schema = false;
  bool is_strict = true;
  bool is_alive = false;
  Operator* op = nullptr;
  SlotMap map;
  /// By the highest backend: without the keys that fall through (DSP-513).
  std::array<std::uint64_t, kMostBackends> masks = {};
  std::array<Entry, kMostSlots> entries = {};

  // What is asked about it.
  const Layout* layout = nullptr;
  StatePtr state;
  FallbacksPtr fallbacks;
  std::array<Rule, kMostSlots> rules = {};

  const Entry& entry_of(KeySet keys) const { return entries[map.slot_of(keys)]; }
  Chosen chosen_at(unsigned slot) const { return {entries[slot].registered, rules[slot]}; }
  Contract contract() const { return {layout->release(), is_strict}; }
  /// `arguments` and what the thread adds, takes away, and this operator does not see (DSP-208).
  KeySet effective(KeySet arguments_keys) const {
    const ThreadState& thread = thread_state;
    const std::uint64_t all = (arguments_keys.bits | (thread.included ^ included)) &
                              ~((thread.excluded ^ excluded) & functionalities);
    if (has_one_mask) [[likely]]
      return {all & masks[0]};
    return masked_by_backend(arguments_keys, {all});
  }
  KeySet masked_by_backend(KeySet arguments_keys, KeySet all) const;
};

/// By DSP-501, now.
Chosen chosen_by_rule(const Layout& layout, const OperatorState& state, const Fallbacks& fallbacks,
                      unsigned slot);

struct TableParts {
  const Layout& layout;
  Contract contract;
  Operator* op;
  StatePtr state;
  FallbacksPtr fallbacks;
};
/// `before` and `changed`: with the deviations of PyTorch, slots that the change does not touch
/// stay as they are (DSP-509).
std::shared_ptr<const Table> make_table(TableParts parts, const Table* before,
                                        const Slots& changed);
/// The slots that PyTorch works out again when something is registered at `key`.
Slots refreshed_with(const Layout& layout, Key key);

/// Raises `internal` where an entry is not what the rule says (DSP-509).
void check_invariants(const Table& table);

}  // namespace assay::cuda::dispatch
