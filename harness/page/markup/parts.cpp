// Builds tables and marks.
#include "harness/page/markup/parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace assay::page {
namespace {

struct Mark {
  const char* symbol;
  const char* kind;
};

Mark mark_of(std::string_view outcome, bool spoils) {
  if (outcome == "pass") return {"✓", "good"};
  if (outcome == "waived") return {"◇", "waived"};
  if (outcome == "flaky") return {"≈", "odd"};
  if (outcome == "unsupported") return spoils ? Mark{"✗", "bad"} : Mark{"–", "quiet"};
  return {"✗", "bad"};
}

/// The script's sort key, unless the text serves as one.
bool needs_key(const Cell& cell, const Table& table) {
  return table.sorts && cell.key && cell.content.html() != fmt::format("{}", *cell.key);
}

Markup cell_markup(const Cell& cell, bool is_head, const Table& table) {
  std::vector<Attribute> attributes;
  if (is_head) attributes.push_back({"scope", "row"});
  if (cell.is_number) {
    // Both, because the class has no effect where style sheets are blocked.
    attributes.push_back({"class", "n"});
    attributes.push_back({"align", "right"});
  }
  if (needs_key(cell, table)) attributes.push_back({"data-key", fmt::format("{}", *cell.key)});
  return is_head ? element("th", attributes, cell.content)
                 : element("td", attributes, cell.content);
}

/// The heads of number columns are right-aligned too.
bool has_numbers(const Table& table, std::size_t column) {
  return std::ranges::any_of(table.rows,
                             [column](const TableRow& row) { return row.cells[column].is_number; });
}

Markup head_of(const Table& table) {
  Markup cells;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    std::vector<Attribute> attributes{{"scope", "col"}};
    if (has_numbers(table, i)) attributes.push_back({"class", "n"});
    cells += element("th", attributes, table.columns[i]);
  }
  return element("thead", element("tr", cells));
}

Markup row_markup(const TableRow& row, const Table& table) {
  Markup cells;
  for (std::size_t i = 0; i < row.cells.size(); ++i)
    cells += cell_markup(row.cells[i], i == 0, table);
  if (row.anchor.empty()) return element("tr", cells);
  return element("tr", {{"id", row.anchor}}, cells);
}

bool is_empty(const Table& table, std::size_t column) {
  return std::ranges::all_of(
      table.rows, [column](const TableRow& row) { return row.cells[column].content.empty(); });
}

/// Separates thousands; does not break.
constexpr std::string_view kThin = "\u202f";

std::string with_thousands(double value) {
  std::string text = fmt::format("{:.0f}", value);
  for (std::size_t from_end = 3; from_end < text.size() && text[text.size() - from_end - 1] != '-';
       from_end += 3 + kThin.size()) {
    text.insert(text.size() - from_end, kThin);
  }
  return text;
}

/// The length of the upper-case words at the beginning of the line, without a comma; 0 if none.
std::size_t size_of_verdict(std::string_view line) {
  const auto end =
      std::min(line.find_first_of("abcdefghijklmnopqrstuvwxyz0123456789"), line.size());
  const auto space = line.substr(0, end).rfind(' ');
  if (space == std::string_view::npos) return 0;
  return space > 0 && line[space - 1] == ',' ? space - 1 : space;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Removes the leading digits of `text` and returns them without leading zeros.
std::string_view taken_number(std::string_view& text) {
  const auto is_no_digit = [](char c) { return !is_digit(c); };
  const auto end = std::ranges::find_if(text, is_no_digit) - text.begin();
  std::string_view number = text.substr(0, static_cast<std::size_t>(end));
  text.remove_prefix(number.size());
  number.remove_prefix(std::min(number.find_first_not_of('0'), number.size()));
  return number;
}

/// Negative, zero or positive.
int compared_by_version(std::string_view left, std::string_view right) {
  while (!left.empty() && !right.empty()) {
    if (is_digit(left.front()) && is_digit(right.front())) {
      const std::string_view a = taken_number(left), b = taken_number(right);
      if (a.size() != b.size()) return a.size() < b.size() ? -1 : 1;
      if (const int order = a.compare(b); order != 0) return order;
    } else {
      if (left.front() != right.front()) return left.front() < right.front() ? -1 : 1;
      left.remove_prefix(1);
      right.remove_prefix(1);
    }
  }
  return static_cast<int>(!left.empty()) - static_cast<int>(!right.empty());
}

}  // namespace

bool ByVersion::operator()(std::string_view left, std::string_view right) const {
  const int order = compared_by_version(left, right);
  // `2.4` and `2.04` are different texts.
  return order != 0 ? order < 0 : left < right;
}

Cell number(double value, const Markup& content) { return {content, value, true}; }

Cell number(std::size_t value) { return {std::to_string(value), std::nullopt, true}; }

Cell count_or_blank(std::size_t value, const Markup& content) {
  return {value == 0 ? Markup() : content, static_cast<double>(value), true};
}

void Table::drop_empty_columns() {
  for (std::size_t column = columns.size(); column-- > 0;) {
    if (!is_empty(*this, column)) continue;
    const auto offset = static_cast<std::ptrdiff_t>(column);
    columns.erase(columns.begin() + offset);
    for (TableRow& row : rows) row.cells.erase(row.cells.begin() + offset);
  }
}

