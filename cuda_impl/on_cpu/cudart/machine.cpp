// Executes the operations of lines, and host waits.
#include "cuda_impl/on_cpu/cudart/machine.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>

#include "cuda_impl/on_cpu/cudart/memory/memory.hpp"

namespace assay::cuda::on_cpu {
namespace {

/// A number of the calling thread that is unique in the process.
std::uint64_t thread_number() {
  static std::atomic<std::uint64_t> numbers = 0;
  thread_local const std::uint64_t mine = ++numbers;
  return mine;
}

}  // namespace

Machine& Machine::get() {
  static Machine* const machine = new Machine();
  return *machine;
}

Machine::Machine() {
  lost_.fill({.code = 0});
  for (int device = 0; device < kMostDevices; ++device) {
    legacy_.at(static_cast<std::size_t>(device)) = add_line(device, LineKind::kLegacy, 0);
    legacy(device)->number = 0;
  }
}

LinePtr Machine::add_line(int device, LineKind kind, int priority) {
  auto line = std::make_shared<Line>();
  line->device = device;
  line->kind = kind;
  line->priority = priority;
  line->number = numbers_ += 16;
  lines_.push_back(line);
  return line;
}

LinePtr Machine::per_thread(int device) {
  LinePtr& line = per_thread_[thread_number() * kMostDevices + static_cast<std::uint64_t>(device)];
  if (line == nullptr) line = add_line(device, LineKind::kBlocking, 0);
  return line;
}

void Machine::remove_line(const LinePtr& line) {
  while (work_towards(end_of(line))) {
  }
  if (line->is_idle()) std::erase(lines_, line);
}

LinePtr Machine::line_numbered(std::uint64_t number) const {
  for (const LinePtr& line : lines_) {
    if (line->number == number && line->kind != LineKind::kLegacy) return line;
  }
  return nullptr;
}

Point Machine::submit(const LinePtr& line, Operation operation) {
  for (const LinePtr& other : lines_) {
    // Includes idle lines with work, because the thread sanitizer must see each wait.
    if (other == line || other->device != line->device) continue;
    if (other->is_idle() && other->newest == nullptr) continue;
    const bool is_fence = line->kind == LineKind::kLegacy && other->kind == LineKind::kBlocking;
    const bool is_fenced = line->kind == LineKind::kBlocking && other->kind == LineKind::kLegacy;
    if (is_fence || is_fenced) operation.after.push_back(end_of(other));
  }
  if (operation.sync == nullptr) operation.sync = new_operation_sync();
  if (operation.sync != nullptr) operation.sync->submitted.open();
  line->newest = operation.sync;
  line->waiting.push_back(std::move(operation));
  ++line->submitted;
  const Point point = end_of(line);
  after_call(false);
  return point;
}

void Machine::after_call(bool is_query) {
  if (schedule_.strategy() == Strategy::kEager) return run_all();
  schedule_.begin(is_query ? Moment::kQuery : Moment::kCall);
  for (std::vector<LinePtr> lines = ready(); !lines.empty(); lines = ready()) {
    const int chosen = schedule_.choose(lines);
    if (chosen < 0) return;
    do_next(*lines[static_cast<std::size_t>(chosen)]);
  }
}

void Machine::do_next(Line& line) {
  const Quiet quiet;  // because work goes on in calls of the controls too
  if (const int code = line.waiting.front().fails_with; code != 0) return lose(line.device, {code});
  Operation operation = std::move(line.waiting.front());
  line.waiting.pop_front();
  run(line, operation);
  now_ns_ += operation.takes_ns;
  line.clock_ns = now_ns_;
  ++line.done;
  changed_.notify_all();
}

/// Runs the operation on the line's sanitizer thread, ordered after the submission and the
/// operations that it has waited for.
void Machine::run(Line& line, const Operation& operation) {
  const bool is_done = operation.run && lost(line.device) == 0;
  if (!is_done && operation.sync == nullptr) return;
  line.thread.enter();
  if (operation.sync != nullptr) operation.sync->submitted.acquire();
  for (const Point& before : operation.after) learn(before.sync);
  if (operation.gate != nullptr) operation.gate->opened.acquire();
  if (is_done) Memory::get().let_host_in();
  try {
    if (is_done) operation.run();
  } catch (DeviceFault& fault) {
    lose(line.device, std::move(fault));
  }
  if (is_done) Memory::get().keep_host_out();
  if (operation.sync != nullptr) operation.sync->done.open();
  line.thread.leave();
}

/// Only the first fault is reported.
void Machine::lose(int device, DeviceFault fault) {
  if (lost(device) != 0) return;
  if (!fault.text.empty()) {
    std::fprintf(stderr, "Simulated CUDA device %d is lost (%d): %s\n", device, fault.code,
                 fault.text.c_str());
  }
  lost_.at(static_cast<std::size_t>(device)) = std::move(fault);
}

/// A device with a lost context executes nothing.
bool Machine::is_ready(const Line& line) const { return lost(line.device) == 0 && can_go_on(line); }

std::vector<LinePtr> Machine::ready() const {
  std::vector<LinePtr> found;
  for (const LinePtr& line : lines_) {
    if (is_ready(*line)) found.push_back(line);
  }
  return found;
}

void Machine::run_all() {
  for (std::vector<LinePtr> lines = ready(); !lines.empty(); lines = ready()) {
    for (const LinePtr& line : lines) {
      if (is_ready(*line)) do_next(*line);
    }
  }
}

/// Executes one operation that the point depends on; returns false if there is none.
bool Machine::work_towards(const Point& point) {
  if (is_reached(point)) return false;
  Line& line = *point.line;
  if (line.waiting.empty()) return false;
  for (const Point& before : line.waiting.front().after) {
    if (!is_reached(before)) return work_towards(before);
  }
  if (!is_ready(line)) return false;
  do_next(line);
  return true;
}

/// Returns the closed gate that blocks the point; null if there is none.
Gate* Machine::gate_before(const Point& point, int depth) const {
  constexpr int kDeepest = 10'000;
  if (is_reached(point) || point.line->waiting.empty() || depth > kDeepest) return nullptr;
  const Operation& next = point.line->waiting.front();
  for (const Point& before : next.after) {
    if (!is_reached(before)) return gate_before(before, depth + 1);
  }
  return next.gate != nullptr && !next.gate->is_open ? next.gate.get() : nullptr;
}

/// Executes one operation during a host wait; returns false if there is none.
bool Machine::work_while_host_waits(const Point& point) {
  if (schedule_.is_directed()) return work_towards(point);
  const std::vector<LinePtr> lines = ready();
  if (lines.empty()) return false;
  schedule_.begin(Moment::kWait);
  do_next(*lines[static_cast<std::size_t>(schedule_.choose(lines))]);
  return true;
}

bool Machine::wait(std::unique_lock<std::mutex>& lock, const std::vector<Point>& points) {
  for (const Point& point : points) {
    while (!is_reached(point) && lost(point.line->device) == 0) {
      if (work_while_host_waits(point)) continue;
      Gate* gate = gate_before(point, 0);
      if (gate == nullptr) return false;
      const auto limit = std::chrono::milliseconds(gate->timeout_ms);
      const bool went_on = changed_.wait_for(lock, limit, [&] { return gate->is_open; });
      if (!went_on) {
        gate->has_expired = true;
        open(*gate);
      }
    }
    learn(point.sync);
  }
  return true;
}

std::vector<Point> Machine::ends_of_device(int device) const {
  std::vector<Point> points;
  for (const LinePtr& line : lines_) {
    if (line->device == device) points.push_back(end_of(line));
  }
  return points;
}

void Machine::open(Gate& gate) {
  gate.is_open = true;
  gate.opened.open();
  changed_.notify_all();
  after_call(false);
}

void Machine::set_strategy(Strategy strategy, std::uint64_t seed) {
  schedule_.set(strategy, seed);
  after_call(false);
}

bool Machine::next_path() { return schedule_.next_path(); }

int Machine::step(const LinePtr& line, int count) {
  int done = 0;
  for (; done < count && is_ready(*line); ++done) do_next(*line);
  return done;
}

int Machine::pending() const {
  std::uint64_t count = 0;
  for (const LinePtr& line : lines_) count += line->submitted - line->done;
  return static_cast<int>(count);
}

void Machine::forget_streams() {
  std::erase_if(lines_, [](const LinePtr& line) { return line->kind != LineKind::kLegacy; });
  per_thread_.clear();
  numbers_ = 16 * lines_.size();  // the next stream is numbered as in a new process
}

void Machine::forget_work() {
  for (const LinePtr& line : lines_) {
    line->waiting.clear();
    line->done = line->submitted;
  }
  lost_.fill({.code = 0});
  schedule_.reset();
  changed_.notify_all();
}

}  // namespace assay::cuda::on_cpu
