// One registration at a time, and none from inside a listener.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace assay::reference {

class RegistrationTurn;

/// What registrations wait for (DSP-801).
class RegistrationQueue {
 public:
  using Later = std::function<void(RegistrationTurn&)>;

  /// Is the calling thread inside a listener?
  bool is_notifying() const { return notifying_ == std::this_thread::get_id(); }
  /// Runs it as a listener, in which registering is an error (DSP-806).
  void notify(const std::function<void()>& run);
  /// Done when the current turn ends: what a listener deregisters.
  void defer(Later later) { deferred_.push_back(std::move(later)); }

 private:
  friend class RegistrationTurn;

  std::mutex mutex_;
  std::atomic<std::thread::id> notifying_{};
  std::vector<Later> deferred_;                       ///< under `mutex_`
  std::vector<std::shared_ptr<const void>> retired_;  ///< under `mutex_`
};

/// While it lives nobody else registers or deregisters. Raises `error` inside a listener.
class RegistrationTurn {
 public:
  explicit RegistrationTurn(RegistrationQueue& queue);
  ~RegistrationTurn();
  RegistrationTurn(const RegistrationTurn&) = delete;
  RegistrationTurn& operator=(const RegistrationTurn&) = delete;

  /// Destroyed after the turn: what it owns may register again.
  void retire(std::shared_ptr<const void> object) { queue_.retired_.push_back(std::move(object)); }

 private:
  RegistrationQueue& queue_;
};

}  // namespace assay::reference
