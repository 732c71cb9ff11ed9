// The dispatcher: all operators of one contract, with registration and lookup; registration handles
// (DSP-417), and observers of calls.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "cuda_impl/core/boxed.hpp"
#include "cuda_impl/dispatch/registry/table.hpp"

namespace assay::cuda::dispatch {

class Registration {
 public:
  using Undo = std::function<void()>;

  Registration() = default;
  /// `forgets`: as in PyTorch, assigning over a live handle leaks its registration.
  Registration(Undo undo, bool forgets) : undo_(std::move(undo)), forgets_(forgets) {}
  Registration(Registration&& other) noexcept
      : undo_(std::exchange(other.undo_, {})), forgets_(other.forgets_) {}
  Registration& operator=(Registration&& other) noexcept {
    if (this == &other) return *this;
    if (!forgets_) drop();
    undo_ = std::exchange(other.undo_, {});
    forgets_ = other.forgets_;
    return *this;
  }
  ~Registration() { drop(); }

  bool is_active() const { return static_cast<bool>(undo_); }
  /// Removes the registration now; later calls do nothing.
  void drop() {
    if (const Undo undo = std::exchange(undo_, {})) undo();
  }

 private:
  Undo undo_;
  bool forgets_ = false;
};

// Observers: callbacks at the start and end of calls, for profilers (DSP-807 to DSP-809).

/// A call as shown to one observer. Its pointers are valid only during the callback.
struct ObservedCall {
  std::string_view op;
  bool has_schema = false;
  std::int64_t sequence = -1;           ///< number of a call that autograd may record, or -1
  std::span<const Boxed> inputs = {};   ///< empty if the observer does not want them
  std::span<const Boxed> outputs = {};  ///< likewise; also empty at the start and after an error
};

struct Observer {
  bool wants_inputs = false;
  bool wants_outputs = false;
  double probability = 1;  ///< of being shown a call; drawn for each call
  std::function<void(const ObservedCall&)> start = {};
  std::function<void(const ObservedCall&)> end = {};
};

/// The observers of a dispatcher. Each change publishes a new list, which calls read without a
/// lock; an old list is freed when the calls that may read it have ended (grace.hpp).
class Observers {
 public:
  using List = std::vector<std::shared_ptr<const Observer>>;

  Observers() = default;
  ~Observers();
  Observers(const Observers&) = delete;
  Observers& operator=(const Observers&) = delete;

  /// Returns the argument for `remove`. Raises `error` unless the probability is in [0, 1].
  const Observer* add(Observer observer);
  /// Does nothing if it was removed before.
  void remove(const Observer* observer);
  /// Valid while the calling thread is `ReadScope`.
  const List& current() const { return *published_.load(std::memory_order_acquire); }

 private:
  void publish(std::shared_ptr<const List> list);

  std::mutex mutex_;
  std::shared_ptr<const List> held_ = std::make_shared<const List>();
  std::atomic<const List*> published_ = held_.get();
};

/// Per-thread state of observers.
struct ObservedThread {
  int suspended = 0;  ///< if above 0, no call of the thread is observed
  std::int64_t next_sequence = 0;
};
inline thread_local constinit ObservedThread observed_thread;

struct DefineOptions {
  std::string debug;
  AliasKind alias_kind = AliasKind::kFromSchema;
  std::vector<std::string> tags = {};
};

/// Notified of definitions while the registration lock is held (DSP-805, DSP-806).
struct Listener {
  std::function<void(const Operator&)> added;
  std::function<void(const Operator&)> removed;
};

/// Thread-safe. Calls take no lock, and neither do lookups but the first one of an adopted
/// operator.
class Dispatcher : public std::enable_shared_from_this<Dispatcher> {
 public:
  /// Creates a dispatcher with the contract's default fallbacks (DSP-511).
  static std::shared_ptr<Dispatcher> make(Contract contract);
  ~Dispatcher();
  Dispatcher(const Dispatcher&) = delete;
  Dispatcher& operator=(const Dispatcher&) = delete;

  const Contract& contract() const { return contract_; }
  const Layout& layout() const { return layout_; }

