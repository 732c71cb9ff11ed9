// Checks brackets and member names in one pass.
#include "harness/protocol/json_guard.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "harness/protocol/json.hpp"
#include "harness/protocol/json_scan.hpp"

namespace assay {
namespace {

/// An object or a list that is open.
struct Open {
  bool is_object = false;
  std::vector<std::string_view> names;  ///< as written, with quotes
};

/// The decoded names: differently escaped names may be equal.
std::vector<std::string> decoded(const std::vector<std::string_view>& names) {
  std::vector<std::string> meant;
  for (const std::string_view name : names) {
    meant.emplace_back(JsonScanner(name).text("a member's name"));
  }
  return meant;
}

template <typename Text>
void refuse_repeated(std::vector<Text>& names) {
  std::ranges::sort(names);
  const auto twice = std::ranges::adjacent_find(names);
  if (twice == names.end()) return;
  throw MalformedMessage("an object has the member " + std::string(*twice) + " twice");
}

void refuse_repeated_names(Open& object) {
  const bool has_escapes = std::ranges::any_of(object.names, [](std::string_view name) {
    return name.find('\\') != std::string_view::npos;
  });
  if (!has_escapes) return refuse_repeated(object.names);
  std::vector<std::string> meant = decoded(object.names);
  refuse_repeated(meant);
}

[[noreturn]] void refuse_so_many() {
  throw MalformedMessage("it has more than " + std::to_string(kMostJsonValues) + " values");
}

class Walk {
 public:
  explicit Walk(std::string_view text) : text_(text) {}

  void over_all() {
    while (at_ < text_.size()) {
      const char c = text_[at_++];
      if (c == '"') over_string();
      if (c == '{' || c == '[') open(c == '{');
      if (c == '}' || c == ']') close();
      if (c == ',') expects_name_ = depth_ > 0 && open_[depth_ - 1].is_object;
      if (c == ',' || c == '{' || c == '[') count();
    }
  }

 private:
  /// Each value follows a comma or an opening bracket.
  void count() {
    if (++values_ > kMostJsonValues) refuse_so_many();
  }

  void over_string() {
    const std::size_t begin = at_ - 1;
    while (at_ < text_.size() && text_[at_] != '"') at_ += text_[at_] == '\\' ? 2u : 1u;
    if (at_ >= text_.size()) return;
    ++at_;
    if (expects_name_) open_[depth_ - 1].names.push_back(text_.substr(begin, at_ - begin));
    expects_name_ = false;
  }

  void open(bool is_object) {
    if (depth_ == kDeepestJson) {
      throw MalformedMessage("it nests deeper than " + std::to_string(kDeepestJson) + " levels");
    }
    if (depth_ == open_.size()) open_.emplace_back();
    open_[depth_].is_object = is_object;
    open_[depth_].names.clear();
    ++depth_;
    expects_name_ = is_object;
  }

  void close() {
    expects_name_ = false;
    if (depth_ == 0) return;
    --depth_;
    if (open_[depth_].is_object) refuse_repeated_names(open_[depth_]);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t values_ = 0;
  std::vector<Open> open_;  ///< keeps the memory of closed levels
  std::size_t depth_ = 0;
  bool expects_name_ = false;
};

}  // namespace

void guard_json(std::string_view text) { Walk(text).over_all(); }

void guard_json_lines(std::string_view text) {
  const auto parts = std::ranges::count_if(text, [](char c) { return c == ',' || c == '\n'; });
  if (static_cast<std::size_t>(parts) > kMostJsonValues) refuse_so_many();
}

}  // namespace assay
