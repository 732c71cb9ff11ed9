// Renders the subset of Markdown that clauses use.
#include "harness/page/data/clause_text.hpp"

#include <algorithm>
#include <cctype>
#include <optional>
#include <string>
#include <vector>

#include "harness/page/markup/parts.hpp"

namespace assay::page {
namespace {

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

/// Collects lines into blocks; the first line of a block determines its kind.
class Blocks {
 public:
  void add(std::string_view line) {
    if (line.starts_with("```")) {
      end_block();
      in_fence_ = !in_fence_;
    } else if (in_fence_ || line.starts_with("|")) {
      begin(Kind::kVerbatim);
      append(line, '\n');
    } else if (line.empty()) {
      end_block();
    } else if (line.starts_with("- ")) {
      end_block();
      begin(Kind::kItem);
      append(line.substr(2), ' ');
    } else {
      if (kind_ == Kind::kVerbatim) end_block();
      append(line, ' ');
    }
  }

  Markup take() {
    end_block();
    end_list();
    return made_;
  }

 private:
  enum class Kind { kParagraph, kItem, kVerbatim };

  void begin(Kind kind) {
    if (kind_ != kind) end_block();
    kind_ = kind;
  }

  void append(std::string_view line, char joint) {
    if (!block_.empty()) block_ += joint;
    block_ += line;
  }

  void end_block() {
    if (!block_.empty()) {
      if (kind_ != Kind::kItem) end_list();
      if (kind_ == Kind::kItem) items_ += element("li", inline_markdown(block_));
      if (kind_ == Kind::kParagraph) made_ += element("p", inline_markdown(block_));
      if (kind_ == Kind::kVerbatim) made_ += code_block(block_);
    }
    block_.clear();
    kind_ = Kind::kParagraph;
  }

  void end_list() {
    if (!items_.empty()) made_ += element("ul", items_);
    items_ = {};
  }

  Markup made_, items_;
  std::string block_;
  Kind kind_ = Kind::kParagraph;
  bool in_fence_ = false;
};

/// Text between two marks, with the positions of both.
struct Marked {
  std::string_view mark;
  std::size_t begin, end;
};

bool is_word(char c) { return c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0; }

/// A single star opens only before a word and not after one, and closes after one; `f*g` has none.
bool is_open_star(std::string_view text, std::size_t at) {
  const bool is_touched = at > 0 && (is_word(text[at - 1]) || text[at - 1] == '*');
  return !is_touched && at + 1 < text.size() && text[at + 1] != ' ' && text[at + 1] != '*';
}

/// Ignores stars inside code.
std::size_t end_of_star(std::string_view text, std::size_t from) {
  for (auto at = text.find_first_of("`*", from); at != std::string_view::npos;
       at = text.find_first_of("`*", at + 1)) {
    if (text[at] == '`') {
      const auto end = text.find('`', at + 1);
      if (end != std::string_view::npos) at = end;
      continue;
    }
    const bool touches = at + 1 < text.size() && (is_word(text[at + 1]) || text[at + 1] == '*');
    if (text[at - 1] != ' ' && !touches) return at;
  }
  return std::string_view::npos;
}

/// The first mark that has a closing mark.
std::optional<Marked> next_marked(std::string_view text) {
  for (auto at = text.find_first_of("`*"); at != std::string_view::npos;
       at = text.find_first_of("`*", at + 1)) {
    Marked marked{text.substr(at).starts_with("**") ? "**" : text.substr(at, 1), at, 0};
    const std::size_t from = at + marked.mark.size();
    if (marked.mark == "*") {
      marked.end = is_open_star(text, at) ? end_of_star(text, from + 1) : std::string_view::npos;
    } else {
      marked.end = text.find(marked.mark, from);
    }
    if (marked.end != std::string_view::npos) return marked;
    at = from - 1;
  }
  return std::nullopt;
}

}  // namespace

Markup inline_markdown(std::string_view text) {
  Markup made;
  while (const auto marked = next_marked(text)) {
    const std::string_view inner = text.substr(marked->begin + marked->mark.size(),
                                               marked->end - marked->begin - marked->mark.size());
    made += text.substr(0, marked->begin);
    if (marked->mark == "`") {
      made += code(inner);
    } else {
      made += element(marked->mark == "*" ? Name("em") : Name("strong"), inline_markdown(inner));
    }
    text.remove_prefix(marked->end + marked->mark.size());
  }
  return made += text;
}

Markup clause_body(const Clause& clause) {
  std::string_view text = clause.text;
  if (text.starts_with('#')) text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
  Blocks blocks;
  for (const std::string_view line : lines_of(text)) blocks.add(line);
  return element("div", {{"class", "clause"}}, blocks.take());
}

}  // namespace assay::page
