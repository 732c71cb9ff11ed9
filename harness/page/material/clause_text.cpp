// The little Markdown that clauses use.
#include "harness/page/material/clause_text.hpp"

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

/// Lines are gathered into blocks; what kind each is, its first line says.
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

}  // namespace

Markup inline_markdown(std::string_view text) {
  Markup made;
  while (!text.empty()) {
    const auto start = std::min(text.find('`'), text.find("**"));
    if (start == std::string_view::npos) break;
    const std::string_view mark = text[start] == '`' ? "`" : "**";
    const auto end = text.find(mark, start + mark.size());
    if (end == std::string_view::npos) break;
    const std::string_view inner = text.substr(start + mark.size(), end - start - mark.size());
    made += text.substr(0, start);
    made += mark == "`" ? code(inner) : element("strong", inline_markdown(inner));
    text.remove_prefix(end + mark.size());
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
