// Cost records as JSON and as a table.
#include "harness/report/cost_record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "harness/report/fields.hpp"

namespace assay::report {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const stats::Median& median) {
  return {{"median", median.value}, {"low", median.low}, {"high", median.high}};
}

Json json_of(const CostRow& row) {
  Json json = {{"loop", row.loop}, {"subject", row.subject}};
  if (!row.lacking.empty()) json["lacking"] = row.lacking;
  if (!row.wrong.empty()) json["wrong"] = row.wrong;
  if (!row.is_timed()) return json;
  json["ns"] = json_of(row.median_ns());
  json["ratio"] = json_of(row.median_ratio());
  json["times"] = row.times;
  json["samples"] = row.ns;
  json["pointer"] = row.pointer;
  return json;
}

/// Three digits that mean something, whatever the size.
std::string number(double value) {
  if (value < 9.995) return fmt::format("{:.2f}", value);
  if (value < 99.95) return fmt::format("{:.1f}", value);
  return fmt::format("{:.0f}", value);
}

std::string figures(const CostRow& row) {
  if (!row.lacking.empty()) return "  - " + row.lacking;
  if (!row.wrong.empty()) return "  WRONG: " + row.wrong;
  const stats::Median ns = row.median_ns();
  const stats::Median ratio = row.median_ratio();
  return fmt::format("{:>9} {:>17} {:>9} {:>17}", number(ns.value),
                     number(ns.low) + " - " + number(ns.high), number(ratio.value),
                     number(ratio.low) + " - " + number(ratio.high));
}

}  // namespace

stats::Median CostRow::median_ratio() const {
  std::vector<double> ratios(ns.size());
  std::ranges::transform(ns, pointer, ratios.begin(), [](double mine, double of_pointer) {
    return mine / std::max(of_pointer, 1e-9);
  });
  return stats::median_of(std::move(ratios));
}

std::string to_json(const CostRecord& record) {
  Json json = {{"schema", "assay.cost/1"}, {"argv", record.argv}, {"started", record.started}};
  for_each_of_environment(record.environment, [&](const char* name, const auto& member) {
    json["environment"][name] = member;
  });
  json["rounds"] = record.rounds;
  json["batch_ms"] = record.batch_ms;
  json["subjects"] = Json::array();
  for (const CostSubject& subject : record.subjects) {
    json["subjects"].push_back({{"subject", subject.subject},
                                {"name", subject.name},
                                {"version", subject.version},
                                {"contract", subject.contract}});
  }
  json["rows"] = Json::array();
  for (const CostRow& row : record.rows) json["rows"].push_back(json_of(row));
  json["exit"] = record.exit;
  json["line"] = record.line;
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string to_text(const CostRecord& record) {
  std::string text = fmt::format("{:<17} {:<12} {:>9} {:>17} {:>9} {:>17}\n", "loop", "subject",
                                 "ns", "95 %", "calls", "95 %");
  std::string_view before;
  for (const CostRow& row : record.rows) {
    const std::string_view loop = row.loop == before ? "" : std::string_view(row.loop);
    text += fmt::format("{:<17} {:<12} {}\n", loop, row.subject, figures(row));
    before = row.loop;
  }
  return text;
}

}  // namespace assay::report