Markup to_markup(const Table& table) {
  Markup rows;
  for (const TableRow& row : table.rows) rows += row_markup(row, table);
  const Markup content =
      element("caption", element("span", table.caption)) + head_of(table) + element("tbody", rows);
  std::vector<Attribute> attributes{{"border", "1"}, {"cellpadding", "5"}};
  if (table.sorts && table.rows.size() > 1) attributes.push_back({"class", "sorts"});
  return element(
      "div",
      {{"class", "scroll"}, {"role", "region"}, {"tabindex", "0"}, {"aria-label", table.caption}},
      element("table", attributes, content));
}

Markup to_markup(Table table, std::size_t most, std::string_view noun) {
  if (table.rows.size() <= most) return to_markup(table);
  const std::size_t left_out = table.rows.size() - most;
  Markup anchors;
  for (std::size_t i = most; i < table.rows.size(); ++i) {
    if (!table.rows[i].anchor.empty())
      anchors += element("span", {{"id", table.rows[i].anchor}}, Markup());
  }
  table.rows.resize(most);
  return to_markup(table) +
         element("p", anchors + fmt::format("{} left out here; the records have all.",
                                            counted(left_out, fmt::format("more {}", noun))));
}

Markup to_markup_with_fold(Table table, std::size_t most, std::string_view noun) {
  if (table.rows.size() <= most) return to_markup(table);
  Table rest = table;
  table.rows.resize(most);
  rest.rows.erase(rest.rows.begin(), rest.rows.begin() + static_cast<std::ptrdiff_t>(most));
  rest.caption += ": the others";
  return to_markup(table) + foldable(fmt::format("{} more {}{}", rest.rows.size(), noun,
                                                 rest.rows.size() == 1 ? "" : "s"),
                                     to_markup(rest));
}

Markup outcome_mark(std::string_view outcome, bool spoils) {
  const Mark mark = mark_of(outcome, spoils);
  return element("span", {{"class", mark.kind}}, fmt::format("{} {}", mark.symbol, outcome));
}

Markup outcome_symbol(std::string_view outcome, bool spoils) {
  const Mark mark = mark_of(outcome, spoils);
  return element("span",
                 {{"class", mark.kind}, {"role", "img"}, {"aria-label", std::string(outcome)}},
                 mark.symbol);
}

Markup verdict_mark(std::string_view verdict, int exit_code) {
  const bool is_bad = exit_code == 1 || exit_code == 3;
  const char* kind = exit_code == 0 ? "good" : is_bad ? "bad" : "odd";
  const char* symbol = exit_code == 0 ? "✓" : is_bad ? "✗" : "!";
  return element("strong", {{"class", kind}}, fmt::format("{} {}", symbol, verdict));
}

Markup code(std::string_view text) { return element("code", Markup(text)); }

Markup code_block(std::string_view text) {
  return element("pre", {{"tabindex", "0"}}, element("code", Markup(text)));
}

Markup code_line(std::string_view text) { return element("div", {{"class", "block"}}, code(text)); }

std::string cut(std::string_view text, std::size_t most) {
  if (text.size() <= most) return std::string(text);
  std::size_t end = most;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
  return fmt::format("{} … ({} bytes in all)", text.substr(0, end), text.size());
}

Markup foldable(const Markup& summary, const Markup& content, std::string_view anchor, bool open) {
  std::vector<Attribute> attributes;
  if (!anchor.empty()) attributes.push_back({"id", std::string(anchor)});
  if (open) attributes.push_back({"open", ""});
  return element("details", attributes, element("summary", summary) + content);
}

std::string figure(double value) { return figure_like(value, value); }

std::string figure_like(double value, double like) {
  if (like == 0) return fmt::format("{:.4g}", value);
  const double size = std::fabs(like);
  if (size >= 999.95) return with_thousands(value);
  const int whole = std::max(static_cast<int>(std::floor(std::log10(size))), -3);
  return fmt::format("{:.{}f}", value, std::max(3 - whole, 0));
}

std::string count_text(double value) {
  return std::floor(value) == value ? with_thousands(value) : figure(value);
}

Markup breakable(std::string_view name) {
  constexpr std::size_t kLong = 12;
  Markup content;
  std::size_t begin = 0;
  for (std::size_t i = 0; i + 1 < name.size(); ++i) {
    const bool ends = name[i] == '/' || (name[i] == '_' && i - begin >= kLong) ||
                      (name[i] == '=' && i - begin >= kLong);
    if (!ends) continue;
    content += Markup(name.substr(begin, i + 1 - begin)) + element("wbr", {});
    begin = i + 1;
  }
  return content += name.substr(begin);
}

std::string some_of(const std::set<std::string>& names) {
  constexpr std::size_t kMost = 4;
  std::string text;
  std::size_t count = 0;
  for (const std::string& name : names) {
    if (++count <= kMost) text += (text.empty() ? "" : ", ") + name;
  }
  return names.size() > kMost ? fmt::format("{} and {} more", text, names.size() - kMost) : text;
}

Markup marked_line(std::string_view line, int exit_code) {
  const std::size_t size = size_of_verdict(line);
  return size == 0 ? Markup(line)
                   : verdict_mark(line.substr(0, size), exit_code) + line.substr(size);
}

Markup marked_verdict(std::string_view line, int exit_code) {
  const std::size_t size = size_of_verdict(line);
  return verdict_mark(size == 0 ? line : line.substr(0, size), exit_code);
}

std::string counted(std::size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

}  // namespace assay::page
