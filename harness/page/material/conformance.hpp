// The runs of a report, arranged for reading: by subject, area, contract, case and failure.
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

#include "harness/page/markup/parts.hpp"
#include "harness/page/material/sources.hpp"

namespace assay::page {

/// How many cases came out how.
struct Tally {
  std::map<std::string, std::size_t, std::less<>> outcomes;
  std::size_t all = 0;
  std::size_t spoiled = 0;  ///< spoil the verdict
  std::size_t excused = 0;  ///< unsupported, as was announced

  void add(const report::CaseRecord& test);
  std::size_t of(std::string_view outcome) const;
};

/// A subject of one record.
struct SubjectRun {
  const Source* source;
  const report::SubjectRecord* subject;
  std::size_t number;  ///< over all records
  std::string label;   ///< as typed; with the file's name where two have the same
  Tally tally;
  std::map<std::string, Tally> areas;
  std::map<std::string, Tally, ByVersion> contracts;
  std::map<std::pair<std::string, std::string>, Tally> by_both;  ///< area and contract
};

std::vector<SubjectRun> subject_runs(const Report& report);

/// `amp` of `amp/update_scale/growth`.
std::string_view area_of(const report::CaseRecord& test);

/// One way in which one case went wrong, on all subjects and under all contracts where it did so.
struct FailureGroup {
  struct Place {
    const SubjectRun* run;
    std::vector<std::string> contracts;
  };
  const report::CaseRecord* test;  ///< the first
  std::string anchor;
  std::vector<Place> places;  ///< one a subject
  /// Shown with all its texts. Of the others, those of one case share an anchor.
  bool is_card = false;
};

/// Of all that spoil a verdict; in the order of the records. The first are cards, as many as a page
/// that is to be mailed has room for.
std::vector<FailureGroup> failures_of(const std::vector<SubjectRun>& runs);

/// A clause of cases that went wrong.
struct BrokenClause {
  std::string id;
  std::set<std::string> subjects, cases;
  std::string anchor;  ///< of the first failure
};

/// In the order of their names.
std::vector<BrokenClause> broken_clauses_of(const std::vector<FailureGroup>& failures);

/// One drawing for the tally, its words for who does not see it.
Markup tally_bar(const Tally& tally);

/// Where the first failure of a run is: of all of it, of an area, of a contract, or of both.
class FirstFailures {
 public:
  FirstFailures() = default;
  /// Keeps what it is given: views into the records and anchors of the failures.
  explicit FirstFailures(const std::vector<FailureGroup>& failures);

  /// Its anchor; empty names mean any. Empty where there is none.
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
