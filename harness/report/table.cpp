// Writes tables as text and as JSON.
#include "harness/report/table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace assay::report {
namespace {

std::string text_of(const Cell& cell) {
  if (const auto* text = std::get_if<std::string>(&cell)) return *text;
  if (const auto* list = std::get_if<std::vector<std::string>>(&cell)) {
    return fmt::format("{}", fmt::join(*list, ","));
  }
  if (const auto* number = std::get_if<std::int64_t>(&cell)) return std::to_string(*number);
  return std::get<bool>(cell) ? "yes" : "";
}

std::vector<std::size_t> widths_of(const Table& table) {
  std::vector<std::size_t> widths;
  for (std::size_t column = 0; column < table.columns.size(); ++column) {
    std::size_t width = 0;
    for (const auto& row : table.rows) width = std::max(width, text_of(row[column]).size());
    widths.push_back(width);
  }
  return widths;
}

}  // namespace

std::string to_json(const Table& table) {
  auto list = nlohmann::ordered_json::array();
  for (const auto& row : table.rows) {
    nlohmann::ordered_json object;
    for (std::size_t i = 0; i < row.size(); ++i) {
      std::visit([&](const auto& value) { object[table.columns[i]] = value; }, row[i]);
    }
    list.push_back(std::move(object));
  }
  return list.dump(1) + "\n";
}

std::string to_text(const Table& table) {
  const std::vector<std::size_t> widths = widths_of(table);
  std::string text;
  for (const auto& row : table.rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      line += fmt::format("{:<{}}  ", text_of(row[i]), widths[i]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

}  // namespace assay::report
