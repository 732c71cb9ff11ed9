// Maps commands to functions, for subjects written in C++.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace assay {

/// `Call` is the subject's own type for a command in progress, which is passed to the functions.
template <typename Call>
class CommandTableOf {
 public:
  using Handler = void (*)(Call& call);

  /// `verb` is the full name, `core.to`, and must be a literal. No effect if `handler` is null.
  void add(std::string_view verb, Handler handler) {
    if (handler != nullptr) handlers_.emplace(verb, handler);
  }
  /// The subject then has none of its commands, and does not claim it.
  void remove_area(std::string_view area) {
    std::erase_if(handlers_, [&](const auto& row) { return area_of(row.first) == area; });
  }
  /// Null if no area has it.
  Handler find(std::string_view verb) const {
    const auto found = handlers_.find(verb);
    return found == handlers_.end() ? nullptr : found->second;
  }
  /// The reason why a command without a handler is unsupported.
  std::string missing(const std::string& verb) const {
    const std::string area(area_of(verb));
    if (area.empty()) return "no command " + verb;
    for (const std::string& known : areas()) {
      if (known == area) return "area " + area + " has no command " + verb;
    }
    return "no area " + area;
  }
  /// In alphabetical order.
  std::vector<std::string> areas() const {
    std::set<std::string> names;
    for (const auto& [verb, handler] : handlers_) {
      if (!area_of(verb).empty()) names.emplace(area_of(verb));
    }
    return {names.begin(), names.end()};
  }

 private:
  /// Empty for a command that belongs to no area.
  static std::string_view area_of(std::string_view verb) {
    const auto dot = verb.find('.');
    return dot == std::string_view::npos ? std::string_view() : verb.substr(0, dot);
  }

  std::unordered_map<std::string_view, Handler> handlers_;
};

}  // namespace assay
