// Pairs generated names.
#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "harness/program/compare_replies.hpp"

namespace assay {
namespace {

constexpr std::string_view kMarks = "~#";
constexpr std::string_view kArgument = "$";

bool is_marked(std::string_view name) { return name.find_first_of(kMarks) != name.npos; }

/// A generated name without its number: `product~19.scale` is of the stem `product` and ends with
/// `.scale`. Subjects have different stems for arguments.
struct Parts {
  std::string stem, ending;
  bool operator==(const Parts&) const = default;
};

Parts parts_of(std::string_view name) {
  const std::size_t mark = name.find_first_of(kMarks);
  const std::size_t end = std::min(name.find('.', mark), name.size());
  std::string stem(name.substr(0, mark));
  if (stem == "lent" || stem.starts_with(kArgument)) stem = kArgument;
  return {std::move(stem), std::string(name.substr(end))};
}

/// The names that a block binds, at any depth.
void collect(const Block& block, std::set<std::string>& names) {
  for (const Command& command : block) {
    if (!command.as.empty()) names.insert(command.as);
    for (const Block* inner : {&command.enter, &command.body, &command.observe}) {
      collect(*inner, names);
    }
    for (const auto& [thread, inner] : command.threads) collect(inner, names);
  }
}

bool is_paired(const std::map<std::string, std::string>& pairs, const std::string& name,
               const std::string& partner) {
  const auto found = pairs.find(name);
  return found != pairs.end() && found->second == partner;
}

}  // namespace

void SameNames::note_blocks(const Command& command) {
  if (command.verb == "callback") {
    stems_.emplace(kArgument);
    collect(command.body, stems_);
    return;
  }
  for (const auto& [thread, block] : command.threads) collect(block, stems_);
  if (!command.threads.empty()) collect(command.observe, stems_);
  for (const Block* block : {&command.enter, &command.body}) {
    for (const Command& inner : *block) note_blocks(inner);
  }
}

void SameNames::forget(const std::string& name) {
  std::erase_if(wanted_of_, [&](const auto& pair) { return pair.second == name; });
  std::erase_if(got_of_, [&](const auto& pair) { return pair.second == name; });
  wanted_of_.erase(name);
  got_of_.erase(name);
}

void SameNames::begin(const Command& command) {
  note_blocks(command);
  as_ = command.as;
  if (!as_.empty()) forget(as_);
}

bool SameNames::is_being_named(const std::string& name) const {
  return !as_.empty() && (name == as_ || name.starts_with(as_ + "."));
}

bool SameNames::is_generated(const std::string& name) const {
  return stems_.contains(parts_of(name).stem);
}

bool SameNames::may_match(const std::string& got, const std::string& wanted) const {
  const bool both = is_marked(got) && is_marked(wanted);
  if (both) return parts_of(got) == parts_of(wanted) && is_generated(got);
  // An object that gets a second name: it is unspecified which of them a reply uses.
  if (is_marked(got)) return is_generated(got) && is_being_named(wanted);
  return is_marked(wanted) && is_generated(wanted) && is_being_named(got);
}

bool SameNames::match(const std::string& got, const std::string& wanted) {
  if (got == wanted && !is_marked(got)) return true;
  if (is_paired(wanted_of_, got, wanted)) return true;
  if (wanted_of_.contains(got) || got_of_.contains(wanted) || !may_match(got, wanted)) return false;
  wanted_of_.emplace(got, wanted);
  got_of_.emplace(wanted, got);
  return true;
}

Value SameNames::translated(const Value& got, const Value& wanted) {
  const auto* mine = got.get_if<Ref>();
  const auto* theirs = wanted.get_if<Ref>();
  if (mine != nullptr && theirs != nullptr) return match(mine->name, theirs->name) ? wanted : got;
  const auto items = [&](const std::vector<Value>& held, const std::vector<Value>& others) {
    std::vector<Value> made = held;
    for (std::size_t i = 0; i < std::min(held.size(), others.size()); ++i) {
      made[i] = translated(held[i], others[i]);
    }
    return made;
  };
  if (got.is<List>() && wanted.is<List>()) {
    return List{items(got.get_if<List>()->items, wanted.get_if<List>()->items)};
  }
  if (got.is<Tuple>() && wanted.is<Tuple>()) {
    return Tuple{items(got.get_if<Tuple>()->items, wanted.get_if<Tuple>()->items)};
  }
  if (!got.is<Dict>() || !wanted.is<Dict>()) return got;
  Dict made = *got.get_if<Dict>();
  const Dict& other = *wanted.get_if<Dict>();
  for (std::size_t i = 0; i < std::min(made.items.size(), other.items.size()); ++i) {
    if (!identical(made.items[i].first, other.items[i].first)) continue;
    made.items[i].second = translated(made.items[i].second, other.items[i].second);
  }
  return made;
}

}  // namespace assay
