// The handle of a registration: what it registered is gone when it is.
#pragma once

#include <functional>
#include <utility>

#include "reference/core/types/contract.hpp"

namespace assay::reference {

/// DSP-417. Does nothing when the dispatcher is gone already (DSP-420).
class Registration {
 public:
  /// Of nothing.
  Registration() = default;
  /// `undo` must not throw.
  Registration(std::function<void()> undo, Deviations deviations)
      : undo_(std::move(undo)), deviations_(deviations) {}
  Registration(Registration&& other) noexcept
      : undo_(std::exchange(other.undo_, nullptr)), deviations_(other.deviations_) {}
  /// What was registered before is dropped; PyTorch forgets it, and it stays for ever.
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
