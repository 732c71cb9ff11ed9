// A graph as Python has it: what a stream was given while it captured, and the memory that it uses.
#pragma once

#include <memory>
#include <optional>

#include "reference/core/runtime.hpp"
#include "reference/memory/block.hpp"
#include "reference/runtime/streams/stream.hpp"

namespace assay::reference {

/// Used by one thread at a time. One that dies while it captures ends the capture.
class CudaGraph {
 public:
  /// Raises `error` where there are no CUDA devices.
  explicit CudaGraph(Runtime& runtime);
  ~CudaGraph();
  CudaGraph(const CudaGraph&) = delete;
  CudaGraph& operator=(const CudaGraph&) = delete;

  /// The stream is the thread's current one until `end`. Raises `error` for a default stream, while
  /// the current one captures, and for a graph that holds something (CAP-003).
  void begin(const Stream& stream, CaptureMode mode);
  /// On a stream of the graph's own, of the current device.
  void begin(CaptureMode mode);
  void end();
  /// Into the current stream of the capture's device. The host does not wait.
  void replay();
  void reset();

 private:
  void check_can_begin();
  void leave_stream();
  void release_memory();

  Runtime& runtime_;
  std::optional<Stream> own_;
  std::optional<Stream> capturing_;  ///< while it captures
  Stream before_;                    ///< current before `begin`
  Stream begun_on_;                  ///< the latest capture; before the first, what was current
  std::shared_ptr<const CapturedWork> held_;
  std::shared_ptr<PrivatePool> pool_;
  int device_ = 0;
};

/// Does the calling thread's current stream capture? Raises `error` where there are no CUDA
/// devices.
bool is_current_stream_capturing(Runtime& runtime);

}  // namespace assay::reference
