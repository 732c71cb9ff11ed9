// Compares replies by the comparison marks of the schema.
#include "harness/program/compare_replies.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include "harness/protocol/json.hpp"
#include "harness/protocol/schema.hpp"

namespace assay {
namespace {

std::string_view word_of(Reply::Status status) {
  switch (status) {
    case Reply::Status::kOk:
      return "ok";
    case Reply::Status::kError:
      return "error";
    case Reply::Status::kUnsupported:
      return "unsupported";
    case Reply::Status::kInvalid:
      break;
  }
  return "invalid";
}

std::string in_short(const Reply& reply) {
  std::string text(word_of(reply.status));
  if (reply.status == Reply::Status::kError) {
    text += " " + std::string(name_of(reply.error.kind)) + ": " + reply.error.message;
  }
  return reply.reason.empty() ? text : text + ": " + reply.reason;
}

bool is_blind(const Reply& reply, std::string_view field) {
  return std::find(reply.blind.begin(), reply.blind.end(), field) != reply.blind.end();
}

const std::vector<Value>* items_of(const Value& value) {
  if (const auto* list = value.get_if<List>()) return &list->items;
  if (const auto* tuple = value.get_if<Tuple>()) return &tuple->items;
  return nullptr;
}

/// Sets are small: each item of one side must match an item of the other.
bool same_set(const Value& got, const Value& wanted) {
  const auto* mine = items_of(got);
  const auto* theirs = items_of(wanted);
  if (mine == nullptr || theirs == nullptr || mine->size() != theirs->size()) return false;
  std::vector<const Value*> left;
  for (const Value& item : *mine) left.push_back(&item);
  return std::all_of(theirs->begin(), theirs->end(), [&](const Value& item) {
    const auto partner = std::find_if(left.begin(), left.end(), [&](const Value* candidate) {
      return !compare(*candidate, item);
    });
    if (partner == left.end()) return false;
    left.erase(partner);
    return true;
  });
}

/// The members of `dict` that `other` has too, in the order of `other`.
Dict shared_with(const Dict& dict, const Dict& other) {
  Dict shared;
  for (const auto& [name, ignored] : other.items) {
    const auto found = std::ranges::find_if(
        dict.items, [&](const auto& item) { return identical(item.first, name); });
    if (found != dict.items.end()) shared.items.push_back(*found);
  }
  return shared;
}

/// Whether an item is a kernel of the runtime itself: clients do not use such labels.
bool is_own_kernel(const Value& item) {
  const Dict* dict = item.get_if<Dict>();
  if (dict == nullptr) return false;
  return std::ranges::any_of(dict->items, [](const auto& member) {
    const auto* label = member.second.template get_if<std::string>();
    return identical(member.first, "kernel") && label != nullptr &&
           label->find_first_of(" :") != std::string::npos;
  });
}

/// Compares dicts, ignoring members that only one side has.
std::optional<Difference> compare_item(const Value& got, const Value& wanted) {
  const Dict* left = got.get_if<Dict>();
  const Dict* right = wanted.get_if<Dict>();
  if (left == nullptr || right == nullptr) return compare(got, wanted);
  const Dict common = shared_with(*right, *left);
  return compare(shared_with(*left, common), common);
}

/// `list` without those of the runtime's own kernels that `blind` does not show.
Value as_seen_by(const Value& blind, const Value& list) {
  const auto* shown = items_of(blind);
  const auto* all = items_of(list);
  if (shown == nullptr || all == nullptr) return list;
  List kept;
  for (const Value& item : *all) {
    const std::size_t at = kept.items.size();
    const bool is_shown = at < shown->size() && !compare_item((*shown)[at], item);
    if (is_shown || !is_own_kernel(item)) kept.items.push_back(item);
  }
  return Value(std::move(kept));
}

/// Compares lists of dicts.
std::optional<Difference> compare_shared(const Value& got, const Value& wanted) {
  const auto* mine = items_of(got);
  const auto* theirs = items_of(wanted);
  if (mine == nullptr || theirs == nullptr || mine->size() != theirs->size()) {
    return Difference{"", in_words(wanted), in_words(got), ""};
  }
  for (std::size_t i = 0; i < mine->size(); ++i) {
    auto difference = compare_item((*mine)[i], (*theirs)[i]);
    if (!difference) continue;
    difference->where = "item " + std::to_string(i) + ", " + difference->where;
    return difference;
  }
  return std::nullopt;
}

/// An object named inside a callback outlives it under a generated name: the name, a mark and a
/// number that each subject chooses (`product~19`, `product#13`). So does an argument, whose name
/// is the subject's own (`$0#5`, `lent#7`). If an object has several names, it is unspecified
/// which of them a reply uses.
bool is_same_local(const Value& got, const Value& wanted) {
  const auto stem = [](const Value& value) -> std::string {
    const Ref* ref = value.get_if<Ref>();
    const std::size_t mark = ref == nullptr ? std::string::npos : ref->name.find_first_of("~#");
    if (mark == std::string::npos) return {};
    const std::string name = ref->name.substr(0, mark);
    return name == "lent" || name.starts_with('$') ? "$" : name;
  };
  if (got.get_if<Ref>() == nullptr || wanted.get_if<Ref>() == nullptr) return false;
  if (stem(got).empty() || stem(wanted).empty()) return !(stem(got) + stem(wanted)).empty();
  return stem(got) == stem(wanted);
}

std::optional<Difference> compare_named(Comparison mark, const Value& got, const Value& wanted) {
  switch (mark) {
    case Comparison::kOpaque:
    case Comparison::kTokens:
      // Only cases know which tokens a message must contain.
      return std::nullopt;
    case Comparison::kSet:
      if (same_set(got, wanted)) return std::nullopt;
      return Difference{"", in_words(wanted), in_words(got), ""};
    case Comparison::kShared:
      return compare_shared(got, wanted);
    case Comparison::kExact:
      return compare(got, wanted, {.nan_by_class = false, .ulp = 0});
    case Comparison::kNanClass:
      break;
  }
  return compare(got, wanted);
}

/// `got` with the local names that `wanted` has for the same objects.
Value with_names_of(const Value& wanted, const Value& got) {
  if (is_same_local(got, wanted)) return wanted;
  const auto* mine = got.get_if<List>();
  const auto* theirs = wanted.get_if<List>();
  if (mine == nullptr || theirs == nullptr || mine->items.size() != theirs->items.size())
    return got;
  List named;
  for (std::size_t i = 0; i < mine->items.size(); ++i) {
    named.items.push_back(with_names_of(theirs->items[i], mine->items[i]));
  }
  return named;
}

std::optional<Difference> compare_field(Comparison mark, const Value& given, const Value& wanted) {
  const bool is_list = given.get_if<List>() != nullptr;
  if (is_list) return compare_named(mark, with_names_of(wanted, given), wanted);
  return is_same_local(given, wanted) ? std::nullopt : compare_named(mark, given, wanted);
}

std::optional<Difference> compare_fields(const Command& command, const Reply& got,
                                         const Reply& wanted) {
  for (const auto& [name, value] : wanted.ok) {
    const Value* mine = got.ok.find(name);
    if (mine == nullptr && is_blind(got, name)) continue;
    if (mine == nullptr) return Difference{name, in_words(value), "no such field", ""};
    const Comparison mark = comparison_of(command.verb, name).value_or(Comparison::kNanClass);
    auto difference = compare_field(mark, *mine, value);
    if (mark == Comparison::kShared && is_blind(got, "own")) {
      difference = compare_field(mark, *mine, as_seen_by(*mine, value));
    } else if (mark == Comparison::kShared && is_blind(wanted, "own")) {
      difference = compare_field(mark, as_seen_by(value, *mine), value);
    }
    if (!difference) continue;
    difference->where = difference->where.empty() ? name : name + ", " + difference->where;
    return difference;
  }
  for (const auto& [name, value] : got.ok) {
    if (wanted.ok.has(name) || is_blind(wanted, name)) continue;
    return Difference{name, "no such field", in_words(value), ""};
  }
  return std::nullopt;
}

std::string categories_of(const Reply& reply) {
  std::string text;
  for (const Warning& warning : reply.warnings) text += warning.category + " ";
  return text.empty() ? "no warnings" : text;
}

std::optional<Difference> compare_counts(const Reply& got, const Reply& wanted) {
  for (const auto& [name, value] : wanted.counts) {
    const Value* mine = got.counts.find(name);
    if (mine == nullptr || identical(*mine, value)) continue;
    return Difference{"count of " + name, in_words(value), in_words(*mine), ""};
  }
  return std::nullopt;
}

/// The commands to which a block's `replies` belong, in order; empty if they are not a single list.
const Block& block_of(const Command& command) {
  return command.verb == "scope" || command.verb == "on" ? command.body : command.observe;
}

std::optional<Difference> compare_blocks(const Command& command, const Reply& got,
                                         const Reply& wanted) {
  const Block& block = block_of(command);
  const std::size_t common = std::min({block.size(), got.replies.size(), wanted.replies.size()});
  for (std::size_t i = 0; i < common; ++i) {
    auto difference = compare_replies(block[i], got.replies[i], wanted.replies[i]);
    if (!difference) continue;
    difference->where = "command " + std::to_string(i + 1) + " of the block, " + difference->where;
    return difference;
  }
  if (got.replies.size() == wanted.replies.size()) return std::nullopt;
  return Difference{"number of replies", std::to_string(wanted.replies.size()),
                    std::to_string(got.replies.size()), ""};
}

}  // namespace

std::optional<Difference> compare_replies(const Command& command, const Reply& got,
                                          const Reply& wanted) {
  const bool other_kind = wanted.status == Reply::Status::kError &&
                          !satisfies(got.error.kind, wanted.error.kind) &&
                          !satisfies(wanted.error.kind, got.error.kind);
  if (got.status != wanted.status || other_kind) {
    return Difference{"the answer", in_short(wanted), in_short(got), ""};
  }
  if (auto difference = compare_fields(command, got, wanted)) return difference;
  if (auto difference = compare_blocks(command, got, wanted)) return difference;
  if (categories_of(got) != categories_of(wanted)) {
    return Difference{"warnings", categories_of(wanted), categories_of(got), ""};
  }
  return compare_counts(got, wanted);
}

}  // namespace assay
