// An operator: an immutable snapshot of its registrations, its mutable state, handles to it, and
// the handle that owns a registration.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reference/core/types/contract.hpp"
#include "reference/dispatch/registry/kernel.hpp"
#include "reference/dispatch/schema/schema.hpp"

namespace assay::reference {

/// DSP-417. Has no effect if the dispatcher is already destroyed (DSP-420).
class Registration {
 public:
  /// An empty handle.
  Registration() = default;
  /// `undo` must not throw.
  Registration(std::function<void()> undo, Deviations deviations)
      : undo_(std::move(undo)), deviations_(deviations) {}
  Registration(Registration&& other) noexcept
      : undo_(std::exchange(other.undo_, nullptr)), deviations_(other.deviations_) {}
  /// Removes the previous registration; in compat mode leaks it, like PyTorch.
  Registration& operator=(Registration&& other) noexcept {
    if (this == &other) return *this;
    if (deviations_ == Deviations::kStrict) drop();
    undo_ = std::exchange(other.undo_, nullptr);
    deviations_ = other.deviations_;
    return *this;
  }
  ~Registration() { drop(); }

  bool active() const { return undo_ != nullptr; }
  void drop() noexcept {
    if (auto undo = std::exchange(undo_, nullptr)) undo();
  }

 private:
  std::function<void()> undo_;
  Deviations deviations_ = Deviations::kStrict;
};

/// A registered kernel.
struct Registered {
  Kernel kernel;
  std::string debug;                       ///< for messages and dumps
  std::optional<FunctionSchema> inferred;  ///< from a typed kernel
};
using RegisteredPtr = std::shared_ptr<const Registered>;

/// At most one for each key (DSP-413).
using Fallbacks = std::map<DispatchKey, RegisteredPtr>;

/// The source of a slot's kernel (DSP-501).
enum class Provenance : std::uint8_t {
  kKernel,
  kDefaultBackend,
  kNested,
  kAmbiguousAutogradOther,
  kMath,
  kAutograd,
  kBatched,
  kFallback,
  kMissing,
};
std::string_view name_of(Provenance provenance);

struct TableEntry {
  RegisteredPtr kernel;  ///< null if missing or ambiguous
  Provenance provenance = Provenance::kMissing;

  /// Whether the slot has an entry, including a fallthrough or an ambiguity.
  bool is_valid() const { return provenance != Provenance::kMissing; }
  bool is_fallthrough() const { return kernel != nullptr && kernel->kernel.is_fallthrough(); }
};

/// The content of a definition.
struct Definition {
  FunctionSchema schema;
  std::string debug;
  AliasKind alias_kind = AliasKind::kFromSchema;
  std::vector<std::string> tags;
};

/// The common signature of an operator's typed kernels and its first registration (DSP-409).
struct RecordedSignature {
  CppSignature signature;
  std::optional<DispatchKey> key;  ///< empty for a catch-all kernel
  std::string debug;
};

struct OperatorState {
  OperatorName name;
  /// False without a definition or kernel: the operator is removed (DSP-418, DSP-419).
  bool alive = true;
  std::shared_ptr<const Definition> definition;
  /// By registration key, newest first (DSP-412). No list is empty.
  std::map<DispatchKey, std::vector<RegisteredPtr>> kernels;
  std::optional<RecordedSignature> signature;
  /// Compat mode only: PyTorch's table by slot, with entries that it did not update (DSP-509).
  std::vector<TableEntry> stale_table;
  /// Compat mode only: a listener rejected the definition, so PyTorch lists it only in part
  /// (DSP-806).
  bool lost_definition = false;

  bool has_schema() const { return definition != nullptr; }
  /// Null if nothing is registered for exactly this key.
  RegisteredPtr newest_at(DispatchKey key) const {
    const auto found = kernels.find(key);
    return found == kernels.end() ? nullptr : found->second.front();
  }
};
using OperatorStatePtr = std::shared_ptr<const OperatorState>;

class Dispatcher;

/// Holds the current state. A call reads it once and uses it to its end, so it sees each
/// registration completely or not at all, and its kernels stay alive (DSP-803).
class OperatorEntry {
 public:
  OperatorEntry(Dispatcher& dispatcher, OperatorStatePtr state)
      : dispatcher_(dispatcher), state_(std::move(state)) {}

  Dispatcher& dispatcher() const { return dispatcher_; }

  OperatorStatePtr state() const {
    const std::scoped_lock lock(mutex_);
    return state_;
  }
  /// Returns the previous state.
  OperatorStatePtr replace(OperatorStatePtr state) {
    const std::scoped_lock lock(mutex_);
    return std::exchange(state_, std::move(state));
  }

 private:
  Dispatcher& dispatcher_;
  mutable std::mutex mutex_;
  OperatorStatePtr state_;
};

/// A handle to an operator, which stays valid after the operator is removed; calling it then is an
/// error (DSP-419). Must not outlive the dispatcher. Compares by operator (DSP-616).
class OperatorHandle {
 public:
  explicit OperatorHandle(std::shared_ptr<OperatorEntry> entry) : entry_(std::move(entry)) {}

  Dispatcher& dispatcher() const { return entry_->dispatcher(); }
  OperatorStatePtr state() const { return entry_->state(); }
  /// Raises `error`, naming the operator, if it has been removed.
  OperatorStatePtr live_state() const;
  std::string name() const { return to_text(state()->name); }
  bool has_schema() const { return state()->has_schema(); }
  /// Raises `internal` if there is no schema (DSP-408).
  FunctionSchema schema() const;
  bool operator==(const OperatorHandle&) const = default;

 private:
  std::shared_ptr<OperatorEntry> entry_;
};

}  // namespace assay::reference
