// The handle that owns a registration.
#pragma once

#include <functional>
#include <utility>

#include "reference/core/types/contract.hpp"

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

}  // namespace assay::reference
