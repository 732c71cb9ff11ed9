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

// Kernels, registration, calls, listeners and observers.

namespace {

Fields impl_fields(const Value& kernel, const ImplOptions& options) {
  Fields with{{"kernel", kernel}};
  put(with, "key", options.key);
  put(with, "device", options.device);
  put(with, "library", options.library);
  put(with, "at", options.at);
  return with;
}

Observed observed_from(const Value& event) {
  return {.event = member_as<std::string>(event, "event"),
          .op = member_as<std::string>(event, "op"),
          .sequence = member_as<std::int64_t>(event, "sequence"),
          .inputs = member_as<std::int64_t>(event, "inputs"),
          .outputs = member_as<std::int64_t>(event, "outputs"),
          .schema = member_as<bool>(event, "schema")};
}

/// Members are absent if the subject cannot observe them.
template <typename T>
Reported<T> reported_member(const Value& one, const char* name) {
  const Value* member = member_of(one, name);
  return member == nullptr ? Reported<T>::blind(name) : Reported<T>(value_to<T>(*member, name));
}

}  // namespace

std::vector<RanKernel> ran_from(const Value& list) {
  std::vector<RanKernel> all;
  for (const Value& one : value_to<List>(list, "ran").items) {
    all.push_back({.kernel = reported_member<std::string>(one, "kernel"),
                   .op = member_as<std::string>(one, "op"),
                   .key = reported_member<std::string>(one, "key"),
                   .keys = reported_member<KeyBits>(one, "keys"),
                   .boxed = reported_member<bool>(one, "boxed"),
                   .arguments = member_as<List>(one, "arguments").items});
  }
  return all;
}

Called called_from(const Reply& reply) {
  Called called{
      .result = field(reply, "result"), .ran = ran_from(field(reply, "ran")), .stack = {}};
  if (const Value* stack = reply.ok.find("stack"))
    called.stack = value_to<std::vector<Value>>(*stack, "stack");
  called.shows_own = !is_blind(reply, "own") ? Reported<bool>(true) : Reported<bool>::blind("own");
  return called;
}

std::string Called::labels() const {
  std::string text;
  for (const RanKernel& one : ran) text += (text.empty() ? "" : " ") + one.kernel.get();
  return text;
}

DispatchObject DispatchClient::kernel(const KernelOptions& options) const {
  Fields with{{"behaviour", options.behaviour}};
  put(with, "label", options.label);
  put(with, "signature", options.signature);
  put(with, "argument", options.argument);
  put(with, "values", options.values);
  put(with, "keys", options.keys);
  put(with, "kind", options.kind);
  put(with, "message", options.message);
  put(with, "call", options.call);
  put(with, "takes_keys", options.takes_keys);
  return make_object<DispatchObject>("kernel", "dispatch.kernel", std::move(with));
}

DispatchObject DispatchClient::impl(const Value& op, const Value& kernel,
                                    const ImplOptions& options) const {
  Fields with = impl_fields(kernel, options);
  with.set("op", op);
  return make_object<DispatchObject>("impl", "dispatch.impl", std::move(with));
}

DispatchObject DispatchClient::fallback(const Value& kernel, const ImplOptions& options) const {
  return make_object<DispatchObject>("fallback", "dispatch.fallback", impl_fields(kernel, options));
}

Entry DispatchClient::entry(const EntryOptions& options) const {
  Fields with{{"func", options.func}};
  put(with, "variants", options.variants);
  Dict dispatch;
  for (const auto& [keys, kernel] : options.dispatch) dispatch.items.emplace_back(keys, kernel);
  if (!dispatch.items.empty()) with.set("dispatch", std::move(dispatch));
  put(with, "structured", options.structured);
  put(with, "structured_delegate", options.structured_delegate);
  put(with, "device_check", options.device_check);
  std::string name = session().fresh_name("entry");
  const Reply reply = session().send("dispatch.entry", std::move(with), name);
  Entry entry{.registrations = {session(), std::move(name)}, .ops = {}};
  if (!session().recording()) entry.ops = field_to<std::vector<std::string>>(reply, "ops");
  return entry;
}

Called DispatchClient::call(const Value& op, std::vector<Value> args,
                            const CallOptions& options) const {
  Fields with{{"op", op}, {"args", List{std::move(args)}}};
  put(with, "signature", options.signature);
  put(with, "boxed", options.boxed);
  put(with, "for_key", options.for_key);
  put(with, "keys", options.keys);
  put(with, "below", options.below);
  put(with, "stack", options.stack);
  put(with, "depth", options.depth);
  const Reply reply = session().send("dispatch.call", std::move(with), options.as);
  return session().recording() ? Called() : called_from(reply);
}

std::vector<RanKernel> DispatchClient::traced(const Value& trace) const {
  return ran_from(read_field<List>("dispatch.traced", {{"trace", trace}}));
}

std::vector<std::string> DispatchClient::heard(const Value& listener) const {
  return read_field<std::vector<std::string>>("dispatch.events", {{"of", listener}});
}

std::vector<Observed> DispatchClient::observed(const Value& observer) const {
  std::vector<Observed> events;
  for (const Value& event : session().read<List>("dispatch.events", {{"of", observer}}).items) {
    events.push_back(observed_from(event));
  }
  return events;
}

}  // namespace assay
