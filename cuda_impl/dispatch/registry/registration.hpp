// A registration handle, which removes the registration when it is destroyed (DSP-417).
#pragma once

#include <functional>
#include <utility>

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

}  // namespace assay::cuda::dispatch
