// A pass over a record's text that copies it and can leave parts out.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "harness/protocol/json_scan.hpp"

namespace assay::report {

/// Throws MalformedMessage if the text does not look like a record.
class Thinning {
 public:
  explicit Thinning(std::string_view text) : scan(text) {}

  /// Copies the next value.
  void copy() { rest += scan.skipped(); }

  /// Reads an object; `read(name)` handles each value. Rejects duplicate names, which readers
  /// interpret differently.
  template <typename Read>
  void members(const Read& read) {
    std::set<std::string> seen;
    rest += '{';
    scan.object("an object", [&](std::string_view name) {
      const std::string own(name);
      if (own.find_first_of("\"\\") != std::string::npos || !seen.insert(own).second)
        JsonScanner::malformed("no plain name");
      if (seen.size() > 1) rest += ',';
      rest += '"' + own + "\":";
      read(own);
    });
    rest += '}';
  }

  /// Reads a list; `read()` handles each item.
  template <typename Read>
  void items(const Read& read) {
    std::string_view separator;
    rest += '[';
    scan.array("a list", [&] {
      rest += separator;
      separator = ",";
      read();
    });
    rest += ']';
  }

  JsonScanner scan;
  std::string rest;  ///< the copied text
};

}  // namespace assay::report
