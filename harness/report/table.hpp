// A table that can be written as aligned text or as JSON.
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

/// A list of objects, with the column names as keys.
std::string to_json(const Table& table);

/// Aligned columns separated by two spaces; lists are joined by commas.
std::string to_text(const Table& table);

}  // namespace assay::report
