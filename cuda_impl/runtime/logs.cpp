// One list a level, of the process.
#include "cuda_impl/runtime/logs.hpp"

#include <array>
#include <mutex>
#include <utility>

namespace assay::cuda {
namespace {

constexpr std::size_t kMostKept = 100'000;

struct Log {
  std::mutex mutex;
  std::vector<std::string> lines;
};

Log& log_of(LogLevel level) {
  static std::array<Log, 2> logs;
  return logs.at(static_cast<std::size_t>(level));
}

}  // namespace

void tell(LogLevel level, std::string text) {
  Log& log = log_of(level);
  const std::scoped_lock lock(log.mutex);
  if (log.lines.size() == kMostKept) log.lines.erase(log.lines.begin());
  log.lines.push_back(std::move(text));
}

std::vector<std::string> take_log(LogLevel level) {
  Log& log = log_of(level);
  const std::scoped_lock lock(log.mutex);
  return std::exchange(log.lines, {});
}

}  // namespace assay::cuda
