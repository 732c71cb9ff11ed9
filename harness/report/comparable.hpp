// Which records are comparable: those of finished runs, of the same share of cases.
#pragma once

#include <string>
#include <vector>

#include "harness/report/record.hpp"

namespace assay::report {

/// A record with its file name.
struct NamedRun {
  std::string file;
  const RunRecord& run;
};

/// True if it has another outcome than `unsupported`.
bool ran(const CaseRecord& test);

/// True if one of its cases has.
bool has_run(const SubjectRecord& subject);

/// Why the record is incomplete, one sentence each with the file name and the remedy: it was
/// interrupted, cases were not started, a subject was given up or never started, or nothing
/// ran. Empty for a complete record.
std::vector<std::string> lacks_of(const NamedRun& record);

/// Why the two records do not cover the same share of a run; empty if they do.
std::string difference_of_shards(const NamedRun& before, const NamedRun& after);

}  // namespace assay::report
