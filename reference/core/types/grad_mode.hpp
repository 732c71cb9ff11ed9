// The grad and inference modes of a thread.
#pragma once

#include "reference/core/runtime.hpp"

namespace assay::reference {

/// Per thread: `runtime.local<GradModes>()`.
struct GradModes {
  bool grad = true;
  bool inference = false;
};

inline bool is_grad_enabled(const Runtime& runtime) { return runtime.local<GradModes>().grad; }
inline bool is_inference_mode(const Runtime& runtime) {
  return runtime.local<GradModes>().inference;
}

/// Sets the grad mode for the lifetime of the guard.
class GradModeGuard {
 public:
  GradModeGuard(Runtime& runtime, bool value)
      : modes_(runtime.local<GradModes>()), before_(modes_) {
    modes_.grad = value;
  }
  ~GradModeGuard() { modes_ = before_; }
  GradModeGuard(const GradModeGuard&) = delete;
  GradModeGuard& operator=(const GradModeGuard&) = delete;

 private:
  GradModes& modes_;
  GradModes before_;
};

}  // namespace assay::reference
