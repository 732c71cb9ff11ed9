// Logs of calls to backends and events, in order.
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

}  // namespace assay::cuda
