// The streams of a backward pass: the stream of each node, and the waits between streams (STR-035
// to STR-037).
#pragma once

#include <optional>
#include <vector>

#include "reference/core/math/launch.hpp"

namespace assay::reference {

/// The sum of the gradients that have arrived at a result.
struct Arrived {
  Tensor sum;
  std::optional<Stream> place;  ///< where further gradients are added
  std::optional<Stream> last;   ///< that wrote the sum, up to `ready`
  StreamMarkRef ready;          ///< null if no other stream has to wait
};

class BackwardStreams {
 public:
  explicit BackwardStreams(Runtime& runtime) : runtime_(runtime) {}

  /// `producer`: the stream of the node that computed the gradient, `consumer`: of the node that it
  /// goes to. None: the thread's current stream of the gradient's device.
  void add(Arrived& arrived, const Tensor& grad, const std::optional<Stream>& producer,
           const std::optional<Stream>& consumer);
  /// Makes the node's stream current for the lifetime of the result, and makes it wait for the
  /// gradients. Null without a stream.
  std::shared_ptr<void> enter(const std::optional<Stream>& stream,
                              const std::vector<Arrived>& arrived);
  /// Since 2.13: a leaf of the default stream receives no gradient of a capture.
  void refuse_stale_leaf(const std::optional<Stream>& from,
                         const std::optional<Stream>& leaf) const;
  /// Since 2.9: warns once if a leaf receives its gradient in another stream than the producer's.
  void warn_of_other_stream(const std::optional<Stream>& from,
                            const std::optional<Stream>& leaf) const;
  /// Notes that a gradient for the caller is completed in this stream.
  void ends_in(const std::optional<Stream>& stream);
  /// Makes the caller's current streams wait for the noted streams.
  void finish();

 private:
  void begin(Arrived& arrived, const Tensor& grad, const Stream& from, const Stream& to) const;
  void go_on(Arrived& arrived, const Tensor& grad, const Stream& from, const Stream& to) const;
  LaunchQueue& queue(const Stream& stream) const { return *queue_for(runtime_, stream.device); }
  void note_use(const Tensor& grad, const Stream& stream) const;
  void join(const Stream& waiting, const Stream& awaited) const;

  Runtime& runtime_;
  std::vector<Stream> ends_;
};

}  // namespace assay::reference
