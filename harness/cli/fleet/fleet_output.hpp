// The verdicts of a fleet as text, JSON and metrics.
#pragma once

#include <string>

#include "harness/fleet/judge.hpp"

namespace assay::cli {

/// A fleet with its verdicts and the program's last line.
struct JudgedFleet {
  const fleet::Fleet& fleet;
  const fleet::Judgement& judgement;
  const fleet::JudgeOptions& options;
  std::string line;
  int exit_code;

  bool is_synthetic() const;
};

/// `GPU-5f3a (node17 gpu 2)`, neutral for a line.
std::string name_of(const fleet::Gpu& gpu);

/// `5 odd ones out`
std::string tally(std::size_t count, fleet::Verdict verdict);

/// Each GPU that is not like the others, with its reasons; with `all`, also those that are.
std::string to_text(const JudgedFleet& judged, bool all);

/// `assay.fleet/1`, for programs.
std::string to_json(const JudgedFleet& judged);

/// OpenMetrics text with gauges only, which node_exporter's collector of text files reads, too.
std::string to_metrics(const JudgedFleet& judged);

/// A page: the odd GPUs with their reasons, and one strip of all. HTML without scripts and other
/// files, which can be printed.
std::string to_html(const JudgedFleet& judged);

}  // namespace assay::cli
