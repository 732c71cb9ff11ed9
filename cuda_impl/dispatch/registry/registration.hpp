// The handle of a registration: what is registered lives as long as it does (DSP-417).
#pragma once

#include <functional>
#include <utility>

namespace assay::cuda::dispatch {

class Registration {
 public:
  using Undo = std::function<void()>;

  Registration() = default;
  /// `forgets`: PyTorch's assignment over a live handle leaves what it was for registered.
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
  /// Now, and not once more.
  void drop() {
    if (const Undo undo = std::exchange(undo_, {})) undo();
  }

 private:
  Undo undo_;
  bool forgets_ = false;
};

}  // namespace assay::cuda::dispatch
