// The simulated devices of a process: their lines, when they work, and how a host thread waits.
#pragma once

#include <array>
#include <condition_variable>
#include <map>
#include <mutex>

#include "cuda_impl/on_cpu/cudart/schedule.hpp"
#include "cuda_impl/on_cpu/cudart/timeline.hpp"

namespace assay::cuda::on_cpu {

inline constexpr int kMostDevices = 8;

/// All members are called with `lock()` held, unless they say otherwise.
class Machine {
 public:
  /// The one of this process. Never destroyed: the process may call until its end.
  static Machine& get();

  std::unique_lock<std::mutex> lock() { return std::unique_lock(mutex_); }

  LinePtr legacy(int device) { return legacy_.at(static_cast<std::size_t>(device)); }
  /// The calling thread's own default stream.
  LinePtr per_thread(int device);
  LinePtr add_line(int device, LineKind kind, int priority);
  /// What stands on it is still done.
  void remove_line(const LinePtr& line);
  LinePtr line_numbered(std::uint64_t number) const;

  /// Adds the edges that the legacy stream brings (it waits for all blocking streams of its device,
  /// and they for it), and lets the devices go on as the strategy has it.
  Point submit(const LinePtr& line, Operation operation);
  /// A query has been answered, or another call has been made.
  void after_call(bool is_query);
  /// Returns once all points are reached, or their device is lost: works, and where only a gate is
  /// in the way, waits for it until it expires. False when that can never be.
  bool wait(std::unique_lock<std::mutex>& lock, const std::vector<Point>& points);
  std::vector<Point> ends_of_device(int device) const;

  void open(Gate& gate);
  void set_strategy(Strategy strategy, std::uint64_t seed);
  /// Of the strategy kExhaustive: another run goes by the next path; false when all were gone.
  bool next_path();
  int step(const LinePtr& line, int count);
  void run_all();
  int pending() const;
  std::int64_t now_ns() const { return now_ns_; }
  void advance_ns(std::int64_t ns) { now_ns_ += ns; }
  /// The code of a kernel that has failed on the device, or 0: its context is lost.
  int lost(int device) const { return lost_.at(static_cast<std::size_t>(device)).code; }
  /// What was said of the fault that has lost it; empty where there was none, or nothing to say.
  const std::string& why_lost(int device) const {
    return lost_.at(static_cast<std::size_t>(device)).text;
  }
  /// Whatever was to be done is forgotten, and no context is lost. The lines stay: their owners
  /// know them.
  void forget_work();
  /// Those that were made are no more, wherever their handles still are.
  void forget_streams();

 private:
  Machine();
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
