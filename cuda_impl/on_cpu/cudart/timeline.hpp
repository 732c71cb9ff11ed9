// The order of work on simulated devices: each stream is a line of work, and a point on a line can
// be waited for.
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

/// Reached once that many operations of the line are done.
struct Point {
  LinePtr line = nullptr;
  std::uint64_t count = 0;
  HandoverPtr handover = nullptr;  ///< of the operation that it stands behind
};

/// Keeps a line from going on until somebody opens it.
struct Gate {
  bool is_open = false;
  bool has_expired = false;
  std::int64_t timeout_ms = 2000;
  SyncPoint opened;
};

/// Thrown by what runs on a device: its context is lost.
struct DeviceFault {
  int code = 719;
  std::string text = {};  ///< for people
};

struct Operation {
  std::function<void()> run;  ///< may be empty; may throw a DeviceFault
  std::vector<Point> after;   ///< beside what stands before it on its own line
  std::shared_ptr<Gate> gate = nullptr;
  int fails_with = 0;  ///< the code that its running ends with
  std::int64_t takes_ns = 1000;
  HandoverPtr handover = nullptr;  ///< made when it is submitted, if not before
};

enum class LineKind { kLegacy, kBlocking, kNonBlocking };

/// A stream. Operations are done one after another.
struct Line {
  int device = 0;
  LineKind kind = LineKind::kNonBlocking;
  int priority = 0;
  std::uint64_t number = 0;  ///< as the log shows it
  std::uint64_t submitted = 0;
  std::uint64_t done = 0;
  std::int64_t clock_ns = 0;  ///< the devices' time when its last operation was done
  std::deque<Operation> waiting;
  HandoverPtr newest = nullptr;  ///< of the operation that was submitted last
  StreamThread thread;

  bool is_idle() const { return done == submitted; }
};

inline bool is_reached(const Point& point) {
  return point.line == nullptr || point.line->done >= point.count;
}
inline Point end_of(const LinePtr& line) { return {line, line->submitted, line->newest}; }

/// Can the first operation of the line be done now?
bool can_go_on(const Line& line);

}  // namespace assay::cuda::on_cpu
