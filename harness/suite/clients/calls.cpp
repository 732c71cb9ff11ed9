// Implements the conversions that the typed calls of all areas share.
#include "harness/suite/clients/calls.hpp"

#include <algorithm>

namespace assay {

const Value* member_of(const Value& value, std::string_view name) {
  const Dict* dict = value.get_if<Dict>();
  if (dict == nullptr) throw BadReply("a dict was expected, not " + std::string(kind_of(value)));
  const auto found = std::find_if(dict->items.begin(), dict->items.end(), [&](const auto& item) {
    const auto* text = item.first.template get_if<std::string>();
    return text != nullptr && *text == name;
  });
  return found == dict->items.end() ? nullptr : &found->second;
}

KeySet::KeySet(const std::vector<std::string>& keys) : value_(List{{keys.begin(), keys.end()}}) {}

}  // namespace assay
