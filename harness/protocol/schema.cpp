// Compiles the schemas of the areas on first use, and validates texts.
#include "harness/protocol/schema.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

#include "harness/protocol/embedded.hpp"
#include "harness/protocol/json.hpp"
#include "harness/protocol/schema_rules.hpp"

namespace assay {
namespace {

using Json = nlohmann::json;
using Errors = std::vector<std::string>;

constexpr std::array<std::string_view, 6> kComparisons{"exact", "nan_class", "tokens",
                                                       "set",   "shared",    "opaque"};
constexpr std::string_view kValues = "areas/values.json";

/// Areas refer to definitions in values.json, which are copied into each compiled schema.
void make_local(Json& node) {
  if (node.is_array()) {
    for (Json& item : node) make_local(item);
  }
  if (!node.is_object()) return;
  for (auto& [name, item] : node.items()) {
    if (name == "$ref" && item.is_string()) {
      const auto& text = item.get_ref<const std::string&>();
      item = text.substr(text.find('#'));
    } else {
      make_local(item);
    }
  }
}

/// The schemas of all areas: the definitions of values, and `with` and `ok` of each command.
class Library {
 public:
  Library() {
    for (const EmbeddedFile& file : protocol_schema()) {
      Json definitions = Json::parse(file.text).at("definitions");
      make_local(definitions);
      if (file.name == kValues) {
        values_ = std::move(definitions);
      } else {
        for (auto& [verb, command] : definitions.items()) add(verb, std::move(command));
      }
    }
    // Sorted by verb, so those of an area are neighbours; those of the session belong to none.
    for (const std::string& verb : verbs_) {
      const std::size_t dot = verb.find('.');
      if (dot == std::string::npos) continue;
      std::string area = verb.substr(0, dot);
      if (areas_.empty() || areas_.back() != area) areas_.push_back(std::move(area));
    }
  }

  const Json* command(std::string_view verb) const {
    const auto found = commands_.find(verb);
    return found == commands_.end() ? nullptr : &found->second;
  }
  const std::vector<std::string>& verbs() const { return verbs_; }
  const Errors& required(std::string_view verb) const {
    static const Errors none;
    const auto found = required_.find(verb);
    return found == required_.end() ? none : found->second;
  }
  const std::vector<std::string>& areas() const { return areas_; }

  /// `schema`, completed with the definitions of values.
  Json whole(Json schema) const {
    schema["definitions"] = values_;
    return schema;
  }

 private:
  void add(const std::string& verb, Json command) {
    required_[verb] = command.at("ok").value("required", Errors());
    if (!commands_.emplace(verb, std::move(command)).second) {
      throw std::logic_error("two areas describe the command " + verb);
    }
    verbs_.insert(std::upper_bound(verbs_.begin(), verbs_.end(), verb), verb);
  }

