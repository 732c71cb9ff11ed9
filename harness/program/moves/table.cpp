// Parses the generators in the areas' tables.
#include "harness/program/moves/table.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <stdexcept>

#include "harness/program/moves/values.hpp"
#include "harness/protocol/embedded.hpp"

namespace assay {

std::span<const EmbeddedFile> area_draws();

namespace {

constexpr std::array kShared = {
    DrawKind{"bool", [](Draft& draft) -> Value { return draft.random().one_in(2); }},
    DrawKind{"dtype", [](Draft& draft) -> Value { return random_dtype(draft.random()); }},
    DrawKind{"float_dtype",
             [](Draft& draft) -> Value { return random_float_dtype(draft.random()); }},
    DrawKind{"scalar", [](Draft& draft) { return random_scalar(draft.random()); }},
    DrawKind{"tensor", [](Draft& draft) -> Value { return some_tensor(draft); }},
};

/// The values of an argument: a kind, or one of several literals.
struct Argument {
  std::string name;
  Value (*draw)(Draft&) = nullptr;
  std::vector<Value> choices = {};
};

struct TableDraw {
  std::string_view verb;
  std::vector<Argument> arguments = {};
  std::string makes = {};  ///< the kind of its result; empty if it makes nothing
  bool needs_cuda = false;

  bool operator()(Draft& draft) const {
    if (needs_cuda && !draft.contract().cuda()) return false;
    Fields with;
    for (const auto& [name, draw, choices] : arguments) {
      with.set(name, draw != nullptr ? draw(draft) : draft.random().of(choices));
    }
    if (makes.empty()) {
      draft.add(std::string(verb), std::move(with));
    } else {
      draft.make(std::string(verb), std::move(with), {"", makes});
    }
    return true;
  }
};

/// Removes and returns the text before the separator, and removes the separator.
std::string_view take(std::string_view& text, std::string_view separator) {
  const std::size_t end = text.find(separator);
  const std::string_view taken = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + separator.size());
  return taken;
}

template <typename Number>
std::optional<Number> number_in(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

Value literal(std::string_view text) {
  if (text == "true" || text == "false") return text == "true";
  if (const auto whole = number_in<std::int64_t>(text)) return *whole;
  if (const auto real = number_in<double>(text)) return *real;
  const bool quoted = text.size() >= 2 && text.front() == '\'';
  return std::string(quoted ? text.substr(1, text.size() - 2) : text);
}

/// `cpu|cuda`, `1..3`, or the name of a kind.
Argument argument(std::string_view name, std::string_view text, std::span<const DrawKind> kinds) {
  Argument made{.name = std::string(name)};
  for (const auto& known : {std::span<const DrawKind>(kinds), std::span<const DrawKind>(kShared)}) {
    const auto found = std::ranges::find(known, text, &DrawKind::word);
    if (found == known.end()) continue;
    made.draw = found->draw;
    return made;
  }
  if (const std::size_t dots = text.find(".."); dots != std::string_view::npos) {
    const auto first = number_in<std::int64_t>(text.substr(0, dots));
    const auto last = number_in<std::int64_t>(text.substr(dots + 2));
    for (std::int64_t i = first.value(); i <= last.value(); ++i) made.choices.emplace_back(i);
    return made;
  }
  const bool is_word = text.find('|') == std::string_view::npos && text.front() != '\'' &&
                       literal(text).is<std::string>();
  if (is_word) throw std::logic_error("unknown kind '" + std::string(text) + "'");
  while (!text.empty()) made.choices.push_back(literal(take(text, "|")));
  return made;
}

/// Parses the text after the verb: `3 cuda guard device=some_device ->guard`.
Move move_of(std::string_view verb, std::string_view text, std::span<const DrawKind> kinds) {
  Move move{.verb = verb, .weight = number_in<int>(take(text, " ")).value()};
  TableDraw draw{.verb = verb};
  while (!text.empty()) {
    std::string_view word = take(text, " ");
    if (word == "cuda") {
      draw.needs_cuda = true;
    } else if (word == "guard") {
      move.guard = true;
    } else if (word.starts_with("->")) {
      draw.makes = word.substr(2);
    } else {
      const std::string_view name = take(word, "=");
      draw.arguments.push_back(argument(name, word, kinds));
    }
  }
  move.write = std::move(draw);
  return move;
}

}  // namespace

std::vector<Move> with_table(std::string_view area, std::span<const DrawKind> kinds,
                             std::span<const Move> moves) {
  std::vector<Move> all(moves.begin(), moves.end());
  std::string_view text = area_draws().front().text;
  while (!text.empty()) {
    std::string_view line = take(text, "\n");
    const std::string_view verb = take(line, " ");
    if (verb.substr(0, verb.find('.')) == area) all.push_back(move_of(verb, line, kinds));
  }
  return all;
}

}  // namespace assay
