// Serializes registrations (DSP-801, DSP-806).
#include "reference/dispatch/registry/registration_turn.hpp"

#include "reference/core/types/error.hpp"

namespace assay::reference {
namespace {

class Notifying {
 public:
  explicit Notifying(std::atomic<std::thread::id>& thread) : thread_(thread) {
    thread_ = std::this_thread::get_id();
  }
  ~Notifying() { thread_ = std::thread::id{}; }
  Notifying(const Notifying&) = delete;
  Notifying& operator=(const Notifying&) = delete;

 private:
  std::atomic<std::thread::id>& thread_;
};

}  // namespace

void RegistrationQueue::notify(const std::function<void()>& run) {
  const Notifying notifying(notifying_);
  run();
}

RegistrationTurn::RegistrationTurn(RegistrationQueue& queue) : queue_(queue) {
  check(!queue.is_notifying(), [] { return "registration from inside a listener"; });
  queue_.mutex_.lock();
}

RegistrationTurn::~RegistrationTurn() {
  while (!queue_.deferred_.empty()) {
    const auto deferred = std::exchange(queue_.deferred_, {});
    for (const auto& later : deferred) later(*this);
  }
  const auto retired = std::exchange(queue_.retired_, {});
  queue_.mutex_.unlock();
}

}  // namespace assay::reference