  Json values_;
  std::map<std::string, Json, std::less<>> commands_;
  std::map<std::string, std::vector<std::string>, std::less<>> required_;
  std::vector<std::string> verbs_, areas_;
};

const Library& library() {
  static const Library loaded;
  return loaded;
}

/// Caches compiled schemas, because compiling takes longer than validating.
Rules compiled(const std::string& key, const std::function<Json()>& schema) {
  static std::mutex mutex;
  static std::map<std::string, Rules> kept;
  const std::scoped_lock lock(mutex);
  Rules& slot = kept[key];
  if (!slot) slot = compile_rules(library().whole(schema()));
  return slot;
}

/// Converts `[with][lr]` to `/with/lr`, below `base`.
std::string pointer_of(const std::vector<std::string>& context, const std::string& base) {
  std::string pointer = base;
  for (const std::string& part : context) {
    if (part.size() < 2 || part.front() != '[') continue;  // the root
    pointer += '/' + part.substr(1, part.size() - 2);
  }
  return pointer.empty() ? "/" : pointer;
}

void check(const Rules& rules, const Json& json, const std::string& base, Errors& errors) {
  for (const RuleBreach& breach : breaches(rules, json)) {
    errors.push_back(pointer_of(breach.context, base) + ": " + breach.description);
  }
}

void check_envelope(const std::string& definition, const Json& json, Errors& errors) {
  const auto schema = compiled("#" + definition, [&] {
    return Json{{"$ref", "#/definitions/" + definition}};
  });
  check(schema, json, "", errors);
}

const Json* described(const std::string& verb, const std::string& base, Errors& errors) {
  const Json* command = library().command(verb);
  if (command == nullptr) errors.push_back(base + "/do: no command is called '" + verb + "'");
  return command;
}

/// Validates the arguments of a valid command, and those of the commands in its blocks.
void check_arguments(const Json& command, const std::string& base, Errors& errors) {
  const auto verb = command.at("do").get<std::string>();
  if (const Json* schema = described(verb, base, errors)) {
    const Json with = command.value("with", Json::object());
    check(compiled(verb + " with", [&] { return schema->at("with"); }), with, base + "/with",
          errors);
  }
  const auto check_block = [&](const Json& block, const std::string& place) {
    for (std::size_t i = 0; i < block.size(); ++i) {
      check_arguments(block[i], place + '/' + std::to_string(i), errors);
    }
  };
  for (const char* name : {"enter", "body", "observe"}) {
    if (command.contains(name)) check_block(command[name], base + '/' + name);
  }
  if (!command.contains("threads")) return;
  for (const auto& [thread, block] : command["threads"].items()) {
    check_block(block, base + "/threads/" + thread);
  }
}

/// The result `schema` without the required fields to which the subject is blind.
Json without_blind(Json schema, const Json& blind) {
  if (!schema.contains("required")) return schema;
  Json required = Json::array();
  for (const Json& name : schema["required"]) {
    if (std::find(blind.begin(), blind.end(), name) == blind.end()) required.push_back(name);
  }
  schema["required"] = required;
  return schema;
}

/// Validates the results of a valid reply.
void check_results(const std::string& verb, const Json& reply, const std::string& base,
                   Errors& errors) {
  const Json* command = described(verb, base, errors);
  if (command == nullptr || !reply.contains("ok")) return;
  const Json& schema = command->at("ok");
  const Json blind = reply.value("blind", Json::array());
  const auto usable = blind.empty() ? compiled(verb + " ok", [&] { return schema; })
                                    : compile_rules(library().whole(without_blind(schema, blind)));
  check(usable, reply["ok"], base + "/ok", errors);
}

/// Validates the results of each command of a block that completed.
void check_block_results(const Json& command, const Json& reply, const std::string& base,
                         Errors& errors) {
  check_results(command.at("do").get<std::string>(), reply, base, errors);
  if (command["do"] == "callback" || !command.contains("body") || !reply.contains("ok")) return;
  const Json replies = reply.value("replies", Json::array());
  if (replies.size() != command["body"].size()) {
    errors.push_back(base + "/replies: the body has " + std::to_string(command["body"].size()) +
                     " commands, not " + std::to_string(replies.size()));
    return;
  }
  for (std::size_t i = 0; i < replies.size(); ++i) {
    check_block_results(command["body"][i], replies[i], base + "/replies/" + std::to_string(i),
                        errors);
  }
}

/// Parses with the codec first, which handles any text, then validates against the schema.
template <typename Read>
std::optional<Json> parsed(std::string_view text, Errors& errors, Read read) {
  try {
    read(text);
    return Json::parse(text);
  } catch (const MalformedMessage& failure) {
    errors.push_back(std::string("/: ") + failure.what());
    return std::nullopt;
  }
}

std::optional<Json> checked_command(std::string_view text, Errors& errors) {
  auto json = parsed(text, errors, command_from_json);
  if (!json) return json;
  check_envelope("command", *json, errors);
  check_arguments(*json, "", errors);
  return json;
}

std::optional<Json> checked_reply(std::string_view text, Errors& errors) {
  auto json = parsed(text, errors, reply_from_json);
  if (json) check_envelope("reply", *json, errors);
  return json;
}

}  // namespace

std::string_view name_of(Comparison comparison) {
  return kComparisons[static_cast<std::size_t>(comparison)];
}

bool knows(std::string_view verb) { return library().command(verb) != nullptr; }

Touches touches_of(std::string_view verb) {
  const Json* command = library().command(verb);
  const std::string said = command == nullptr ? "" : command->value("touches", "");
  return said == "process"  ? Touches::kProcess
         : said == "thread" ? Touches::kThread
                            : Touches::kObjects;
}

bool minds(std::string_view verb, std::string_view what) {
  const Json* command = library().command(verb);
  if (command == nullptr) return false;
  std::istringstream words(command->value("minds", ""));
  const std::istream_iterator<std::string> first(words), last;
  return std::find(first, last, what) != last;
}

bool may_name_device(std::string_view verb) {
  const Json* command = library().command(verb);
  if (command == nullptr) return false;
  const Json& with = command->at("with");
  const auto required = with.value("required", Errors());
  const Json device = with.value("/properties/device/$ref"_json_pointer, Json());
  return device == "#/definitions/device" &&
         std::ranges::find(required, "device") == required.end();
}

const std::vector<std::string>& required_results(std::string_view verb) {
  return library().required(verb);
}

const std::vector<std::string>& known_verbs() { return library().verbs(); }

const std::vector<std::string>& known_areas() { return library().areas(); }

std::optional<Comparison> comparison_of(std::string_view verb, std::string_view field) {
  const Json* command = library().command(verb);
  if (command == nullptr) return std::nullopt;
  const Json& fields = command->at("ok").at("properties");
  const auto found = fields.find(std::string(field));
  if (found == fields.end()) return std::nullopt;
  const auto name = found->at("compare").get<std::string>();
  const auto row = std::find(kComparisons.begin(), kComparisons.end(), name);
  if (row == kComparisons.end()) throw std::logic_error("no comparison is called " + name);
  return static_cast<Comparison>(row - kComparisons.begin());
}

std::vector<std::string> validate_command(std::string_view text) {
  Errors errors;
  checked_command(text, errors);
  return errors;
}

std::vector<std::string> validate_reply(std::string_view verb, std::string_view text) {
  Errors errors;
  if (const auto json = checked_reply(text, errors)) {
    check_results(std::string(verb), *json, "", errors);
  }
  return errors;
}

std::vector<std::string> validate_exchange(std::string_view command, std::string_view reply) {
  Errors errors;
  const auto sent = checked_command(command, errors);
  const auto got = checked_reply(reply, errors);
  if (sent && got) check_block_results(*sent, *got, "", errors);
  return errors;
}

}  // namespace assay
