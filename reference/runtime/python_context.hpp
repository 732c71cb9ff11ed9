// Python's contexts: of a device and of a stream. The objects can be entered again.
#pragma once

#include <optional>
#include <vector>

#include "reference/runtime/streams/stream.hpp"

namespace assay::reference {

/// `torch.cuda.device(d)`: GRD-029, with what each release makes of it.
class PythonDeviceContext {
 public:
  /// `cuda` is the device that is current now. Raises `value` for another type.
  PythonDeviceContext(Runtime& runtime, Device device);
  /// A negative index does nothing.
  PythonDeviceContext(Runtime& runtime, int index) : runtime_(runtime), index_(index) {}

  void enter();
  void exit();

 private:
  void enter_strictly();
  void exit_strictly();

  Runtime& runtime_;
  int index_;
  int before_ = -1;
  std::vector<int> befores_;  ///< strict: one for each time that it was entered
};

/// `torch.cuda.stream(s)` (STR-022).
class PythonStreamContext {
 public:
  /// None does nothing.
  PythonStreamContext(Runtime& runtime, std::optional<Stream> stream)
      : runtime_(runtime), stream_(stream) {}

  void enter();
  void exit();

 private:
  struct Saved {
    Stream source;
    std::optional<Stream> target;  ///< where that is on another device
  };

  Runtime& runtime_;
  std::optional<Stream> stream_;
  std::vector<Saved> saved_;
};

}  // namespace assay::reference
