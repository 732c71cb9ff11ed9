// What the typed client of the area dispatch adds to the generated calls for keys, thread-local
// sets and schemas.
#include "harness/suite/clients/dispatch.hpp"

namespace assay {
namespace {

using Texts = std::vector<std::string>;

SetInfo set_from(const Reply& reply) {
  return {.set = field_to<KeyBits>(reply, "set"),
          .empty = field_to<bool>(reply, "empty"),
          .highest = field_to<std::string>(reply, "highest"),
          .slot = reported_field<std::int64_t>(reply, "slot"),
          .keys = field_to<Texts>(reply, "keys"),
          .text = field_to<std::string>(reply, "text"),
          .backend_key = reported_field<std::string>(reply, "backend_key")};
}

std::vector<SchemaArgumentInfo> arguments_from(const Reply& reply, std::string_view name) {
  std::vector<SchemaArgumentInfo> made;
  for (const Value& item : field_to<List>(reply, name).items) {
    SchemaArgumentInfo argument;
    argument.name = member_as<std::string>(item, "name");
    argument.type = member_as<std::string>(item, "type");
    argument.kwarg_only = member_as<bool>(item, "kwarg_only");
    const Value* size = member_of(item, "size");
    if (size != nullptr) argument.size = value_to<std::optional<std::int64_t>>(*size, "size");
    if (const Value* given = member_of(item, "default")) argument.default_value = *given;
    if (const Value* alias = member_of(item, "alias")) argument.alias = *alias;
    made.push_back(std::move(argument));
  }
  return made;
}

}  // namespace

DispatchClient Session::dispatch() { return DispatchClient(*this); }

KeyLists DispatchClient::keys() const {
  const Reply reply = session().send("dispatch.keys");
  if (session().recording()) return {};
  return {.backends = field_to<Texts>(reply, "backends"),
          .functionalities = field_to<Texts>(reply, "functionalities"),
          .per_backend = field_to<Texts>(reply, "per_backend"),
          .aliases = field_to<Texts>(reply, "aliases"),
          .slots = reported_field<std::int64_t>(reply, "slots"),
          .full = reported_field<KeyBits>(reply, "full")};
}

KeyInfo DispatchClient::key(const std::string& key) const {
  const Reply reply = session().send("dispatch.key", {{"key", key}});
  if (session().recording()) return {};
  return {.kind = field_to<std::string>(reply, "kind"),
          .slot = reported_field<std::optional<std::int64_t>>(reply, "slot"),
          .set = field_to<KeyBits>(reply, "set"),
          .autograd = reported_field<std::optional<std::string>>(reply, "autograd")};
}

SetInfo DispatchClient::set(const KeySet& set) const {
  const Reply reply = session().send("dispatch.set", {{"a", set}});
  return session().recording() ? SetInfo() : set_from(reply);
}

SetInfo DispatchClient::set(const KeySet& set, const std::string& operation,
                            const Value& operand) const {
  const Reply reply =
      session().send("dispatch.set", {{"a", set}, {"operation", operation}, {"b", operand}});
  return session().recording() ? SetInfo() : set_from(reply);
}

bool DispatchClient::has(const KeySet& set, const std::string& key) const {
  return read_field<bool>("dispatch.has", {{"set", set}, {"key", key}});
}

bool DispatchClient::has_all(const KeySet& set, const KeySet& all) const {
  return read_field<bool>("dispatch.has", {{"set", set}, {"all", all}});
}

bool DispatchClient::has_any(const KeySet& set, const KeySet& any) const {
  return read_field<bool>("dispatch.has", {{"set", set}, {"any", any}});
}

TlsSets DispatchClient::tls() const {
  const Reply reply = session().send("dispatch.tls");
  if (session().recording()) return {};
  return {.included = field_to<KeyBits>(reply, "included"),
          .excluded = field_to<KeyBits>(reply, "excluded")};
}

void DispatchClient::thread_state(const std::string& name) const {
  session().send("dispatch.thread_state", {}, name);
}

void DispatchClient::leave(const Value& guard) const {
  session().send("leave", {{"guard", guard}});
}

Value alias_of(bool write, std::vector<std::string> before, std::vector<std::string> after,
               Value contained) {
  Fields alias{{"write", write}};
  put(alias, "before", before);
  put(alias, "after", after);
  alias.set("contained", std::move(contained));
  return Dict{{alias.begin(), alias.end()}};
}

ParsedSchema DispatchClient::parse(const std::string& text, const std::string& as) const {
  Fields with = {{"text", text}};
  if (as != "schema") with.set("as", as);
  const Reply reply = session().send("dispatch.parse", std::move(with));
  ParsedSchema made;
  if (session().recording()) return made;
  made.text = field_to<std::string>(reply, "text");
  made.name = field_to<std::string>(reply, "name");
  made.overload = field_to<std::string>(reply, "overload");
  if (!reply.ok.has("arguments")) return made;
  made.arguments = arguments_from(reply, "arguments");
  made.returns = arguments_from(reply, "returns");
  made.vararg = field_to<bool>(reply, "vararg");
  made.varret = field_to<bool>(reply, "varret");
  made.is_mutable = field_to<bool>(reply, "mutable");
  return made;
}

bool DispatchClient::has_kernel(const Value& op, const std::string& key) const {
  return read_field<bool>("dispatch.has_kernel", {{"op", op}, {"key", key}});
}
bool DispatchClient::has_computed_kernel(const Value& op, const std::string& key) const {
  return read_field<bool>("dispatch.has_kernel", {{"op", op}, {"computed", key}});
}
bool DispatchClient::has_any_kernel(const Value& op, const KeySet& keys) const {
  return read_field<bool>("dispatch.has_kernel", {{"op", op}, {"any", keys}});
}

}  // namespace assay
