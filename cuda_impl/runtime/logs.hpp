// Logs for people who watch backends and events: what was asked, in order.
#pragma once

#include <cstdint>
#include <deque>
#include <string>

namespace assay::cuda {

enum class LogLevel : std::uint8_t { kBackend, kTrace };

/// The newest are kept, as many as somebody may still want to read.
void tell(LogLevel level, std::string text);
/// Those since the last time, oldest first.
std::deque<std::string> take_log(LogLevel level);

/// Off at first: a call about an event then costs one load more, and writes no line.
bool is_traced();
/// What it was before.
bool set_traced(bool is_traced);

/// Nothing is traced until its end.
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
