// The runs of a report, arranged for reading: by subject, area, contract, case and failure.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
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
std::string area_of(const report::CaseRecord& test);

/// One way in which one case of one subject went wrong, under all contracts where it did so.
struct FailureGroup {
  const SubjectRun* run;
  const report::CaseRecord* test;  ///< the first
  std::string anchor;
  std::vector<std::string> contracts;
};

/// Of all that spoil a verdict; in the order of the records.
std::vector<FailureGroup> failures_of(const std::vector<SubjectRun>& runs);

/// One drawing for the tally, its words for who does not see it.
Markup tally_bar(const Tally& tally);

/// The anchor of the first failure of the run in that area and under that contract; empty names
/// mean any. Empty where there is none.
std::string first_failure(const std::vector<FailureGroup>& failures, const SubjectRun& run,
                          std::string_view area, std::string_view contract);

std::string anchor_of_run(const SubjectRun& run);
std::string anchor_of_area(const std::string& area);
std::string anchor_of_case(std::string_view id);
std::string anchor_of_clause(std::string_view id);

}  // namespace assay::page
