// A walk over a record's text that copies it, so that parts can be taken out on the way.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "harness/protocol/json_scan.hpp"

namespace assay::report {

/// Throws MalformedMessage where the text is not what a record looks like.
class Thinning {
 public:
  explicit Thinning(std::string_view text) : scan(text) {}

  /// The value that comes next, as it is.
  void copy() { rest += scan.skipped(); }

  /// An object; `read(name)` deals with each value. A name twice is refused: readers differ on
  /// which one counts.
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

  /// A list; `read()` deals with each item.
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
  std::string rest;  ///< what was copied
};

}  // namespace assay::report
