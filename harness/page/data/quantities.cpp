// Groups measurements by quantity and case, and selects representative ones.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "harness/page/data/cost.hpp"

namespace assay::page {
namespace {

using report::BenchMeasurement;

bool is_of_launches(std::string_view quantity) {
  constexpr std::array<std::string_view, 4> kAll{"host.launch_ns", "host.submit_ns",
                                                 "graph.node_ns", "e2e.sync_ns"};
  return std::ranges::find(kAll, quantity) != kAll.end();
}

double order_of(const CostRow& row) {
  for (const BenchMeasurement* measured : row.of_subject) {
    if (measured != nullptr && measured->center) return *measured->center;
  }
  return std::numeric_limits<double>::infinity();
}

/// True for a measurement with these axes; other axes are ignored.
bool is_of(const BenchMeasurement& measured, std::string_view name) {
  const std::string full = report::full_name(measured.case_name, measured.axes);
  return full.starts_with(name) && (full.size() == name.size() || full[name.size()] == '/');
}

}  // namespace

std::string title_of(const Quantity& quantity) {
  constexpr std::array<std::pair<std::string_view, const char*>, 5> kTitles{{
      {"host.loop_ns", "The loop alone"},
      {"host.dispatch_ns", "Calls through the dispatcher"},
      {"host.call_ns", "Calls that do their work"},
      {"device.exec_ns", "Work on the device"},
      {"instr.count", "Instructions of a call"},
  }};
  if (is_of_launches(quantity.measurements.front()->quantity))
    return "Launches, from the call to the end of the work";
  for (const auto& [name, title] : kTitles) {
    if (quantity.name == name) return title;
  }
  return quantity.name;
}

std::vector<Quantity> quantities_of(const Bench& bench) {
  std::vector<Quantity> quantities;
  for (const BenchMeasurement& measured : bench.record->measurements) {
    const bool launches = is_of_launches(measured.quantity);
    const auto is_it = [&](const Quantity& quantity) {
      const std::string& first = quantity.measurements.front()->quantity;
      return (first == measured.quantity || (launches && is_of_launches(first))) &&
             quantity.unit == measured.unit;
    };
    auto found = std::ranges::find_if(quantities, is_it);
    if (found == quantities.end()) {
      const bool higher = measured.better == "higher";
      found = quantities.insert(found, {measured.quantity, measured.unit, higher, {}});
    }
    if (found->name.find(measured.quantity) == std::string::npos)
      found->name += ", " + measured.quantity;
    found->measurements.push_back(&measured);
  }
  return quantities;
}

std::vector<CostRow> rows_of(const Bench& bench, const Quantity& quantity) {
  const auto& subjects = bench.record->subjects;
  std::vector<CostRow> rows;
  for (const BenchMeasurement* measured : quantity.measurements) {
    const std::string name = report::full_name(measured->case_name, measured->axes);
    const auto is_it = [&](const CostRow& row) {
      return row.name == name && row.quantity == measured->quantity;
    };
    auto row = std::ranges::find_if(rows, is_it);
    if (row == rows.end()) {
      row = rows.insert(row, {name, measured->quantity, {}});
      row->of_subject.resize(subjects.size(), nullptr);
    }
    const auto place = std::ranges::find(subjects, measured->subject, &report::BenchSubject::id);
    if (place == subjects.end()) continue;
    row->of_subject[static_cast<std::size_t>(place - subjects.begin())] = measured;
  }
  std::erase_if(rows, [](const CostRow& row) { return std::isinf(order_of(row)); });
  std::ranges::stable_sort(rows, {}, order_of);
  return rows;
}

const BenchMeasurement* first_of(const Bench& bench, std::string_view subject,
                                 std::string_view quantity, std::string_view name) {
  for (const BenchMeasurement& measured : bench.record->measurements) {
    if (measured.subject == subject && measured.quantity == quantity && measured.center &&
        is_of(measured, name))
      return &measured;
  }
  return nullptr;
}

}  // namespace assay::page
