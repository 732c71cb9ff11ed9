// Synchronizes gradients between the streams of a backward pass (STR-035 to STR-037).
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "cuda_impl/core/cuda_check.hpp"
#include "cuda_impl/core/device/current_device.hpp"
#include "cuda_impl/core/event_pool.hpp"
#include "cuda_impl/core/tensor.hpp"

namespace assay::cuda {

/// The sum of the gradients that have arrived at one place, and the event that marks its
/// completion.
class ArrivedGradient {
 public:
  /// `from`: the stream of the node that computed the gradient, `to`: of its receiver. None: the
  /// current stream of the gradient's device.
  void add(const Tensor& gradient, const std::optional<DeviceStream>& from,
           const std::optional<DeviceStream>& to);
  /// Makes `reader` wait for the sum. Required before any stream but those given reads it.
  void hold_back(const DeviceStream& reader) const;
  const Tensor& sum() const { return sum_; }

 private:
  void add_in(const DeviceStream& stream, const Tensor& gradient, const DeviceStream& from);

  Tensor sum_;
  std::optional<DeviceStream> adds_in_;
  DeviceStream written_in_;  ///< up to `is_written_`
  std::optional<PooledEvent> is_written_;
};

/// Since 2.13, refuses a gradient of a capture for a leaf of the default stream.
void refuse_captured(const std::optional<DeviceStream>& from,
                     const std::optional<DeviceStream>& leaf);
/// Since 2.9, warns the first time that a gradient changes streams on its way into a leaf.
void warn_of_other_stream(const std::optional<DeviceStream>& from,
                          const std::optional<DeviceStream>& leaf);
/// Allows the warning to be given again.
void forget_other_stream();

/// Makes the stream and its device current for the scope, and the default streams on the other
/// devices, as on a new thread.
class OnlyStreamScope {
 public:
  explicit OnlyStreamScope(const DeviceStream& stream);
  ~OnlyStreamScope() { exchange_current_streams(std::move(before_)); }
  OnlyStreamScope(const OnlyStreamScope&) = delete;
  OnlyStreamScope& operator=(const OnlyStreamScope&) = delete;

 private:
  DeviceScope device_;
  std::vector<StreamHere> before_;
};

/// An OnlyStreamScope for the node's stream, which waits for its gradient.
class OnNodeStream {
 public:
  OnNodeStream(const std::optional<DeviceStream>& stream, const ArrivedGradient& gradient);

 private:
  std::optional<OnlyStreamScope> scope_;
};

/// The streams in which a pass completes what its caller will read.
class GradientEnds {
 public:
  void add(const std::optional<DeviceStream>& stream);
  /// Makes the current streams of the calling thread wait for them.
  void hold_back_caller() const;

 private:
  std::vector<DeviceStream> streams_;
};

}  // namespace assay::cuda
