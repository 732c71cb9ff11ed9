// Costs of several records in units of each machine: its simplest call or launch, its clock, its
// memory's roof.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "harness/compare/comparison.hpp"
#include "harness/compare/normalize.hpp"
#include "harness/page/sections/sections.hpp"

namespace assay::page {
namespace {

using compare::Comparison;
using report::BenchMeasurement;

constexpr std::size_t kMostRows = 300;

/// Converts one number to another unit; nothing if that is impossible.
using Unit = std::optional<double> (*)(const BenchMeasurement&, const report::BenchRecord&);

std::optional<double> in_calls(const BenchMeasurement& measured, const report::BenchRecord&) {
  if (!measured.null_calls) return std::nullopt;
  return measured.null_calls->center;
}

std::optional<double> of_roof(const BenchMeasurement& measured, const report::BenchRecord& record) {
  const auto share = report::share_of_roof(record, measured);
  return share ? std::optional(100 * *share) : std::nullopt;
}

std::optional<double> in_launches(const BenchMeasurement& measured,
                                  const report::BenchRecord& record) {
  return compare::center_in_null_launches(measured, record);
}

std::optional<double> in_cycles(const BenchMeasurement& measured, const report::BenchRecord&) {
  return compare::center_in_cycles(measured);
}

struct View {
  const char* title;
  const char* caption;
  Unit unit;
};

constexpr View kViews[] = {
    {"In calls through a pointer",
     "Time as a number of calls through a pointer on the same machine", in_calls},
    {"In launches", "Time as a number of launches of the smallest kernel on the same machine",
     in_launches},
    {"In cycles", "Time as a number of clock cycles of the same GPU", in_cycles},
    {"In shares of the roof", "Bandwidth as a share of the same memory's bandwidth, in %",
     of_roof}};

std::vector<const BenchMeasurement*> sources_of(const compare::Row& row) {
  std::vector<const BenchMeasurement*> sources{row.baseline.center ? row.baseline.source : nullptr};
  for (const compare::Cell& cell : row.cells)
    sources.push_back(cell.number.center ? cell.number.source : nullptr);
  return sources;
}

using Numbers = std::vector<std::optional<double>>;

/// The columns ordered by their numbers, ascending; columns within the margin of their neighbour
/// form a group.
std::vector<std::vector<std::size_t>> order_of(const Numbers& numbers, double margin) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (numbers[i]) places.push_back(i);
  }
  std::ranges::stable_sort(places, {}, [&](std::size_t i) { return *numbers[i]; });
  std::vector<std::vector<std::size_t>> order;
  for (std::size_t k = 0; k < places.size(); ++k) {
    const bool is_close = k > 0 && *numbers[places[k]] <= *numbers[places[k - 1]] * (1 + margin);
    if (!is_close) order.emplace_back();
    order.back().push_back(places[k]);
  }
  for (auto& close : order) std::ranges::sort(close);
  return order;
}

/// `A < B ≈ C`
std::string names_in(const Comparison& comparison,
                     const std::vector<std::vector<std::size_t>>& order) {
  std::string text;
  for (const auto& close : order) {
    for (const std::size_t place : close) {
      const char* between = place == close.front() ? " < " : " ≈ ";
      text += (text.empty() ? "" : between) + comparison.columns[place].label;
    }
  }
  return text;
}

/// A row of the view; nothing if fewer than two columns have a number in its unit.
std::optional<TableRow> row_of(const Comparison& comparison, const compare::Row& row,
                               const View& view) {
  Numbers plain, own;
  const auto sources = sources_of(row);
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const BenchMeasurement* source = sources[i];
    own.push_back(source == nullptr ? std::nullopt
                                    : view.unit(*source, *comparison.columns[i].record));
    plain.push_back(own.back() ? source->center : std::nullopt);
  }
  if (std::ranges::count_if(own, [](const auto& number) { return number.has_value(); }) < 2)
    return std::nullopt;
  TableRow line{{{breakable(row.name), {}}, {Markup(row.subject), {}}}, ""};
  for (const auto& number : own) {
    line.cells.push_back(number ? page::number(*number, figure(*number)) : Cell{});
  }
  auto before = order_of(plain, comparison.margin);
  if (view.unit == of_roof) std::ranges::reverse(before);  // shortest time, largest share
  const std::string was = names_in(comparison, before);
  const std::string is = names_in(comparison, order_of(own, comparison.margin));
  line.cells.push_back(was == is ? Cell{} : Cell{was + " becomes " + is, {}});
  return line;
}

Markup view_of(const Comparison& comparison, const View& view) {
  Table table{
      fmt::format("{}; medians alone; ≈ is within {:g} %", view.caption, 100 * comparison.margin),
      {"Case", "Subject"},
      {},
      true};
  for (const compare::Column& column : comparison.columns) table.columns.emplace_back(column.label);
  table.columns.emplace_back("The order of the times");
  std::size_t changes = 0;
  for (const compare::Row& row : comparison.rows) {
    if (row.exact) continue;
    auto line = row_of(comparison, row, view);
    if (!line) continue;
    if (!line->cells.back().content.empty()) ++changes;
    table.rows.push_back(std::move(*line));
  }
  if (table.rows.empty()) return {};
  const std::string summary = changes == 0 ? fmt::format(": the order changes in none of {}",
                                                         counted(table.rows.size(), "case"))
                                           : fmt::format(": the order changes in {} of {}", changes,
                                                         counted(table.rows.size(), "case"));
  table.drop_empty_columns();
  return foldable(element("b", view.title) + summary, to_markup(table, kMostRows, "case"));
}

}  // namespace

Markup normalised(const Comparison& comparison) {
  if (!comparison.columns.front().key.empty()) return {};  // all on one machine
  Markup content;
  for (const View& view : kViews) content += view_of(comparison, view);
  return content;
}

}  // namespace assay::page
