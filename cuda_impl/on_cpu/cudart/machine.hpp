// The simulated devices of a process: their lines, their progress, and waits of host threads.
#pragma once

#include <array>
#include <condition_variable>
#include <map>
#include <mutex>

#include "cuda_impl/on_cpu/cudart/schedule.hpp"
#include "cuda_impl/on_cpu/cudart/timeline.hpp"

namespace assay::cuda::on_cpu {

inline constexpr int kMostDevices = 8;

/// All members require `lock()`, unless stated otherwise.
class Machine {
 public:
  /// The instance that the runtime's calls use. Never destroyed, because calls are possible until
  /// the exit.
  static Machine& get();
  Machine();

  std::unique_lock<std::mutex> lock() { return std::unique_lock(mutex_); }

  LinePtr legacy(int device) { return legacy_.at(static_cast<std::size_t>(device)); }
  /// The calling thread's per-thread default stream.
  LinePtr per_thread(int device);
  LinePtr add_line(int device, LineKind kind, int priority);
  /// Work in the line still completes.
  void remove_line(const LinePtr& line);
  LinePtr line_numbered(std::uint64_t number) const;

  /// Adds the dependencies of the legacy stream (on all blocking streams of its device, and vice
  /// versa) and advances the devices according to the strategy.
  Point submit(const LinePtr& line, Operation operation);
  /// Called after a query has been answered, or after another call.
  void after_call(bool is_query);
  /// Returns when all points are reached or their device is lost. Executes work; if only a gate
  /// blocks it, waits until the gate is opened or expires. Returns false on a deadlock.
  bool wait(std::unique_lock<std::mutex>& lock, const std::vector<Point>& points);
  std::vector<Point> ends_of_device(int device) const;

  void open(Gate& gate);
  void set_strategy(Strategy strategy, std::uint64_t seed);
  /// For the strategy kExhaustive: selects the next path; false if all have been explored.
  bool next_path();
  int step(const LinePtr& line, int count);
  void run_all();
  int pending() const;
  std::int64_t now_ns() const { return now_ns_; }
  void advance_ns(std::int64_t ns) { now_ns_ += ns; }
  /// The error of a failed kernel, which has made the context invalid; 0 if there is none.
  int lost(int device) const { return lost_.at(static_cast<std::size_t>(device)).code; }
  /// The description of that fault; empty if there is none.
  const std::string& why_lost(int device) const {
    return lost_.at(static_cast<std::size_t>(device)).text;
  }
  /// Discards all pending work and restores lost contexts. Keeps the lines, because their owners
  /// refer to them.
  void forget_work();
  /// Invalidates all created streams, even if their handles are still in use.
  void forget_streams();

 private:
  bool is_ready(const Line& line) const;
  void do_next(Line& line);
  void lose(int device, DeviceFault fault);
  void run(Line& line, const Operation& operation);
  std::vector<LinePtr> ready() const;
  bool work_towards(const Point& point);
  bool work_while_host_waits(const Point& point);
  Gate* gate_before(const Point& point, int depth) const;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::array<LinePtr, kMostDevices> legacy_;
  std::array<DeviceFault, kMostDevices> lost_;  ///< code 0: not lost
  std::vector<LinePtr> lines_;
  std::map<std::uint64_t, LinePtr> per_thread_;
  Schedule schedule_;
  std::uint64_t numbers_ = 0;
  std::int64_t now_ns_ = 0;
};

}  // namespace assay::cuda::on_cpu
