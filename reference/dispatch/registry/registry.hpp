// All operators, fallbacks and listeners, with the effects of adding and removing registrations in
// any order (DSP-4xx).
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "reference/core/runtime.hpp"
#include "reference/dispatch/registry/operator_entry.hpp"
#include "reference/dispatch/registry/table.hpp"

namespace assay::reference {

class RegistrationTurn;

/// The queue of registrations (DSP-801).
class RegistrationQueue {
 public:
  using Later = std::function<void(RegistrationTurn&)>;

  /// Whether the calling thread is inside a listener.
  bool is_notifying() const { return notifying_ == std::this_thread::get_id(); }
  /// Runs a listener; registrations inside it are errors (DSP-806).
  void notify(const std::function<void()>& run);
  /// Runs `later` at the end of the current turn: for removals that a listener requests.
  void defer(Later later) { deferred_.push_back(std::move(later)); }

 private:
  friend class RegistrationTurn;

  std::mutex mutex_;
  std::atomic<std::thread::id> notifying_{};
  std::vector<Later> deferred_;                       ///< protected by `mutex_`
  std::vector<std::shared_ptr<const void>> retired_;  ///< protected by `mutex_`
};

/// Excludes other registrations and removals for the scope. Raises `error` inside a listener.
class RegistrationTurn {
 public:
  explicit RegistrationTurn(RegistrationQueue& queue);
  ~RegistrationTurn();
  RegistrationTurn(const RegistrationTurn&) = delete;
  RegistrationTurn& operator=(const RegistrationTurn&) = delete;

  /// Destroys the object after the turn, because its destructor may register again.
  void retire(std::shared_ptr<const void> object) { queue_.retired_.push_back(std::move(object)); }

 private:
  RegistrationQueue& queue_;
};

/// Called during a registration: lookups in the callback work, registrations in it are rejected
/// (DSP-805, DSP-806). Either function may be null.
struct Listener {
  std::function<void(const OperatorHandle&)> added;
  std::function<void(const OperatorHandle&)> removed;
};

struct DefineOptions {
  std::string debug;
  AliasKind alias_kind = AliasKind::kFromSchema;
  std::vector<std::string> tags = {};
};

/// Thread-safe. A failed registration changes nothing (DSP-416); in compat mode it leaves the state
/// that PyTorch leaves. Registration handles may outlive the registry.
class Registry : public std::enable_shared_from_this<Registry> {
 public:
  using EntryPtr = std::shared_ptr<OperatorEntry>;

  Registry(Dispatcher& dispatcher, Runtime& runtime);

  const KeyLayout& layout() const { return layout_; }

  /// DSP-406, DSP-418.
  Registration define(const FunctionSchema& schema, const DefineOptions& options);
  /// Without a key or with Undefined, uses CompositeImplicitAutograd (DSP-411).
  Registration impl(const OperatorName& name, std::optional<DispatchKey> key, const Kernel& kernel,
                    const std::string& debug);
  /// DSP-413. An alias stands for all of its members (DSP-414).
  Registration fallback(std::optional<DispatchKey> key, const Kernel& kernel,
                        const std::string& debug);
  /// Replaces the built-in fallbacks of these
  /// keys. There are no handles for either.
  void replace_fallbacks(const std::vector<DispatchKey>& keys, const Kernel& kernel,
                         const std::string& what);
  /// A namespace has at most one owner (DSP-402).
  Registration own_namespace(const std::string& name, const std::string& where);
  /// Immediately reports all operators that have a schema (DSP-805).
  Registration add_listener(Listener listener);

  /// Copies all operators and fallbacks of an idle registry with the same contract. This registry
  /// must be empty.
  void copy_from(const Registry& other);
  /// Removes all operators. Afterwards, dropping a registration has no effect.
  void close();

  /// Null for an unknown operator.
  EntryPtr find(const OperatorName& name) const;
  /// Sorted by name.
  std::vector<EntryPtr> entries() const;
  std::shared_ptr<const Fallbacks> fallbacks() const;
  Table table_of(OperatorStatePtr op) const { return {layout_, std::move(op), fallbacks()}; }

 private:
  using ListenerPtr = std::shared_ptr<const Listener>;

  bool strict() const { return runtime_.contract().strict(); }
  /// PyTorch stores tables and fails to update parts of them (DSP-509).
  bool keeps_table() const;
  using Undo = std::function<void(Registry&, RegistrationTurn&)>;
  Registration handle(Undo undo);
  void run(const Undo& undo);

  EntryPtr find_or_make(const OperatorName& name);
  void list(const EntryPtr& entry);
  void publish(RegistrationTurn& turn, const EntryPtr& entry, OperatorState next);
  void expect_definable(const OperatorState& op, const FunctionSchema& schema,
                        const std::string& debug) const;
  void notify_listeners(RegistrationTurn& turn, const EntryPtr& entry,
                        const OperatorStatePtr& before);
  void set_fallbacks(RegistrationTurn& turn, Fallbacks next, const std::vector<DispatchKey>& keys);

  void undefine(RegistrationTurn& turn, const EntryPtr& entry);
  void remove_kernel(RegistrationTurn& turn, const EntryPtr& entry, DispatchKey key,
                     const RegisteredPtr& kernel);
  void warn_of_override(const OperatorState& op, std::optional<DispatchKey> key,
                        const Registered& added);

  Dispatcher& dispatcher_;
  Runtime& runtime_;
  const KeyLayout& layout_;
  RegistrationQueue queue_;

  mutable std::mutex names_mutex_;
  std::map<std::string, EntryPtr> names_;
  std::shared_ptr<const Fallbacks> fallbacks_ = std::make_shared<Fallbacks>();

  // Accessed only during a registration turn.
  bool closed_ = false;
  std::map<std::string, std::string> owners_;  ///< namespace -> place
  std::vector<ListenerPtr> listeners_;
  bool warned_of_override_ = false;
};

}  // namespace assay::reference
