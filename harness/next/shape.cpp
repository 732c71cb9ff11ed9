// Reads the shapes of commands from the schema.
#include "harness/next/shape.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "harness/protocol/embedded.hpp"

namespace assay {
namespace {

using Json = nlohmann::ordered_json;

std::string type_in_words(const Json& schema);

std::string any_in_words(const Json& choices) {
  std::vector<std::string> words;
  for (const Json& choice : choices) words.push_back(type_in_words(choice));
  return fmt::format("{}", fmt::join(words, " or "));
}

std::string type_in_words(const Json& schema) {
  if (const auto found = schema.find("$ref"); found != schema.end()) {
    const auto text = found->get<std::string>();
    return text.substr(text.rfind('/') + 1);
  }
  if (const auto found = schema.find("anyOf"); found != schema.end()) return any_in_words(*found);
  if (const auto found = schema.find("enum"); found != schema.end()) {
    std::vector<std::string> words;
    for (const Json& value : *found) words.push_back(value.dump());
    return fmt::format("{}", fmt::join(words, " or "));
  }
  if (const auto found = schema.find("items"); found != schema.end()) {
    return "list of " + type_in_words(*found);
  }
  return schema.value("type", "any");
}

std::vector<std::string> fields_of(const Json& object) {
  std::vector<std::string> fields;
  const Json required = object.value("required", Json::array());
  for (const auto& [name, schema] : object.at("properties").items()) {
    const bool is_required = std::ranges::find(required, Json(name)) != required.end();
    fields.push_back(fmt::format("{}{}: {}", name, is_required ? "" : "?", type_in_words(schema)));
  }
  return fields;
}

}  // namespace

CommandShape shape_of(std::string_view verb) {
  for (const EmbeddedFile& file : protocol_schema()) {
    const Json definitions = Json::parse(file.text).at("definitions");
    const auto command = definitions.find(std::string(verb));
    if (command == definitions.end() || !command->contains("with")) continue;
    return {fields_of(command->at("with")), fields_of(command->at("ok"))};
  }
  return {};
}

}  // namespace assay
