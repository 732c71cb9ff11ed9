// What sections are made of: tables, marks of outcomes, numbers, cuts.
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
  /// Beside the title in the list of sections: a count, or nothing.
  std::string count;
  Markup content;
};

struct Cell {
  Markup content;
  /// What the column is sorted by, where it is not the text.
  std::optional<double> key;
  /// To be aligned at the right.
  bool is_number = false;
};

Cell number(double value, const Markup& content);
Cell number(std::size_t value);
/// An empty cell where the count is zero.
Cell count_or_blank(std::size_t value, const Markup& content);

struct TableRow {
  /// The first is the row's head.
  std::vector<Cell> cells;
  std::string anchor;
};

struct Table {
  std::string caption;
  std::vector<Markup> columns;
  std::vector<TableRow> rows;
  /// Whether the script may sort it.
  bool sorts = true;

  /// Columns that are empty in all rows are left out.
  void drop_empty_columns();
};

/// In a frame of its own that scrolls sideways where the page is too narrow.
Markup to_markup(const Table& table);
/// At most so many rows, and a sentence on how many are left out; `noun` is what a row is about.
/// What has lost its row keeps its anchor, on that sentence.
Markup to_markup(Table table, std::size_t most, std::string_view noun);

/// The first rows, and the others under a fold: nobody reads hundreds.
Markup to_markup_with_fold(Table table, std::size_t most, std::string_view noun);

/// A symbol and a word, in the outcome's colour; never the colour alone.
Markup outcome_mark(std::string_view outcome, bool spoils);
/// The symbol alone, the word for those who hear it.
Markup outcome_symbol(std::string_view outcome, bool spoils);

/// Good, bad or in between, by the exit code that goes with it.
Markup verdict_mark(std::string_view verdict, int exit_code);

/// Text as it was written, in a fixed width.
Markup code(std::string_view text);
Markup code_block(std::string_view text);
/// A long line, which may be broken anywhere.
Markup code_line(std::string_view text);

/// At most so many bytes, at the end of a character; says how many there were.
std::string cut(std::string_view text, std::size_t most = 4000);

/// A part that opens when it is asked for.
Markup foldable(const Markup& summary, const Markup& content, std::string_view anchor = "",
                bool open = false);

/// With four significant digits, thousands apart: `1.399`, `431.2`, `12 345`.
std::string figure(double value);
/// With as many digits behind the point as `figure(like)` has.
std::string figure_like(double value, double like);

/// Whole numbers without a point, thousands apart: `12`, `13 075`; others as `figure` has them.
std::string count_text(double value);

/// A name of a case, whose line may end behind `/`, `=` and, in a long part, `_`; never elsewhere.
Markup breakable(std::string_view name);

/// Orders names with numbers in them as people do: `2.4` before `2.11`.
struct ByVersion {
  using is_transparent = void;
  bool operator()(std::string_view left, std::string_view right) const;
};

/// `1 case`, `2 cases`.
std::string counted(std::size_t count, std::string_view noun);
/// All of few names, or how many there are: `a, b` or `a, b, c and 27 more`.
std::string some_of(const std::set<std::string>& names);

/// The words in capitals that a verdict's line opens with, marked.
Markup marked_line(std::string_view line, int exit_code);
/// Those words alone.
Markup marked_verdict(std::string_view line, int exit_code);

}  // namespace assay::page
