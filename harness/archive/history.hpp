// What changed over the records of an archive, when, and why: costs and verdicts.
//
// A run is one value of a series, whatever its number of processes: processes of one run share what
// disturbed it. The cause of a change is read off the records on both sides of it. It is `method`
// if the numbers were made in another way, `machine` if the place or its speed differs, `code` if
// only the commit does, and `noise` if nothing does that a record knows.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/archive/archive.hpp"
#include "harness/stats/change_points.hpp"

namespace assay::archive {

enum class Cause : std::uint8_t { kMethod, kMachine, kCode, kNoise };
std::string_view name_of(Cause cause);

struct Reason {
  Cause cause;
  std::string words;
};

/// A confirmed change, or one of an exact count.
struct Change {
  std::size_t index = 0;  ///< of the first run behind it
  double before = 0, after = 0;
  double ratio = 1;           ///< after / before; infinite if the count was 0
  std::optional<double> p{};  ///< none for counts
  bool worse = false;
  std::vector<Reason> reasons;  ///< never empty; the first is the cause

  Cause cause() const { return reasons.front().cause; }
};

/// One quantity, on one machine if several took turns.
struct Trend {
  SeriesName name;
  std::string machine;  ///< empty if it is not a part
  bool synthetic = false;
  std::vector<Point> points;
  std::vector<Change> changes;
  bool too_few = false;
  std::size_t apart_at_end = 0;  ///< the last runs that are apart, too few to be a change
  double noise = 0;              ///< of a run, relative
};

/// A run whose verdict, or set of failed cases, differs from the run before; or in which fewer of
/// as many cases pass.
struct VerdictChange {
  std::size_t index = 0;
  bool worse = false;
  bool flaky = false;  ///< the same commit had both
  std::vector<std::string> newly_red, no_longer_red;
  std::vector<Reason> reasons;

  Cause cause() const { return reasons.front().cause; }
};

struct VerdictTrend {
  std::string subject, contract;
  std::vector<Judged> points;
  std::vector<VerdictChange> changes;
};

struct HistoryOptions {
  double alpha = 0.01;  ///< the chance that a history without a change has any
  double margin = 0.02;
  std::size_t persistence = 3;
  /// Globs on names of quantities, `dispatch/*`, and their kind, `host.*`; empty: all.
  std::vector<std::string> filters;
  std::string subject;  ///< empty: all
  /// Oldest first, as `git rev-list --reverse` lists them; empty: the records' times count.
  std::vector<std::string> commits;
};

struct History {
  std::vector<Trend> trends;
  std::vector<VerdictTrend> verdicts;
  std::vector<Failed> failed;     ///< of series that had a number before, and none since
  std::size_t without_place = 0;  ///< runs of commits that are not in the list of commits
};

History history_of(Archive& archive, const HistoryOptions& options);

/// Tells whether runs are newer than a commit. Throws UsageError if neither the archive nor the
/// list of commits has it.
class Since {
 public:
  Since(const History& history, const HistoryOptions& options, const std::string& commit);

  bool is_newer(const Point& point) const;
  bool is_newer(const Judged& judged) const;
  bool is_newer(const Failed& failed) const;

 private:
  bool is_newer(const std::string& commit, const std::string& started) const;

  const HistoryOptions& options_;
  std::string commit_;
  std::optional<std::size_t> place_;
  std::string first_started_;  ///< of its runs: it may be measured again later
};

}  // namespace assay::archive
