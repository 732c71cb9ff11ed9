// Helpers for the clients of the area dispatch: optional arguments, lists of texts, dict members.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/suite/session.hpp"

namespace assay {

/// Absent arguments are not sent.
template <typename T>
void set_if(Fields& fields, std::string name, const std::optional<T>& value) {
  if (value) fields.set(std::move(name), *value);
}

List list_of(const std::vector<std::string>& texts);

/// Throws BadReply unless `value` is a list of texts.
std::vector<std::string> texts_of(const Value& value);
/// The same for values of any kind.
const std::vector<Value>& items_of(const Value& value);

/// True if the dict `value` has a member `name`.
bool has_member(const Value& value, std::string_view name);
/// The member `name` of the dict `value`; throws BadReply if it is missing or not a T.
template <typename T>
const T& member_as(const Value& value, std::string_view name) {
  const Dict* dict = value.get_if<Dict>();
  if (dict == nullptr) throw BadReply("a dict was expected, not " + std::string(kind_of(value)));
  for (const std::pair<Value, Value>& item : dict->items) {
    const std::string* text = item.first.get_if<std::string>();
    if (text == nullptr || *text != name) continue;
    if (const T* held = item.second.get_if<T>()) return *held;
  }
  throw BadReply("a dict lacks a fitting '" + std::string(name) + "'");
}

}  // namespace assay
