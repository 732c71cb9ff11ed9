// The order of work on simulated devices: a stream is a line of operations, and points on a line
// can be waited for.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cuda_impl/on_cpu/cudart/stream_thread.hpp"

namespace assay::cuda::on_cpu {

struct Line;
using LinePtr = std::shared_ptr<Line>;

/// Reached when this many operations of the line have completed.
struct Point {
  LinePtr line = nullptr;
  std::uint64_t count = 0;
  OperationSyncPtr sync = nullptr;  ///< of the operation before the point
};

/// Blocks a line until it is opened.
struct Gate {
  bool is_open = false;
  bool has_expired = false;
  std::int64_t timeout_ms = 2000;
  SyncPoint opened;
};

/// Thrown by device work: the device's context becomes invalid.
struct DeviceFault {
  int code = 719;
  std::string text = {};  ///< message for the user
};

struct Operation {
  std::function<void()> run;  ///< may be null; may throw a DeviceFault
  std::vector<Point> after;   ///< in addition to its predecessor in the line
  std::shared_ptr<Gate> gate = nullptr;
  int fails_with = 0;  ///< the error code of its execution
  std::int64_t takes_ns = 1000;
  OperationSyncPtr sync = nullptr;  ///< created at submission if null
};

enum class LineKind { kLegacy, kBlocking, kNonBlocking };

/// A stream. Its operations are executed in order.
struct Line {
  int device = 0;
  LineKind kind = LineKind::kNonBlocking;
  int priority = 0;
  std::uint64_t number = 0;  ///< as shown in the log
  std::uint64_t submitted = 0;
  std::uint64_t done = 0;
  std::int64_t clock_ns = 0;  ///< device time at the completion of the last operation
  std::deque<Operation> waiting;
  OperationSyncPtr newest = nullptr;  ///< of the latest submission
  StreamThread thread;

  bool is_idle() const { return done == submitted; }
};

inline bool is_reached(const Point& point) {
  return point.line == nullptr || point.line->done >= point.count;
}
inline Point end_of(const LinePtr& line) { return {line, line->submitted, line->newest}; }

/// Returns whether the first operation of the line can be executed now.
bool can_go_on(const Line& line);

}  // namespace assay::cuda::on_cpu
