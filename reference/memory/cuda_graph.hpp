// A CUDA graph as in Python: the captured work of a stream, with its memory.
#pragma once

#include <map>
#include <memory>
#include <optional>

#include "reference/core/runtime.hpp"
#include "reference/memory/block.hpp"
#include "reference/runtime/streams/stream.hpp"

namespace assay::reference {

/// What several captures share (CAP-006): on each device the pool of the latest of them.
struct SharedPool {
  std::map<int, std::shared_ptr<PrivatePool>> on_device;
};

/// Not thread-safe. The destructor ends a capture in progress.
class CudaGraph {
 public:
  /// Raises `error` without CUDA devices. With `keep`, `instantiate` may be called (CAP-007).
  explicit CudaGraph(Runtime& runtime, bool keep = false);
  ~CudaGraph();
  CudaGraph(const CudaGraph&) = delete;
  CudaGraph& operator=(const CudaGraph&) = delete;

  /// Makes the stream current until `end`. Raises `error` for a default stream, while the current
  /// stream is capturing, if the graph already has content (CAP-003), and while another graph
  /// captures into the pool. Without a pool, the capture has one of its own.
  void begin(const Stream& stream, CaptureMode mode, std::shared_ptr<SharedPool> pool = nullptr);
  /// Captures on the graph's own stream of the current device.
  void begin(CaptureMode mode, std::shared_ptr<SharedPool> pool = nullptr);
  void end();
  /// Launches the graph on the current stream of the capture's device. Does not wait.
  void replay();
  void reset();
  /// Makes the kept graph ready for replays; otherwise the first replay does.
  void instantiate() const;
  /// For further captures. Raises `error` unless the graph has content.
  std::shared_ptr<SharedPool> pool() const;

 private:
  void check_can_begin();
  void check_may_try_to_end() const;
  void leave_stream();
  void release_memory();

  Runtime& runtime_;
  bool keep_;
  std::optional<Stream> own_;
  std::optional<Stream> capturing_;  ///< set during a capture
  Stream before_;                    ///< the current stream before `begin`
  Stream begun_on_;                  ///< the latest capture's stream; initially the current one
  bool has_ever_begun_ = false;
  std::shared_ptr<const CapturedWork> held_;
  std::shared_ptr<SharedPool> shared_;
  std::shared_ptr<PrivatePool> pool_;  ///< of `shared_`, on the device of the capture
  int device_ = 0;
};

/// Returns whether the calling thread's current stream is capturing. Raises `error` without CUDA
/// devices.
bool is_current_stream_capturing(Runtime& runtime);

}  // namespace assay::reference
