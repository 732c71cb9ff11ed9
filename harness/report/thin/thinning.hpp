// A pass over a record's text that copies it and can leave parts out, and the members of an object
// for readers without a tree.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include "harness/protocol/json_scan.hpp"

namespace assay::report {

/// The members of an object, each at most once, and no others.
template <std::size_t kSize>
class PlainMembers {
 public:
  explicit PlainMembers(const std::array<std::string_view, kSize>& names) : names_(names) {}

  /// The index of the name; the number of names if it is unknown or a duplicate.
  std::size_t take(std::string_view name) {
    const std::size_t place = place_of(name);
    if (place == kSize || has(place)) return kSize;
    seen_ |= 1U << place;
    return place;
  }

  bool has(std::string_view name) const { return has(place_of(name)); }
  bool has_first(std::size_t count) const {
    const std::uint32_t wanted = (1U << count) - 1;
    return (seen_ & wanted) == wanted;
  }

 private:
  std::size_t place_of(std::string_view name) const {
    return static_cast<std::size_t>(std::ranges::find(names_, name) - names_.begin());
  }
  bool has(std::size_t place) const { return (seen_ >> place & 1U) != 0; }

  const std::array<std::string_view, kSize>& names_;
  std::uint32_t seen_ = 0;
};

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
