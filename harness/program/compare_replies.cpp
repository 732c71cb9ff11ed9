// Compares replies by the comparison marks of the schema.
#include "harness/program/compare_replies.hpp"

#include <algorithm>
#include <string_view>

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
           (label->find_first_of(" :") != std::string::npos || label->starts_with("autocast_"));
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

/// True if an item of `got` has no member of its partner in `wanted`, so that nothing of it was
/// compared.
bool has_empty_items(const Value& got, const Value& wanted) {
  const auto* mine = items_of(got);
  const auto* theirs = items_of(wanted);
  if (mine == nullptr || theirs == nullptr) return false;
  return !std::ranges::equal(*mine, *theirs, [](const Value& one, const Value& other) {
    const Dict* left = one.get_if<Dict>();
    const Dict* right = other.get_if<Dict>();
    if (left == nullptr || right == nullptr || right->items.empty()) return true;
    return !shared_with(*right, *left).items.empty();
  });
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

std::optional<Difference> compare_named(Comparison mark, const Value& got, const Value& wanted,
                                        const Freedom& freedom) {
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
      return compare(got, wanted, freedom.tolerance);
    case Comparison::kNanClass:
      break;
  }
  Tolerance tolerance = freedom.tolerance;
  tolerance.nan_by_class = true;
  return compare(got, wanted, tolerance);
}

std::string categories_in_words(const Reply& reply) {
  List categories;
  for (const Warning& warning : reply.warnings) categories.items.emplace_back(warning.category);
  return categories.items.empty() ? "no warnings" : in_words(Value(std::move(categories)));
}

/// The commands to which a block's `replies` belong, in order; empty if they are not a single list.
const Block& block_of(const Command& command) {
  return command.verb == "scope" || command.verb == "on" ? command.body : command.observe;
}

}  // namespace

void ProgramComparison::note_unanswered(const std::string& what) {
  if (std::ranges::find(unanswered_, what) == unanswered_.end()) unanswered_.push_back(what);
}

/// A list in which a subject may not see everything.
std::optional<Difference> ProgramComparison::compare_partly_seen(const std::string& field,
                                                                 const SeenField& seen) {
  const Value wanted = seen.got_is_blind ? as_seen_by(seen.got, seen.wanted) : seen.wanted;
  const Value got = seen.wanted_is_blind ? as_seen_by(wanted, seen.got) : seen.got;
  auto difference = compare_shared(got, wanted);
  if (difference) return difference;
  const bool lacks_some = has_empty_items(got, wanted) || !identical(wanted, seen.wanted);
  if (lacks_some && !freedom_.inside) note_unanswered(field);
  return std::nullopt;
}

/// See Freedom::inside.
bool is_inside(const Command& command, std::string_view field) {
  if (command.verb == "autocast.stats") return field == "locks";
  if (command.verb == "runtime.current_stream") return field == "id";
  return command.verb == "runtime.gate_state";  // it depends on time
}

std::optional<Difference> ProgramComparison::compare_field(const Command& command,
                                                           const std::string& name,
                                                           const Reply& got, const Reply& wanted) {
  const Value& theirs = *wanted.ok.find(name);
  const Value* mine = got.ok.find(name);
  if (freedom_.inside && is_inside(command, name)) return std::nullopt;
  const Comparison mark = comparison_of(command.verb, name).value_or(Comparison::kNanClass);
  const std::string field = command.verb + "." + name;
  if (mine == nullptr && is_blind(got, name)) {
    const bool is_compared = mark != Comparison::kOpaque && mark != Comparison::kTokens;
    if (is_compared) note_unanswered(field);
    return std::nullopt;
  }
  if (mine == nullptr) return Difference{"", in_words(theirs), "no such field", ""};
  const Value translated = names_.translated(*mine, theirs);
  if (mark != Comparison::kShared) return compare_named(mark, translated, theirs, freedom_);
  const auto is_partly_seen = [&](const Reply& reply) {
    return freedom_.inside || is_blind(reply, "own");
  };
  return compare_partly_seen(field,
                             {translated, theirs, is_partly_seen(got), is_partly_seen(wanted)});
}

std::optional<Difference> ProgramComparison::compare_fields(const Command& command,
                                                            const Reply& got, const Reply& wanted) {
  for (const auto& [name, value] : wanted.ok) {
    auto difference = compare_field(command, name, got, wanted);
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

std::optional<Difference> ProgramComparison::compare_counts(const Reply& got, const Reply& wanted) {
  for (const auto& [name, value] : wanted.counts) {
    const Value* mine = got.counts.find(name);
    if (mine == nullptr) note_unanswered("counts");
    if (mine == nullptr || identical(*mine, value)) continue;
    return Difference{"count of " + name, in_words(value), in_words(*mine), ""};
  }
  return std::nullopt;
}

std::optional<Difference> ProgramComparison::compare_blocks(const Command& command,
                                                            const Reply& got, const Reply& wanted) {
  const Block& block = block_of(command);
  const std::size_t common = std::min({block.size(), got.replies.size(), wanted.replies.size()});
  for (std::size_t i = 0; i < common; ++i) {
    auto difference = compare_one(block[i], got.replies[i], wanted.replies[i]);
    if (!difference) continue;
    difference->where = "command " + std::to_string(i + 1) + " of the block, " + difference->where;
    return difference;
  }
  if (got.replies.size() == wanted.replies.size()) return std::nullopt;
  return Difference{"number of replies", std::to_string(wanted.replies.size()),
                    std::to_string(got.replies.size()), ""};
}

std::optional<Difference> ProgramComparison::compare(const Command& command, const Reply& got,
                                                     const Reply& wanted) {
  unanswered_.clear();
  return compare_one(command, got, wanted);
}

std::optional<Difference> ProgramComparison::compare_one(const Command& command, const Reply& got,
                                                         const Reply& wanted) {
  const bool other_kind = wanted.status == Reply::Status::kError &&
                          !satisfies(got.error.kind, wanted.error.kind) &&
                          !satisfies(wanted.error.kind, got.error.kind);
  if (got.status != wanted.status || other_kind) {
    return Difference{"the answer", in_short(wanted), in_short(got), ""};
  }
  const std::optional<Value>& code = wanted.error.code;
  if (code && !got.error.code) note_unanswered("code");
  if (code && got.error.code && !identical(*code, *got.error.code)) {
    return Difference{"the error's code", to_json(*code), to_json(*got.error.code), ""};
  }
  names_.begin(command);
  if (auto difference = compare_fields(command, got, wanted)) return difference;
  if (auto difference = compare_blocks(command, got, wanted)) return difference;
  if (!std::ranges::equal(got.warnings, wanted.warnings, {}, &Warning::category,
                          &Warning::category)) {
    return Difference{"warnings", categories_in_words(wanted), categories_in_words(got), ""};
  }
  return compare_counts(got, wanted);
}

std::optional<Difference> compare_replies(const Command& command, const Reply& got,
                                          const Reply& wanted) {
  return ProgramComparison().compare(command, got, wanted);
}

}  // namespace assay
