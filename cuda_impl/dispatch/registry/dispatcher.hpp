// The dispatcher: all operators of one contract, with registration and lookup.
#pragma once

#include <array>
#include <atomic>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "cuda_impl/dispatch/registry/observer.hpp"
#include "cuda_impl/dispatch/registry/operator.hpp"
#include "cuda_impl/dispatch/registry/registration.hpp"

namespace assay::cuda::dispatch {

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

}  // namespace assay::cuda::dispatch
