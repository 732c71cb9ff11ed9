// Formats the progress of a run.
#include "harness/show/pace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "harness/text/neutral.hpp"
#include "harness/text/width.hpp"

namespace assay {
namespace {

using Seconds = std::chrono::duration<double>;

std::string bar(const Pace& pace, std::size_t width) {
  const std::size_t all = std::max<std::size_t>(pace.planned, 1);
  const std::size_t full = std::min(pace.done, all) * width / all;
  return "[" + std::string(full, '#') + std::string(width - full, '.') + "]";
}

std::string bad_in_words(const Pace& pace) {
  return pace.bad == 0 ? "" : fmt::format(", {} bad", pace.bad);
}

std::string current_in_words(const Pace& pace) {
  if (pace.commands == 0) return pace.current;
  return fmt::format("{} ({} commands answered)", pace.current, pace.commands);
}

}  // namespace

std::optional<Seconds> time_left(const Pace& pace) {
  constexpr std::size_t kFewest = 5;
  constexpr Seconds kShortest{2};
  const std::size_t ran = pace.done - std::min(pace.known, pace.done);
  if (ran < kFewest || pace.elapsed < kShortest || pace.done >= pace.planned) return std::nullopt;
  return pace.elapsed * (static_cast<double>(pace.planned - pace.done) / static_cast<double>(ran));
}

std::string in_words(Seconds time) {
  const auto seconds = static_cast<long>(std::lround(std::max(time.count(), 0.0)));
  if (seconds < 60) return fmt::format("{} s", seconds);
  if (seconds < 3600) return fmt::format("{} min {} s", seconds / 60, seconds % 60);
  return fmt::format("{} h {} min", seconds / 3600, seconds / 60 % 60);
}

std::string progress_line(const Pace& pace, std::size_t columns) {
  std::string line;
  if (columns >= 60) line = bar(pace, std::min<std::size_t>(columns / 5, 30)) + " ";
  line += fmt::format("{}/{}{}", pace.done, pace.planned, bad_in_words(pace));
  if (const auto left = time_left(pace)) line += fmt::format(", about {} left", in_words(*left));
  const std::size_t room = columns > 0 ? columns - 1 : 0;
  const std::size_t used = columns_of(line) + 2;
  if (used + 20 <= room) line += "  " + cut_to(current_in_words(pace), room - used);
  return cut_to(line, room);
}

std::string heartbeat_line(const Pace& pace) {
  std::string line = fmt::format("{} of {} cases done{} after {}", pace.done, pace.planned,
                                 bad_in_words(pace), in_words(pace.elapsed));
  if (const auto left = time_left(pace)) line += fmt::format(", about {} left", in_words(*left));
  if (!pace.current.empty()) line += "; at " + one_line(current_in_words(pace));
  return line;
}

}  // namespace assay
