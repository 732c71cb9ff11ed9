// A history as text, JSON and CSV.
#pragma once

#include <optional>
#include <string>

#include "harness/archive/history.hpp"

namespace assay::cli {

/// Subject, quantity, case and axes; contract and machine if they matter.
std::string name_of(const archive::Trend& trend);

/// Of a series whose last runs lie apart from its level.
std::string about_end_of(const archive::Trend& trend);

/// A change with its reasons, in a line.
std::string sentence_of(const archive::Change& change, const archive::Trend& trend,
                        const archive::Since* since);
std::string sentence_of(const archive::VerdictChange& change, const archive::VerdictTrend& trend,
                        const archive::Since* since);

/// With `since`, what is newer is marked. `all`: also what has not changed.
/// A verdict that has no other before it is no change, and may be bad.
bool is_bad_from_the_first(const archive::VerdictTrend& trend, const archive::Since& since);

std::string to_text(const archive::History& history, const archive::Since* since, bool all);

std::string to_json(const archive::History& history, const archive::Since* since,
                    const std::string& line, int exit_code);

/// One line for each run and one column for each quantity, as Apache Otava imports it: `time`
/// (seconds since 1970), `commit`, and the medians. Imaginary numbers only if there are no others.
std::string to_csv(const archive::History& history);

}  // namespace assay::cli
