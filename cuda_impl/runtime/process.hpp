// What the runtime keeps for the whole process: logs of calls to backends and events, in order; the
// sync debug mode, which reports calls that make the host wait (STR-024); the reason for which no
// CUDA device is available; and its reset.
#pragma once

#include <cstdint>
#include <deque>
#include <string>

namespace assay::cuda {

enum class LogLevel : std::uint8_t { kBackend, kTrace };

/// Appends a line. Only the newest lines are kept.
void write_log(LogLevel level, std::string text);
/// Removes and returns the lines since the last call, oldest first.
std::deque<std::string> take_log(LogLevel level);

/// Initially false. Event calls then pay one load and log nothing.
bool is_traced();
/// Returns the previous value.
bool set_traced(bool is_traced);

/// Disables tracing for the scope.
class Untraced {
 public:
  Untraced() : before_(set_traced(false)) {}
  ~Untraced() { set_traced(before_); }
  Untraced(const Untraced&) = delete;
  Untraced& operator=(const Untraced&) = delete;

 private:
  bool before_;
};

enum class SyncDebugMode : std::uint8_t { kDefault, kWarn, kError };

/// Process-wide.
void set_sync_debug_mode(SyncDebugMode mode);
/// Call before a host wait: warns or raises `error`, depending on the mode.
void before_host_waits();

/// GRD-028: PyTorch's message.
std::string why_no_device();

/// No other thread may use the runtime. `has_cuda`:
/// whether the process stands for a CUDA build.
void reset_runtime(bool has_cuda);

}  // namespace assay::cuda
