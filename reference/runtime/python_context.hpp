// Python's context managers for devices and streams; they can be re-entered.
#pragma once

#include <optional>
#include <vector>

#include "reference/runtime/streams/stream.hpp"

namespace assay::reference {

/// `torch.cuda.device(d)`, with the behaviour of each release (GRD-029).
class PythonDeviceContext {
 public:
  /// `cuda` means the device that is current at construction. Raises `value` for another type.
  PythonDeviceContext(Runtime& runtime, Device device);
  /// A negative index has no effect.
  PythonDeviceContext(Runtime& runtime, int index) : runtime_(runtime), index_(index) {}

  void enter();
  void exit();

 private:
  void enter_strictly();
  void exit_strictly();

  Runtime& runtime_;
  int index_;
  int before_ = -1;
  std::vector<int> befores_;  ///< strict mode: one for each entry
};

/// `torch.cuda.stream(s)` (STR-022).
class PythonStreamContext {
 public:
  /// Without a stream it has no effect.
  PythonStreamContext(Runtime& runtime, std::optional<Stream> stream)
      : runtime_(runtime), stream_(stream) {}

  void enter();
  void exit();

 private:
  struct Saved {
    Stream source;
    std::optional<Stream> target;  ///< set if it is on another device
  };

  Runtime& runtime_;
  std::optional<Stream> stream_;
  std::vector<Saved> saved_;
};

}  // namespace assay::reference
