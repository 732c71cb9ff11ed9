// The runs of a report, grouped by subject, area, contract, case and failure.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "harness/page/data/sources.hpp"
#include "harness/page/markup/parts.hpp"
#include "harness/suite/clauses.hpp"

namespace assay::page {

/// The number of cases by outcome.
struct Tally {
  std::map<std::string, std::size_t, std::less<>> outcomes;
  std::size_t all = 0;
  std::size_t spoiled = 0;  ///< results that fail the run
  std::size_t excused = 0;  ///< announced as unsupported

  void add(const report::CaseRecord& test);
  std::size_t of(std::string_view outcome) const;
};

/// One subject of one record.
struct SubjectRun {
  const Source* source;
  const report::SubjectRecord* subject;
  std::size_t number;  ///< counted over all records
  std::string label;   ///< as typed; with the file name if ambiguous
  Tally tally;
  std::map<std::string, Tally> areas;
  std::map<std::string, Tally, ByVersion> contracts;
  std::map<std::pair<std::string, std::string>, Tally> by_both;  ///< by area and contract
};

std::vector<SubjectRun> subject_runs(const Report& report);

/// `amp` for `amp/update_scale/growth`.
std::string_view area_of(const report::CaseRecord& test);

/// One failure of one case, with all subjects and contracts where it occurred.
struct FailureGroup {
  struct Place {
    const SubjectRun* run;
    std::vector<std::string> contracts;
  };
  const report::CaseRecord* test;  ///< the first failure
  std::string anchor;
  std::vector<Place> places;  ///< one per subject
  /// Shown with all its texts. Other failures of one case share an anchor.
  bool is_card = false;

  Reach reach() const { return reach_or_training(test->reach); }
};

/// All failures that affect a verdict: those that a training meets first, otherwise in the order of
/// the records. The first are cards, as many as the page's size permits.
std::vector<FailureGroup> failures_of(const std::vector<SubjectRun>& runs);

/// A clause with failed cases.
struct BrokenClause {
  std::string id;
  std::set<std::string> subjects, cases;
  std::string anchor;  ///< the anchor of the first failure
};

/// In alphabetical order.
std::vector<BrokenClause> broken_clauses_of(const std::vector<FailureGroup>& failures);

/// A drawing of the tally, with alternative text.
Markup tally_bar(const Tally& tally);

/// Finds the first failure of a run, optionally within an area, a contract, or both.
class FirstFailures {
 public:
  FirstFailures() = default;
  /// Keeps views into the records and the anchors of the failures.
  explicit FirstFailures(const std::vector<FailureGroup>& failures);

  /// The anchor of the first failure; empty names match any. Empty if there is none.
  std::string anchor(const SubjectRun& run, std::string_view area = "",
                     std::string_view contract = "") const;

 private:
  using Key = std::tuple<std::size_t, std::string_view, std::string_view>;
  std::map<Key, std::string_view> anchors_;
};

std::string anchor_of_run(const SubjectRun& run);
std::string anchor_of_area(const std::string& area);
std::string anchor_of_case(std::string_view id);
std::string anchor_of_clause(std::string_view id);

}  // namespace assay::page
