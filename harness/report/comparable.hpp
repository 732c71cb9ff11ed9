// Which records can be compared: those of runs that came to their end, on the same share of cases.
#pragma once

#include <string>
#include <vector>

#include "harness/report/record.hpp"

namespace assay::report {

/// A record and the file that it was read from.
struct NamedRun {
  std::string file;
  const RunRecord& run;
};

/// Did it come to another outcome than `unsupported`?
bool ran(const CaseRecord& test);

/// Did a case of it?
bool has_run(const SubjectRecord& subject);

/// Why the record tells only a part of its run, a sentence each with the file's name and what to
/// do: it was interrupted, cases were not begun, a subject was given up or never started, nothing
/// ran at all. Empty for one that is whole.
std::vector<std::string> lacks_of(const NamedRun& record);

/// Why the two do not hold the same share of a run; empty where they do.
std::string difference_of_shards(const NamedRun& before, const NamedRun& after);

}  // namespace assay::report
