// The scale, cells and dots of a ladder.
#include "harness/page/sections/ladder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "harness/page/markup/svg.hpp"

namespace assay::page {
namespace {

using report::BenchMeasurement;

/// The powers of ten that enclose all numbers of a table.
struct Scale {
  double from = 0, to = 0;
};

void widen(Scale& scale, double value) {
  if (!(value > 0) || !std::isfinite(value)) return;
  const double below = std::pow(10, std::floor(std::log10(value)));
  scale.from = scale.from == 0 ? below : std::min(scale.from, below);
  scale.to = std::max(scale.to, below * 10);
}

const BenchMeasurement* with_number(const LadderRow& row, std::size_t subject) {
  const BenchMeasurement* measured = row.of_subject[subject];
  return measured != nullptr && measured->center ? measured : nullptr;
}

struct Place {
  const Bench& bench;
  const Ladder& ladder;
  Scale scale;
  std::vector<std::size_t> subjects;  ///< subjects with a number, without copies
};

Place place_of(const Bench& bench, const Ladder& ladder) {
  Place place{bench, ladder, {}, {}};
  const auto& subjects = bench.record->subjects;
  for (std::size_t i = 0; i < subjects.size(); ++i) {
    if (subjects[i].copy_of) continue;
    bool has_number = false;
    for (const LadderRow& row : ladder.rows) {
      const BenchMeasurement* measured = with_number(row, i);
      if (measured == nullptr) continue;
      has_number = true;
      widen(place.scale, *measured->center);
    }
    if (has_number) place.subjects.push_back(i);
  }
  return place;
}

Cell drawing_cell(const Place& place, const LadderRow& row) {
  Dots dots{{}, place.scale.from, place.scale.to};
  std::string words;
  for (const std::size_t i : place.subjects) {
    const BenchMeasurement* measured = with_number(row, i);
    if (measured == nullptr || *measured->center <= 0) continue;
    const double center = *measured->center;
    const double low = measured->interval ? measured->interval->low : center;
    const double high = measured->interval ? measured->interval->high : center;
    const std::string text =
        fmt::format("{} {} {}", measured->subject, number_text(*measured), place.ladder.unit);
    const std::string interval = interval_text(center, measured->interval);
    dots.dots.push_back({series_of(place.bench, measured->subject), center,
                         std::max(low, center / 1e3), high,
                         text + (interval.empty() ? "" : fmt::format(" ({})", interval))});
    words += (words.empty() ? "" : ", ") + text;
  }
  if (dots.dots.empty()) return {};
  return {dots_mark(dots, {row.name, words}), {}};
}

/// The interval, with a mark if the number is unreliable.
Markup small_print(const BenchMeasurement& measured) {
  const std::string text = interval_text(*measured.center, measured.interval);
  Markup content;
  if (!text.empty()) content += element("br", {}) + element("small", text);
  if (is_unsteady(measured)) {
    content += element("br", {}) +
               element("small", {{"class", "odd"}}, "! unsteady: " + reach_text(measured));
  }
  return content;
}

/// The reason for a missing number is shown once, in the table of missing numbers.
Cell ladder_cell(const Place& place, const BenchMeasurement* measured) {
  if (measured == nullptr) return {};
  if (measured->status == report::BenchStatus::kFailed) return {lacking(*measured), {}};
  if (!measured->center) return {element("span", {{"class", "quiet"}}, "–"), {}, true};
  const double center = *measured->center;
  return number(center,
                link_to(anchor_of_measurement(place.bench, *measured), number_text(*measured)) +
                    small_print(*measured));
}

std::string quantity_of(const LadderRow& row) {
  for (const BenchMeasurement* measured : row.of_subject) {
    if (measured != nullptr) return measured->quantity;
  }
  return "";
}

Table empty_table(const Place& place) {
  Table table{place.ladder.caption, {place.ladder.head}, {}, place.ladder.sorts};
  if (place.ladder.shows_quantity) table.columns.emplace_back("Quantity");
  for (const std::size_t i : place.subjects) {
    const report::BenchSubject& subject = place.bench.record->subjects[i];
    table.columns.push_back(series_symbol(series_of(place.bench, subject.id)) + " " +
                            breakable(title_of(subject)));
  }
  if (place.scale.to > 0 && !place.bench.is_brief)
    table.columns.push_back(axis_mark({place.scale.from, place.scale.to, place.ladder.unit}));
  return table;
}

}  // namespace

Markup to_markup(const Bench& bench, const Ladder& ladder) {
  if (ladder.rows.empty()) return {};
  const Place place = place_of(bench, ladder);
  Table table = empty_table(place);
  for (const LadderRow& row : ladder.rows) {
    TableRow line{{{row.head, {}}}, ""};
    if (ladder.shows_quantity) line.cells.push_back({Markup(quantity_of(row)), {}});
    for (const std::size_t i : place.subjects)
      line.cells.push_back(ladder_cell(place, row.of_subject[i]));
    if (place.scale.to > 0 && !bench.is_brief) line.cells.push_back(drawing_cell(place, row));
    table.rows.push_back(std::move(line));
  }
  table.drop_empty_columns();
  return to_markup(table);
}

}  // namespace assay::page
