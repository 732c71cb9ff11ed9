// An operator and its dispatch table, which is computed at registration and read by calls without a
// lock; textual dumps of both (DSP-705, DSP-706).
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "cuda_impl/dispatch/keys/thread_keys.hpp"
#include "cuda_impl/dispatch/registry/grace.hpp"
#include "cuda_impl/dispatch/registry/kernel.hpp"

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

class Dispatcher;

/// Lives as long as its dispatcher, so handles never dangle; the table tells whether anything is
/// registered. `next` links all operators of a dispatcher.
class Operator {
 public:
  Operator(Dispatcher& dispatcher, OperatorName name)
      : dispatcher_(dispatcher), name_(std::move(name)), text_(name_.text()) {}
  Operator(const Operator&) = delete;
  Operator& operator=(const Operator&) = delete;

  Dispatcher& dispatcher() const { return dispatcher_; }
  const OperatorName& name() const { return name_; }
  const std::string& text() const { return text_; }

  /// Valid while the calling thread is `ReadScope`.
  const Table& table() const { return *table_.load(std::memory_order_acquire); }
  /// Returns the current registrations.
  StatePtr state() const {
    const ReadScopeAnyMode reading(registered_thread());
    return table().state;
  }
  bool is_alive() const { return state()->is_alive(); }

  /// Requires the registration lock.
  void publish(std::shared_ptr<const Table> table);
  const Table* table_or_none() const { return table_.load(std::memory_order_acquire); }

  Operator* next = nullptr;
  Operator* in_bucket = nullptr;  ///< next operator in the same hash bucket

 private:
  Dispatcher& dispatcher_;
  const OperatorName name_;
  const std::string text_;
  std::atomic<const Table*> table_ = nullptr;
  std::shared_ptr<const Table> held_;
};

/// Keeps an operator's table alive for several queries.
class TableView {
 public:
  explicit TableView(const Operator& op) : reading_(registered_thread()), table_(op.table()) {}
  const Table* operator->() const { return &table_; }
  const Table& operator*() const { return table_; }

 private:
  const ReadScopeAnyMode reading_;
  const Table& table_;
};

std::string dump_state(const Layout& layout, const OperatorState& state);
/// Dumps the choice of the precedence rule, even if the table deviates from it.
std::string dump_table(const Table& table);

// The functions of entries without a kernel: they raise and list the available kernels.

/// DSP-702, DSP-703
void raise_missing(const Entry& entry, KeySet keys, Stack& stack);
/// DSP-504
void raise_ambiguous(const Entry& entry, KeySet keys, Stack& stack);
/// DSP-516
void raise_fallthrough(const Entry& entry, KeySet keys, Stack& stack);
/// DSP-708
void raise_named(const Entry& entry, KeySet keys, Stack& stack);
/// DSP-419
void raise_dead(const Entry& entry, KeySet keys, Stack& stack);

}  // namespace assay::cuda::dispatch
