// How far a run has come, as a line of text.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>

namespace assay {

struct Pace {
  std::size_t planned = 0;
  std::size_t done = 0;   ///< with those of an earlier run that is resumed
  std::size_t known = 0;  ///< of those: from the earlier run
  std::size_t bad = 0;
  std::chrono::duration<double> elapsed{0};
  std::string current;  ///< the case that was begun last
};

/// At the pace so far; nothing before there is one.
std::optional<std::chrono::duration<double>> time_left(const Pace& pace);

/// `45 s`, `2 min 5 s`, `1 h 3 min`.
std::string in_words(std::chrono::duration<double> time);

/// For a terminal of so many columns: a bar, the counts, the time left, and the case where there is
/// room for it. Never wider than `columns` - 1, so that no terminal wraps it.
std::string progress_line(const Pace& pace, std::size_t columns);

/// For a log: the same in a sentence.
std::string heartbeat_line(const Pace& pace);

}  // namespace assay
