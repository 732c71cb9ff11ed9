// What a run was asked for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/run/guardian.hpp"
#include "harness/run/journal.hpp"
#include "harness/run/reporter.hpp"
#include "harness/subjects/connect.hpp"
#include "harness/suite/runner/attempts.hpp"
#include "harness/suite/runner/selection.hpp"

namespace assay {

struct RunOptions {
  std::vector<std::string> argv;
  /// As typed; none means what `parts_of` says.
  std::vector<std::string> subjects;
  /// `newest`, `all`, `none`, names and folders.
  std::vector<std::string> transcripts;
  Selection selection;
  /// Names of cases without an option before them; `filters_of` makes them part of the selection.
  std::vector<std::string> words;
  SubjectOptions subject;
  std::optional<std::uint64_t> seed;
  bool shuffled = false;
  ReportStyle style;
  std::string json, junit, markdown;
  std::vector<std::string> waiver_files;
  bool strict_waivers = false;
  std::vector<std::string> support_files;
  bool partial = false;
  std::string debug;
  Shard shard;
  int jobs = 1;
  Attempts attempts;
  bool fail_fast = false;
  JournalOptions journal;
  /// Texts that are neither shown nor recorded.
  std::vector<std::string> secrets;
  /// Report what the journal has, because this happened.
  std::optional<Loss> loss;
};

}  // namespace assay
