// The progress of a run as a line of text.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>

namespace assay {

struct Pace {
  std::size_t planned = 0;
  std::size_t done = 0;   ///< including those of a resumed run
  std::size_t known = 0;  ///< the number of these from the resumed run
  std::size_t bad = 0;
  std::chrono::duration<double> elapsed{0};
  std::string current;       ///< the case started last
  std::size_t commands = 0;  ///< that it has had answered, if it has many
};

/// Estimated from the progress so far; nothing before there is any.
std::optional<std::chrono::duration<double>> time_left(const Pace& pace);

/// `45 s`, `2 min 5 s`, `1 h 3 min`.
std::string in_words(std::chrono::duration<double> time);

/// For a terminal with `columns` columns: a bar, the counts, the remaining time, and the current
/// case if there is space. At most `columns` - 1 wide, so that no terminal wraps it.
std::string progress_line(const Pace& pace, std::size_t columns);

/// The same as a sentence, for a log.
std::string heartbeat_line(const Pace& pace);

}  // namespace assay
