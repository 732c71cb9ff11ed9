// The typed calls of the area dispatch for keys, key sets, thread-local sets and queries.
#include "harness/suite/clients/dispatch.hpp"

#include "harness/suite/clients/dispatch_fields.hpp"

namespace assay {
namespace {

std::optional<std::string> text_or_none(const Reply& reply, std::string_view name) {
  const std::string* text = field(reply, name).get_if<std::string>();
  return text == nullptr ? std::nullopt : std::optional(*text);
}

std::optional<std::int64_t> int_or_none(const Reply& reply, std::string_view name) {
  const auto* number = field(reply, name).get_if<std::int64_t>();
  return number == nullptr ? std::nullopt : std::optional(*number);
}

KeyBits bits_of(const Reply& reply, std::string_view name) {
  return static_cast<KeyBits>(field_as<std::int64_t>(reply, name));
}

SetInfo set_from(const Reply& reply) {
  return {.set = bits_of(reply, "set"),
          .empty = field_as<bool>(reply, "empty"),
          .highest = field_as<std::string>(reply, "highest"),
          .slot = reported_field<std::int64_t>(reply, "slot", field_as<std::int64_t>),
          .keys = texts_of(field(reply, "keys")),
          .text = field_as<std::string>(reply, "text"),
          .backend_key = reported_field<std::string>(reply, "backend_key", field_as<std::string>)};
}

}  // namespace

DispatchClient Session::dispatch() { return DispatchClient(*this); }

KeySet::KeySet(const std::vector<std::string>& keys) : value_(list_of(keys)) {}

DispatchObject DispatchClient::make(const std::string& kind, std::string verb, Fields with) const {
  std::string name = session_->fresh_name(kind);
  session_->send(std::move(verb), std::move(with), name);
  return {*session_, std::move(name)};
}

std::vector<std::string> DispatchClient::texts(std::string verb, Fields with) const {
  return texts_of(session_->read<List>(std::move(verb), std::move(with)));
}

KeyLists DispatchClient::keys() const {
  const Reply reply = session_->send("dispatch.keys");
  if (session_->recording()) return {};
  return {.backends = texts_of(field(reply, "backends")),
          .functionalities = texts_of(field(reply, "functionalities")),
          .per_backend = texts_of(field(reply, "per_backend")),
          .aliases = texts_of(field(reply, "aliases")),
          .slots = reported_field<std::int64_t>(reply, "slots", field_as<std::int64_t>),
          .full = reported_field<KeyBits>(reply, "full", bits_of)};
}

KeyInfo DispatchClient::key(const std::string& key) const {
  const Reply reply = session_->send("dispatch.key", {{"key", key}});
  if (session_->recording()) return {};
  return {.kind = field_as<std::string>(reply, "kind"),
          .slot = reported_field<std::optional<std::int64_t>>(reply, "slot", int_or_none),
          .set = bits_of(reply, "set"),
          .autograd = reported_field<std::optional<std::string>>(reply, "autograd", text_or_none)};
}

std::vector<std::string> DispatchClient::members(const std::string& alias) const {
  return texts("dispatch.members", {{"key", alias}});
}

std::string DispatchClient::parse_key(const std::string& text) const {
  return session_->read<std::string>("dispatch.parse_key", {{"text", text}});
}

SetInfo DispatchClient::set(const KeySet& set) const {
  const Reply reply = session_->send("dispatch.set", {{"a", set}});
  return session_->recording() ? SetInfo() : set_from(reply);
}

SetInfo DispatchClient::set(const KeySet& set, const std::string& operation,
                            const Value& operand) const {
  const Reply reply =
      session_->send("dispatch.set", {{"a", set}, {"operation", operation}, {"b", operand}});
  return session_->recording() ? SetInfo() : set_from(reply);
}

bool DispatchClient::has(const KeySet& set, const std::string& key) const {
  return session_->read<bool>("dispatch.has", {{"set", set}, {"key", key}});
}

bool DispatchClient::has_all(const KeySet& set, const KeySet& all) const {
  return session_->read<bool>("dispatch.has", {{"set", set}, {"all", all}});
}

bool DispatchClient::has_any(const KeySet& set, const KeySet& any) const {
  return session_->read<bool>("dispatch.has", {{"set", set}, {"any", any}});
}

KeyBits DispatchClient::named_set(const std::string& name,
                                  const std::optional<std::string>& key) const {
  Fields with{{"name", name}};
  set_if(with, "key", key);
  return static_cast<KeyBits>(session_->read<std::int64_t>("dispatch.named_set", std::move(with)));
}

std::string DispatchClient::device_key(const std::string& device) const {
  return session_->read<std::string>("dispatch.device_key", {{"device", device}});
}

std::string DispatchClient::backend_key(const std::string& device, Dtype dtype,
                                        const std::string& layout) const {
  return session_->read<std::string>("dispatch.backend_key",
                                     {{"device", device}, {"dtype", dtype}, {"layout", layout}});
}

DispatchObject DispatchClient::tensor(const ProbeOptions& options) const {
  Fields with;
  set_if(with, "device", options.device);
  set_if(with, "dtype", options.dtype);
  set_if(with, "layout", options.layout);
  set_if(with, "inference", options.inference);
  set_if(with, "keys", options.keys);
  set_if(with, "conj", options.conj);
  set_if(with, "neg", options.neg);
  set_if(with, "zero", options.zero);
  return make("probe", "dispatch.tensor", std::move(with));
}

KeyBits DispatchClient::tensor_keys(const Value& of) const {
  return static_cast<KeyBits>(session_->read<std::int64_t>("dispatch.tensor_keys", {{"of", of}}));
}

TlsSets DispatchClient::tls() const {
  const Reply reply = session_->send("dispatch.tls");
  if (session_->recording()) return {};
  return {.included = bits_of(reply, "included"), .excluded = bits_of(reply, "excluded")};
}

DispatchObject DispatchClient::include(const KeySet& keys) const {
  return make("guard", "dispatch.include", {{"keys", keys}});
}
DispatchObject DispatchClient::exclude(const KeySet& keys) const {
  return make("guard", "dispatch.exclude", {{"keys", keys}});
}
DispatchObject DispatchClient::force(const KeySet& included, const KeySet& excluded) const {
  return make("guard", "dispatch.force", {{"included", included}, {"excluded", excluded}});
}
DispatchObject DispatchClient::below(const std::string& what) const {
  return make("guard", "dispatch.below", {{"what", what}});
}

bool DispatchClient::find(const Value& op, bool need_schema) const {
  Fields with{{"op", op}};
  if (need_schema) with.set("need_schema", true);
  return session_->read<bool>("dispatch.find", std::move(with));
}

DispatchObject DispatchClient::find_or_throw(const std::string& name,
                                             const std::string& overload) const {
  return make("handle", "dispatch.find_or_throw", {{"name", name}, {"overload", overload}});
}

std::vector<std::string> DispatchClient::dangling() const { return texts("dispatch.dangling"); }

std::vector<std::string> DispatchClient::ops(const std::string& ns) const {
  return texts("dispatch.ops", {{"namespace", ns}});
}

std::vector<std::string> DispatchClient::registrations(const std::optional<std::string>& key,
                                                       const std::optional<std::string>& ns) const {
  Fields with;
  set_if(with, "key", key);
  set_if(with, "namespace", ns);
  return texts("dispatch.registrations", std::move(with));
}

OpInfo DispatchClient::describe(const Value& op) const {
  const Reply reply = session_->send("dispatch.describe", {{"op", op}});
  if (session_->recording()) return {};
  return {.has_schema = field_as<bool>(reply, "has_schema"),
          .schema = text_or_none(reply, "schema"),
          .debug = field_as<std::string>(reply, "debug"),
          .alias_kind = field_as<std::string>(reply, "alias_kind"),
          .tags = texts_of(field(reply, "tags")),
          .state = field_as<std::string>(reply, "state"),
          .table = field_as<std::string>(reply, "table")};
}

bool DispatchClient::has_kernel(const Value& op, const std::string& key) const {
  return session_->read<bool>("dispatch.has_kernel", {{"op", op}, {"key", key}});
}
bool DispatchClient::has_computed_kernel(const Value& op, const std::string& key) const {
  return session_->read<bool>("dispatch.has_kernel", {{"op", op}, {"computed", key}});
}
bool DispatchClient::has_any_kernel(const Value& op, const KeySet& keys) const {
  return session_->read<bool>("dispatch.has_kernel", {{"op", op}, {"any", keys}});
}
bool DispatchClient::has_fallback(const std::string& key) const {
  return session_->read<bool>("dispatch.has_fallback", {{"key", key}});
}

void DispatchClient::check(const std::optional<std::string>& op) const {
  Fields with;
  set_if(with, "op", op);
  session_->send("dispatch.check", std::move(with));
}

}  // namespace assay
