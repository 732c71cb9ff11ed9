// The typed calls of the area dispatch for single thread-local keys and for schemas.
#include "harness/suite/clients/dispatch.hpp"

namespace assay {
namespace {

const Value* find_in(const Dict& dict, std::string_view name) {
  for (const auto& [key, value] : dict.items) {
    const auto* text = key.get_if<std::string>();
    if (text != nullptr && *text == name) return &value;
  }
  return nullptr;
}

template <typename T>
T part_as(const Dict& dict, std::string_view name) {
  const Value* value = find_in(dict, name);
  const T* held = value == nullptr ? nullptr : value->get_if<T>();
  if (held == nullptr) {
    throw BadReply("an argument of a schema lacks '" + std::string(name) + "', or it is no such");
  }
  return *held;
}

SchemaArgumentInfo argument_from(const Value& value) {
  const auto* dict = value.get_if<Dict>();
  if (dict == nullptr) throw BadReply("an argument of a schema is a dict");
  SchemaArgumentInfo made;
  made.name = part_as<std::string>(*dict, "name");
  made.type = part_as<std::string>(*dict, "type");
  made.kwarg_only = part_as<bool>(*dict, "kwarg_only");
  const Value* size = find_in(*dict, "size");
  if (size != nullptr && !size->is_none()) made.size = part_as<std::int64_t>(*dict, "size");
  if (const Value* given = find_in(*dict, "default")) made.default_value = *given;
  if (const Value* alias = find_in(*dict, "alias")) made.alias = *alias;
  return made;
}

std::vector<SchemaArgumentInfo> arguments_from(const Reply& reply, std::string_view name) {
  std::vector<SchemaArgumentInfo> made;
  for (const Value& item : field_as<List>(reply, name).items) made.push_back(argument_from(item));
  return made;
}

List texts(const std::vector<std::string>& names) {
  List list;
  for (const std::string& name : names) list.items.emplace_back(name);
  return list;
}

}  // namespace

Value alias_of(bool write, std::vector<std::string> before, std::vector<std::string> after,
               Value contained) {
  return Dict{{{"write", write},
               {"before", texts(before)},
               {"after", texts(after)},
               {"contained", std::move(contained)}}};
}

void DispatchClient::set_included(const std::string& key, bool value) const {
  session_->send("dispatch.set_included", {{"key", key}, {"value", value}});
}

void DispatchClient::set_excluded(const std::string& key, bool value) const {
  session_->send("dispatch.set_excluded", {{"key", key}, {"value", value}});
}

bool DispatchClient::is_included(const std::string& key) const {
  return session_->read<bool>("dispatch.is_included", {{"key", key}});
}

bool DispatchClient::is_excluded(const std::string& key) const {
  return session_->read<bool>("dispatch.is_excluded", {{"key", key}});
}

void DispatchClient::zero_tls() const { session_->send("dispatch.zero_tls"); }

void DispatchClient::thread_state(const std::string& name) const {
  session_->send("dispatch.thread_state", {}, name);
}

DispatchObject DispatchClient::restore(const Value& state) const {
  return make("guard", "dispatch.restore", {{"state", state}});
}

void DispatchClient::leave(const Value& guard) const {
  session_->send("leave", {{"guard", guard}});
}

ParsedSchema DispatchClient::parse(const std::string& text, const std::string& as) const {
  Fields with = {{"text", text}};
  if (as != "schema") with.set("as", as);
  const Reply reply = session_->send("dispatch.parse", std::move(with));
  ParsedSchema made;
  if (session_->recording()) return made;
  made.text = field_as<std::string>(reply, "text");
  made.name = field_as<std::string>(reply, "name");
  made.overload = field_as<std::string>(reply, "overload");
  if (!reply.ok.has("arguments")) return made;
  made.arguments = arguments_from(reply, "arguments");
  made.returns = arguments_from(reply, "returns");
  made.vararg = field_as<bool>(reply, "vararg");
  made.varret = field_as<bool>(reply, "varret");
  made.is_mutable = field_as<bool>(reply, "mutable");
  return made;
}

InferredSchema DispatchClient::infer(const std::string& signature, const std::string& name) const {
  const Reply reply = session_->send("dispatch.infer", {{"signature", signature}, {"name", name}});
  if (session_->recording()) return {};
  return {field_as<std::string>(reply, "text"), field_as<std::string>(reply, "alias_kind")};
}

std::optional<std::string> DispatchClient::schema_difference(const std::string& declared,
                                                             const std::string& inferred) const {
  const Reply reply = session_->send("dispatch.schema_difference",
                                     {{"declared", declared}, {"inferred", inferred}});
  if (session_->recording() || field(reply, "result").is_none()) return std::nullopt;
  return field_as<std::string>(reply, "result");
}

}  // namespace assay
