// Process-wide logs, one for each level.
#include "cuda_impl/runtime/logs.hpp"

#include <array>
#include <atomic>
#include <mutex>
#include <utility>

namespace assay::cuda {
namespace {

constexpr std::size_t kMostKept = 100'000;

struct Log {
  std::mutex mutex;
  std::deque<std::string> lines;
};

Log& log_of(LogLevel level) {
  static std::array<Log, 2> logs;
  return logs.at(static_cast<std::size_t>(level));
}

std::atomic<bool>& traced() {
  static std::atomic<bool> is_on = false;
  return is_on;
}

}  // namespace

void write_log(LogLevel level, std::string text) {
  Log& log = log_of(level);
  const std::scoped_lock lock(log.mutex);
  if (log.lines.size() == kMostKept) log.lines.pop_front();
  log.lines.push_back(std::move(text));
}

std::deque<std::string> take_log(LogLevel level) {
  Log& log = log_of(level);
  const std::scoped_lock lock(log.mutex);
  return std::exchange(log.lines, {});
}

bool is_traced() { return traced().load(std::memory_order_relaxed); }
bool set_traced(bool is_on) { return traced().exchange(is_on); }

}  // namespace assay::cuda
