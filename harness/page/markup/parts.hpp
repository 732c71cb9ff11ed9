// Parts of sections: tables, outcome marks, numbers, truncated texts.
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "harness/page/markup/markup.hpp"

namespace assay::page {

struct Section {
  std::string anchor;
  std::string title;
  /// A count shown with the title in the list of sections; may be empty.
  std::string count;
  Markup content;
};

struct Cell {
  Markup content;
  /// The sort key of the cell, if it is not the text.
  std::optional<double> key;
  /// Right-aligned.
  bool is_number = false;
};

Cell number(double value, const Markup& content);
Cell number(std::size_t value);
/// An empty cell if the count is zero.
Cell count_or_blank(std::size_t value, const Markup& content);

struct TableRow {
  /// The first cell is the head of the row.
  std::vector<Cell> cells;
  std::string anchor;
};

struct Table {
  std::string caption;
  std::vector<Markup> columns;
  std::vector<TableRow> rows;
  /// Whether the script may sort the table.
  bool sorts = true;

  /// Removes columns that are empty in all rows.
  void drop_empty_columns();
};

/// In a frame that scrolls horizontally if the page is too narrow.
Markup to_markup(const Table& table);
/// Shows at most `most` rows, and a sentence with the number of rows left out; `noun` is what a row
/// describes. Anchors of rows that were left out move to that sentence.
Markup to_markup(Table table, std::size_t most, std::string_view noun);

/// Shows the first rows, and the others in a collapsed part.
Markup to_markup_with_fold(Table table, std::size_t most, std::string_view noun);

/// A symbol and a word in the outcome's colour, so that colour is never the only distinction.
Markup outcome_mark(std::string_view outcome, bool spoils);
/// The symbol alone, with the word for screen readers.
Markup outcome_symbol(std::string_view outcome, bool spoils);

/// Good, bad or in between, according to the exit code.
Markup verdict_mark(std::string_view verdict, int exit_code);

/// Preformatted text in a fixed-width font.
Markup code(std::string_view text);
Markup code_block(std::string_view text);
/// A long line, which may break anywhere.
Markup code_line(std::string_view text);

/// Truncates to at most `most` bytes, at a character boundary, and states the original length.
std::string cut(std::string_view text, std::size_t most = 4000);

/// A collapsed part.
Markup foldable(const Markup& summary, const Markup& content, std::string_view anchor = "",
                bool open = false);

/// Four significant digits, with separated thousands: `1.399`, `431.2`, `12 345`.
std::string figure(double value);
/// With as many decimals as `figure(like)` has.
std::string figure_like(double value, double like);

/// Integers without decimals, with separated thousands: `12`, `13 075`; others as by `figure`.
std::string count_text(double value);

/// The name of a case, which may break only after `/`, `=` and, in a long part, `_`.
Markup breakable(std::string_view name);

/// Orders names by the numbers in them: `2.4` before `2.11`.
struct ByVersion {
  using is_transparent = void;
  bool operator()(std::string_view left, std::string_view right) const;
};

/// `1 case`, `2 cases`.
std::string counted(std::size_t count, std::string_view noun);
/// All names if they are few, else some and a count: `a, b` or `a, b, c and 27 more`.
std::string some_of(const std::set<std::string>& names);

/// A verdict's line, with a mark on the upper-case words at its beginning.
Markup marked_line(std::string_view line, int exit_code);
/// Only these words.
Markup marked_verdict(std::string_view line, int exit_code);

}  // namespace assay::page
