// The dispatch table of an operator: computed at registration, read by calls without a lock.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "cuda_impl/dispatch/keys/thread_keys.hpp"
#include "cuda_impl/dispatch/registry/operator_state.hpp"

namespace assay::cuda::dispatch {

/// The rule that selected an entry (DSP-501).
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
  // Read by each call.
  std::uint64_t included = 0;          ///< the thread defaults
  std::uint64_t kept = 0;              ///< the complement of what a thread excludes by default
  std::uint64_t backends = 0;          ///< the bits of all backends, which no thread excludes
  std::uint64_t mask = 0;              ///< without fallthrough keys; valid if `has_one_mask`
  const SlotMap* map = nullptr;        ///< that of `layout`
  std::uint64_t tensor_arguments = 0;  ///< one bit for each stack argument, the last one lowest
  std::uint32_t argument_bytes = 0;    ///< the size of the arguments on a stack
  std::int32_t growth_bytes = 0;       ///< by which a call changes the size of a stack
  bool has_one_mask = true;
  bool has_schema = false;
  bool is_strict = true;
  bool is_alive = false;
  std::array<Entry, kMostSlots> entries = {};

  // Read by queries, and by few calls.
  /// By the highest backend: a mask without fallthrough keys (DSP-513).
  std::array<std::uint64_t, kMostBackends> masks = {};
  std::uint32_t arguments = 0;
  std::uint32_t returns = 0;
  Operator* op = nullptr;
  const Layout* layout = nullptr;
  StatePtr state;
  FallbacksPtr fallbacks;
  std::array<Rule, kMostSlots> rules = {};

  const Entry& entry_of(KeySet keys) const { return entries[map->slot_of(keys)]; }
  Chosen chosen_at(unsigned slot) const { return {entries[slot].registered, rules[slot]}; }
  Contract contract() const { return {layout->release(), is_strict}; }
  /// Combines the arguments' keys with the thread's and this operator's masks (DSP-208).
  [[gnu::always_inline]] KeySet effective(KeySet arguments_keys) const {
    const ThreadState& thread = thread_state;
    const std::uint64_t all = (arguments_keys.bits | (thread.included ^ included)) &
                              ((thread.excluded ^ kept) | backends);
    if (has_one_mask) [[likely]]
      return {all & mask};
    return masked_by_backend(arguments_keys, {all});
  }
  KeySet masked_by_backend(KeySet arguments_keys, KeySet all) const;
};

/// Which functionalities have any kernel or fallback: most have none, and a table has 138 slots.
class Present {
 public:
  Present(const OperatorState& state, const Fallbacks& fallbacks);
  bool may_have_kernel(Key key) const { return has(kernels_, key); }
  bool may_fall_back(Key key) const { return has(fallbacks_, key); }

 private:
  static bool has(std::uint64_t bits, Key key) {
    return (bits >> static_cast<unsigned>(key.functionality) & 1U) != 0;
  }

  std::uint64_t kernels_ = 0;  ///< one bit for each functionality
  std::uint64_t fallbacks_ = 0;
};

/// Applies DSP-501 to the given state, which must outlive it.
class Precedence {
 public:
  Precedence(const Layout& layout, const OperatorState& state, const Fallbacks& fallbacks)
      : layout_(layout), state_(state), fallbacks_(fallbacks), present_(state, fallbacks) {}
  Chosen at(unsigned slot) const;

 private:
  const Layout& layout_;
  const OperatorState& state_;
  const Fallbacks& fallbacks_;
  const Present present_;
};

struct TableParts {
  const Layout& layout;
  Contract contract;
  Operator* op;
  StatePtr state;
  FallbacksPtr fallbacks;
};
/// With PyTorch's deviations, slots outside
/// `changed` are copied from `before` (DSP-509).
std::shared_ptr<const Table> make_table(TableParts parts, const Table* before,
                                        const Slots& changed);
/// The slots that PyTorch recomputes after a registration at `key`.
Slots refreshed_with(const Layout& layout, Key key);

/// Raises `internal` if an entry contradicts the rule (DSP-509).
void check_invariants(const Table& table);

}  // namespace assay::cuda::dispatch
