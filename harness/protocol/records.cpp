// Reads lists of flat records from JSON.
#include "harness/protocol/records.hpp"

#include <nlohmann/json.hpp>

#include "harness/protocol/json.hpp"

namespace assay {
namespace {

using Json = nlohmann::json;

std::string string_of(const Json& json, const std::string& name) {
  if (!json.is_string()) throw MalformedMessage("'" + name + "' must be a string or strings");
  return json.get<std::string>();
}

std::vector<std::string> strings_of(const Json& json, const std::string& name) {
  if (!json.is_array()) return {string_of(json, name)};
  std::vector<std::string> strings;
  for (const Json& item : json) strings.push_back(string_of(item, name));
  return strings;
}

Record record_of(const Json& json) {
  if (!json.is_object()) throw MalformedMessage("a record must be an object");
  Record record;
  for (const auto& [name, item] : json.items()) record.emplace(name, strings_of(item, name));
  return record;
}

Json list_of(std::string_view text, std::string_view member) {
  Json document;
  try {
    document = Json::parse(text);
  } catch (const Json::exception& failure) {
    throw MalformedMessage(std::string("not JSON: ") + failure.what());
  }
  const std::string name(member);
  if (!document.is_object() || !document.contains(name) || !document[name].is_array()) {
    throw MalformedMessage("the document lacks the list '" + name + "'");
  }
  return document[name];
}

}  // namespace

std::vector<Record> records_from_json(std::string_view text, std::string_view member) {
  std::vector<Record> records;
  for (const Json& item : list_of(text, member)) records.push_back(record_of(item));
  return records;
}

std::vector<std::string> strings_from_json(std::string_view text, std::string_view member) {
  return strings_of(list_of(text, member), std::string(member));
}

std::string text_in(const Record& record, std::string_view name) {
  const auto texts = texts_in(record, name);
  return texts.empty() ? std::string() : texts.front();
}

std::vector<std::string> texts_in(const Record& record, std::string_view name) {
  const auto found = record.find(name);
  return found == record.end() ? std::vector<std::string>() : found->second;
}

}  // namespace assay
