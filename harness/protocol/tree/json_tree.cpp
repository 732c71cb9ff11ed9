// Reads trees and reports errors in them.
#include "harness/protocol/tree/json_tree.hpp"

#include <charconv>

#include "harness/protocol/json.hpp"
#include "harness/protocol/json_guard.hpp"

namespace assay {
namespace {

/// `null`, `{"a":1}`, `"aaaaaaa…`: ASCII, truncated.
std::string shown(const JsonTree& json) {
  constexpr std::size_t kMost = 60;
  std::string text = json.dump(-1, ' ', true, JsonTree::error_handler_t::replace);
  if (text.size() > kMost) text.replace(kMost, std::string::npos, "...");
  return text;
}

/// `line 3, column 5`, or `column 5` for a text of one line.
std::string place_in(std::string_view text, std::size_t at) {
  const std::string_view before = text.substr(0, at);
  const std::size_t begin = before.rfind('\n') + 1;  // npos + 1 is 0
  const std::string column = "column " + std::to_string(at - begin + 1);
  if (text.substr(0, text.size() - 1).find('\n') == std::string_view::npos) return column;
  return "line " + std::to_string(1 + std::ranges::count(before, '\n')) + ", " + column;
}

/// `count` bytes were read, including the invalid one or the end.
std::string about_broken(std::string_view text, std::size_t count) {
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) {
    return "it is empty; expected JSON";
  }
  if (count > text.size()) return "it is not JSON: it ends too early";
  return "it is not JSON: " + place_in(text, count == 0 ? 0 : count - 1) + " does not fit";
}

}  // namespace

JsonTree tree_from_json(std::string_view text) {
  guard_json(text);
  try {
    return JsonTree::parse(text);
  } catch (const JsonTree::parse_error& error) {
    throw MalformedMessage(about_broken(text, error.byte));
  } catch (const JsonTree::exception&) {
    throw MalformedMessage("a number in it is larger than a double holds");
  }
}

const JsonTree& member_of(const JsonTree& json, const char* name) {
  if (!json.is_object()) throw MalformedMessage("expected an object, got " + shown(json));
  if (json.contains(name)) return json[name];
  throw MalformedMessage("'" + std::string(name) + "' is missing");
}

void require_schema(const JsonTree& json, std::string_view schema) {
  const JsonTree& told = member_of(json, "schema");
  if (told == schema) return;
  throw MalformedMessage("its schema is " + shown(told) + ", and not \"" + std::string(schema) +
                         '"');
}

const JsonTree& list_in(const JsonTree& json, const char* name) {
  const JsonTree& list = member_of(json, name);
  if (!list.is_array()) refuse_kind(list, name, "a list");
  return list;
}

std::vector<std::pair<std::string, std::string>> exchanges_in(const JsonTree& json) {
  std::vector<std::pair<std::string, std::string>> texts;
  for (const JsonTree& pair : list_in(json, "exchanges")) {
    if (!pair.is_array() || pair.size() != 2) {
      throw MalformedMessage("exchange " + std::to_string(texts.size() + 1) +
                             ": expected [command, reply], got " + shown(pair));
    }
    texts.emplace_back(pair[0].dump(), pair[1].dump());
  }
  return texts;
}

void refuse_kind(const JsonTree& json, std::string_view name, std::string_view kind) {
  throw MalformedMessage("'" + std::string(name) + "' must be " + std::string(kind) + ", and is " +
                         shown(json));
}

void read_large(const JsonTree& json, std::string_view name, std::uint64_t& into) {
  if (!json.is_string()) return read_json(json, name, into);
  const auto& text = json.get_ref<const std::string&>();
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, into);
  if (error != std::errc() || rest != end) refuse_kind(json, name, "a whole number");
}

}  // namespace assay
