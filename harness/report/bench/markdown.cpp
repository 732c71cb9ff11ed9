// Writes bench records as Markdown, for the summary page of a CI step.
#include <fmt/format.h>

#include "harness/report/bench/record.hpp"
#include "harness/text/neutral.hpp"

namespace assay::report {
namespace {

/// Four significant digits.
std::string number(double value) { return fmt::format("{:.4g}", value); }

std::string interval(const std::optional<BenchInterval>& of) {
  return of ? number(of->low) + " – " + number(of->high) : "";
}

/// The number with its interval, or the reason why there is none.
std::string value_cells(const BenchMeasurement& row) {
  if (!row.center) {
    const std::string reason = row.reason ? ": " + *row.reason : "";
    return fmt::format("{} | | | ", for_markdown(std::string(name_of(row.status)) + reason));
  }
  return fmt::format("{} {} | {} | {} | {}", number(*row.center), for_markdown(row.unit),
                     interval(row.interval), row.null_calls ? number(row.null_calls->center) : "",
                     row.processes.size());
}

std::string table(const BenchRecord& record) {
  std::string text =
      "| case | quantity | subject | median | 95 % interval | calls through a pointer | processes "
      "|\n|---|---|---|--:|--:|--:|--:|\n";
  for (const BenchMeasurement& row : record.measurements) {
    text += fmt::format("| {} | {} | {} | {} |\n", for_markdown(full_name(row.case_name, row.axes)),
                        for_markdown(row.quantity), for_markdown(row.subject), value_cells(row));
  }
  return text + "\n";
}

std::string qualified(const BenchRecord& record) {
  std::string text;
  if (record.meta.audited.value_or(false)) text += fmt::format("- {}\n", kAudited);
  for (const BenchWarning& warning : record.warnings)
    text += fmt::format("- warning: {}\n", for_markdown(warning.text));
  if (!record.noise_floor) {
    return text +
           "- noise floor: not measured (`assay bench --aa`); small differences mean nothing\n\n";
  }
  return text + fmt::format("- noise floor: identical programs differed by {:.1f} % ({} pairs)\n\n",
                            100 * record.noise_floor->relative, record.noise_floor->pairs.size());
}

}  // namespace

std::string to_markdown(const BenchRecord& record) {
  std::string text = fmt::format("# {}\n\n", for_markdown(record.meta.line));
  if (record.synthetic) text += "**Synthetic: no machine measured these numbers.**\n\n";
  text += table(record) + qualified(record);
  const BenchBuild& build = record.meta.build;
  return text + fmt::format("assay {} ({}{}, {}) on {}, {} cores; {} processes a subject; {}\n",
                            for_markdown(build.tool), for_markdown(build.revision),
                            build.dirty ? ", with changes" : "", for_markdown(build.build_type),
                            for_markdown(record.environment.machine), record.environment.cores,
                            record.meta.processes, for_markdown(record.meta.started));
}

}  // namespace assay::report
