// Stores the logs of backend calls and traces.
#include "reference/runtime/logs.hpp"

#include <mutex>
#include <utility>

namespace assay::reference {
namespace {

/// Bounds the memory of a session that never reads its logs.
constexpr std::size_t kMostLines = 100000;

class CallLog {
 public:
  void add(std::string text) {
    const std::scoped_lock lock(mutex_);
    if (lines_.size() < kMostLines) lines_.push_back(std::move(text));
  }
  std::vector<std::string> take() {
    const std::scoped_lock lock(mutex_);
    return std::exchange(lines_, {});
  }

 private:
  std::mutex mutex_;
  std::vector<std::string> lines_;
};

struct BackendLog : CallLog {};
struct TraceLog : CallLog {};

}  // namespace

void log_backend_call(Runtime& runtime, std::string text) {
  runtime.shared<BackendLog>().add(std::move(text));
}
void log_trace(Runtime& runtime, std::string text) {
  runtime.shared<TraceLog>().add(std::move(text));
}
std::vector<std::string> take_backend_log(Runtime& runtime) {
  return runtime.shared<BackendLog>().take();
}
std::vector<std::string> take_trace_log(Runtime& runtime) {
  return runtime.shared<TraceLog>().take();
}

}  // namespace assay::reference
