// Bounds the nesting of a text before it is parsed.
#include "harness/suite/toml.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace assay {
namespace {

constexpr std::size_t kMostBytes = std::size_t{4} << 20;
constexpr std::size_t kMostParts = 16;     ///< of a key such as a.b.c
constexpr std::size_t kMostBrackets = 32;  ///< of lists and tables inside each other

[[noreturn]] void refuse(std::string_view name, const toml::source_position& at,
                         std::string_view why) {
  throw std::runtime_error(fmt::format("{}:{}:{}: {}", name, at.line, at.column, why));
}

/// One pass over the text that knows strings and comments, and counts dots and brackets outside
/// them. A number has a dot too, which does no harm.
class Guard {
 public:
  Guard(std::string_view text, std::string_view name) : text_(text), name_(name) {}

  void over_all() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '"' || c == '\'') {
        over_string(c);
        continue;
      }
      if (c == '#') at_ = std::min(text_.find('\n', at_), text_.size());
      if (at_ < text_.size()) count(text_[at_++]);
    }
  }

 private:
  void count(char c) {
    if (c == '\n') ++line_, begin_ = at_;
    if (std::string_view("\n=,[]{}").find(c) != std::string_view::npos) dots_ = 0;
    if (c == '[' || c == '{') ++brackets_;
    if ((c == ']' || c == '}') && brackets_ > 0) --brackets_;
    if (c == '.' && ++dots_ == kMostParts) {
      complain(fmt::format("a key has more than {} parts", kMostParts));
    }
    if (brackets_ > kMostBrackets) {
      complain(fmt::format("it nests deeper than {} levels", kMostBrackets));
    }
  }

  /// Skips a string of one line or of several; an open one is toml++'s to report.
  void over_string(char quote) {
    const std::string thrice(3, quote);
    const bool is_long = text_.substr(at_).starts_with(thrice);
    const std::string end = is_long ? thrice : std::string(1, quote);
    at_ += end.size();
    while (at_ < text_.size() && !text_.substr(at_).starts_with(end)) {
      if (text_[at_] == '\n' && !is_long) return;
      if (text_[at_] == '\n') ++line_, begin_ = at_ + 1;
      at_ += text_[at_] == '\\' && quote == '"' && at_ + 1 < text_.size() && text_[at_ + 1] != '\n'
                 ? 2u
                 : 1u;
    }
    at_ = std::min(at_ + end.size(), text_.size());
  }

  [[noreturn]] void complain(const std::string& why) const {
    toml::source_position here;
    here.line = line_;
    here.column = static_cast<toml::source_index>(at_ - begin_);
    refuse(name_, here, why);
  }

  std::string_view text_;
  std::string_view name_;
  std::size_t at_ = 0, begin_ = 0;
  toml::source_index line_ = 1;
  std::size_t dots_ = 0, brackets_ = 0;
};

}  // namespace

toml::table toml_from(std::string_view text, std::string_view name) {
  if (text.size() > kMostBytes) {
    throw std::runtime_error(fmt::format("{}: it has more than {} bytes", name, kMostBytes));
  }
  Guard(text, name).over_all();
  try {
    return toml::parse(text, name);
  } catch (const toml::parse_error& error) {
    refuse(name, error.source().begin, error.description());
  }
}

}  // namespace assay
