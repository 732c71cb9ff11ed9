// Serializes registrations and forbids them inside listeners.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

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

}  // namespace assay::reference
