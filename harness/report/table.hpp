// A list for people or for programs: the same rows as aligned text or as JSON.
#pragma once

#include <string>
#include <variant>
#include <vector>

namespace assay::report {

using Cell = std::variant<std::string, std::vector<std::string>, std::int64_t, bool>;

struct Table {
  std::vector<std::string> columns;
  std::vector<std::vector<Cell>> rows;
};

/// A list of objects, with the columns as keys.
std::string to_json(const Table& table);

/// Columns side by side, two spaces between; lists joined by commas.
std::string to_text(const Table& table);

}  // namespace assay::report