  [[nodiscard]] Registration define(const Schema& schema, const DefineOptions& options);
  /// Without a key, registers a catch-all kernel (DSP-502).
  [[nodiscard]] Registration implement(const OperatorName& name, std::optional<Key> key,
                                       const Kernel& kernel, const std::string& debug);
  [[nodiscard]] Registration fall_back(std::optional<Key> key, const Kernel& kernel,
                                       const std::string& debug);
  /// Raises `error` if the namespace has an owner (DSP-402).
  [[nodiscard]] Registration own_namespace(const std::string& name, const std::string& where);
  [[nodiscard]] Registration add_listener(Listener listener);
  [[nodiscard]] Registration add_observer(Observer observer);
  /// Replaces the present fallbacks permanently.
  void set_fallbacks(const std::vector<Key>& keys, const Kernel& kernel, const std::string& debug);
  /// Shares the operators of `prototype`, which must outlive this dispatcher and must not change
  /// any more. Each gets its table at its first lookup; listeners are not notified. Raises `error`
  /// if one of them exists here already.
  void adopt(const Dispatcher& prototype);
  /// Keeps the registration for the lifetime of the dispatcher.
  void keep(Registration registration) { kept_.push_back(std::move(registration)); }

  /// Returns null for an unknown operator.
  Operator* find(const OperatorName& name);
  /// DSP-701
  Operator& find_schema(const OperatorName& name);
  /// Returns all defined operators, sorted by name.
  std::vector<const Operator*> operators();
  bool has_fallback(Key key) const;
  Observers& observers() { return observers_; }

 private:
  class Turn;
  using ListenerPtr = std::shared_ptr<const Listener>;

  explicit Dispatcher(Contract contract);
  Registration handle(std::function<void(Dispatcher&)> undo);
  void undo(const std::function<void(Dispatcher&)>& what);

  Operator& find_or_make(const OperatorName& name);
  Operator* find_any(const OperatorName& name) const;
  Operator& make(const OperatorName& name, StatePtr state);
  /// Returns null if the prototype has no such operator. Requires the registration lock.
  Operator* adopted(const OperatorName& name);
  void adopt_the_rest();
  std::vector<const Operator*> alive() const;
  /// Takes the registration lock, except in a listener, which already runs under it.
  std::unique_lock<std::mutex> lock_for_lookup();
  void publish(Operator& op, OperatorState state, const Slots& changed);
  void publish_fallbacks(Fallbacks fallbacks, const std::vector<Key>& keys);

  void forsake(Operator& op);
  void notify_listeners(Operator& op, const StatePtr& before);
  void undefine(Operator& op);
  void notify(const std::function<void(const Operator&)>& listener, const Operator& op);
  void expect_definable(const OperatorState& op, const Schema& schema, const std::string& debug);
  void expect_implementable(OperatorState& state, const Registered& added, std::optional<Key> key,
                            Operator& op);
  void warn_of_override(const OperatorState& state, std::optional<Key> key,
                        const Registered& added);
  void remove_kernel(Operator& op, Key key, const RegisteredPtr& kernel);

  static constexpr std::size_t kBuckets = 4096;

  const Contract contract_;
  const Layout& layout_;
  mutable std::mutex mutex_;  ///< held by registrations
  std::atomic<std::thread::id> notifying_;
  std::vector<std::function<void(Dispatcher&)>> deferred_;  ///< requested by listeners
  std::array<std::atomic<Operator*>, kBuckets> buckets_ = {};
  std::deque<Operator> operators_;
  std::atomic<Operator*> newest_ = nullptr;
  std::atomic<const Dispatcher*> prototype_ = nullptr;
  FallbacksPtr fallbacks_ = std::make_shared<const Fallbacks>();
  std::map<std::string, std::string> owners_;
  std::vector<ListenerPtr> listeners_;
  Observers observers_;
  std::vector<Registration> kept_;
  bool has_warned_ = false;
};

/// Raises `error` inside a listener (DSP-806). Its end runs the removals that listeners requested
/// and frees tables that no call reads any more.
class Dispatcher::Turn {
 public:
  explicit Turn(Dispatcher& dispatcher);
  ~Turn();
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

 private:
  Dispatcher& dispatcher_;
  std::unique_lock<std::mutex> lock_;
};

}  // namespace assay::cuda::dispatch
