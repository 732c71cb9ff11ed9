// Writes comparisons as CSV and JSON.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "harness/compare/render/render.hpp"
#include "harness/report/result_schema.hpp"
#include "harness/text/neutral.hpp"

namespace assay::compare {
namespace {

using Json = nlohmann::ordered_json;

template <typename T>
Json json_of(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json text_or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

Json json_of(const Column& column) {
  const report::BenchRecord& record = *column.record;
  return {{"label", column.label},
          {"file", column.file},
          {"key", text_or_null(column.key)},
          {"value", text_or_null(column.value)},
          {"started", record.meta.started},
          {"machine", record.environment.machine},
          {"revision", record.meta.build.revision},
          {"dirty", record.meta.build.dirty},
          {"build_type", record.meta.build.build_type},
          {"processes", record.meta.processes},
          {"quick", record.meta.quick},
          {"noise_floor", record.noise_floor ? Json(record.noise_floor->relative) : Json(nullptr)}};
}

Json json_of(const Number& number) {
  return {{"center", json_of(number.center)},
          {"processes", number.processes},
          {"reason", text_or_null(number.reason)}};
}

Json json_of(const Cell& cell, std::size_t column) {
  Json json = json_of(cell.number);
  json["column"] = column;
  json["verdict"] = name_of(cell.verdict);
  if (!cell.reason.empty()) json["reason"] = cell.reason;
  json["ratio"] = json_of(cell.ratio);
  json["low"] = json_of(cell.low);
  json["high"] = json_of(cell.high);
  json["by_round"] = cell.by_round;
  json["p"] = json_of(cell.p);
  json["adjusted_p"] = json_of(cell.adjusted_p);
  json["more_processes"] = json_of(cell.more);
  return json;
}

Json json_of(const Row& row) {
  Json cells = Json::array();
  for (std::size_t i = 0; i < row.cells.size(); ++i) cells.push_back(json_of(row.cells[i], i + 1));
  return {{"name", row.name},
          {"case", row.case_name},
          {"quantity", row.quantity},
          {"subject", text_or_null(row.subject)},
          {"unit", row.unit},
          {"better", row.higher_is_better ? "higher" : "lower"},
          {"exact", row.exact},
          {"scope", name_of(row.scope)},
          {"margin", row.margin},
          {"baseline", json_of(row.baseline)},
          {"candidates", std::move(cells)}};
}

Json json_of(const Summary& summary) {
  const auto& interval = summary.geomean.interval;
  return {{"column", summary.column},
          {"subject", text_or_null(summary.subject)},
          {"quantity", summary.quantity},
          {"scope", name_of(summary.scope)},
          {"geomean", summary.geomean.value},
          {"low", interval ? Json(interval->low) : Json(nullptr)},
          {"high", interval ? Json(interval->high) : Json(nullptr)},
          {"ratios", summary.geomean.ratios},
          {"cases", summary.geomean.clusters}};
}

Json json_of(const Outcome::Finding& finding) {
  return {{"kind", finding.kind}, {"fails", finding.fails}, {"text", finding.text}};
}

Json counts_of(const Comparison& comparison) {
  Json counts;
  for (std::size_t i = 0; i < kVerdicts; ++i) {
    const auto verdict = static_cast<Verdict>(i);
    counts[std::string(name_of(verdict))] = comparison.count(verdict);
  }
  return counts;
}

template <typename T>
Json list_of(const std::vector<T>& values) {
  Json list = Json::array();
  for (const T& value : values) list.push_back(json_of(value));
  return list;
}

template <typename T>
std::string in_csv(const std::optional<T>& value) {
  return value ? fmt::format("{}", *value) : "";
}

std::string csv_line(const Comparison& comparison, const Row& row, std::size_t i) {
  const Cell& cell = row.cells[i];
  const std::string& reason = cell.reason.empty() ? cell.number.reason : cell.reason;
  const std::vector<std::string> words{for_csv(row.subject),
                                       for_csv(row.quantity),
                                       for_csv(row.name),
                                       for_csv(row.unit),
                                       row.higher_is_better ? "higher" : "lower",
                                       for_csv(comparison.columns.front().label),
                                       for_csv(comparison.columns[i + 1].label),
                                       in_csv(row.baseline.center),
                                       in_csv(cell.number.center),
                                       in_csv(cell.ratio),
                                       in_csv(cell.low),
                                       in_csv(cell.high),
                                       in_csv(cell.p),
                                       in_csv(cell.adjusted_p),
                                       fmt::format("{}", row.margin),
                                       std::string(name_of(cell.verdict)),
                                       in_csv(cell.more),
                                       for_csv(reason)};
  return fmt::format("{}\n", fmt::join(words, ","));
}

}  // namespace

std::string to_csv(const Comparison& comparison) {
  std::string text =
      "subject,quantity,case,unit,better,baseline,candidate,baseline_value,candidate_value,ratio,"
      "low,high,p,adjusted_p,margin,verdict,more_processes,reason\n";
  for (const Row& row : comparison.rows) {
    for (std::size_t i = 0; i < row.cells.size(); ++i) text += csv_line(comparison, row, i);
  }
  return text;
}

std::string to_json(const Comparison& comparison, const Outcome& outcome) {
  Json json = {{"schema", "assay.compare/1"},
               {"synthetic", comparison.synthetic},
               {"argv", outcome.argv},
               {"gate", outcome.is_gate},
               {"exit", outcome.exit_code},
               {"line", outcome.line},
               {"alpha", comparison.alpha},
               {"margin", comparison.margin},
               {"tests", comparison.tests},
               {"noise_floor", json_of(comparison.noise_floor)},
               {"columns", list_of(comparison.columns)},
               {"notes", comparison.labels},
               {"counts", counts_of(comparison)},
               {"findings", list_of(outcome.findings)},
               {"rows", list_of(comparison.rows)},
               {"summaries", list_of(comparison.summaries)}};
  const std::string text =
      data_without_ci_commands(json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n");
  if (const auto complaints = report::complaints_about("compare-1.json", text);
      !complaints.empty()) {
    throw std::logic_error(
        fmt::format("the comparison breaks its schema: {}", fmt::join(complaints, "; ")));
  }
  return text;
}

}  // namespace assay::compare
