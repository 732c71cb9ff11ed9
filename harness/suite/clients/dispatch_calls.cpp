// The typed calls of the area dispatch for kernels, registration, calls, listeners and observers.
#include <algorithm>

#include "harness/suite/clients/dispatch.hpp"
#include "harness/suite/clients/dispatch_fields.hpp"

namespace assay {
namespace {

Fields impl_fields(const Value& kernel, const ImplOptions& options) {
  Fields with{{"kernel", kernel}};
  set_if(with, "key", options.key);
  set_if(with, "device", options.device);
  set_if(with, "library", options.library);
  set_if(with, "at", options.at);
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

}  // namespace

List list_of(const std::vector<std::string>& texts) {
  List list;
  for (const std::string& text : texts) list.items.emplace_back(text);
  return list;
}

bool has_member(const Value& value, std::string_view name) {
  const Dict* dict = value.get_if<Dict>();
  return dict != nullptr &&
         std::any_of(dict->items.begin(), dict->items.end(), [&](const auto& item) {
           const std::string* text = item.first.template get_if<std::string>();
           return text != nullptr && *text == name;
         });
}

const std::vector<Value>& items_of(const Value& value) {
  if (const List* list = value.get_if<List>()) return list->items;
  throw BadReply("a list was expected, not " + std::string(kind_of(value)));
}

std::vector<std::string> texts_of(const Value& value) {
  std::vector<std::string> texts;
  for (const Value& item : items_of(value)) {
    const std::string* text = item.get_if<std::string>();
    if (text == nullptr) throw BadReply("a text was expected, not " + std::string(kind_of(item)));
    texts.push_back(*text);
  }
  return texts;
}

namespace {

/// Members are absent if the subject cannot observe them.
template <typename T>
Reported<T> reported_member(const Value& one, const char* name) {
  return has_member(one, name) ? Reported<T>(member_as<T>(one, name)) : Reported<T>::blind(name);
}

Reported<KeyBits> reported_bits(const Value& one, const char* name) {
  const auto seen = reported_member<std::int64_t>(one, name);
  return has_member(one, name) ? Reported<KeyBits>(static_cast<KeyBits>(seen.get()))
                               : Reported<KeyBits>::blind(name);
}

}  // namespace

std::vector<RanKernel> ran_from(const Value& list) {
  std::vector<RanKernel> all;
  for (const Value& one : items_of(list)) {
    all.push_back({.kernel = reported_member<std::string>(one, "kernel"),
                   .op = member_as<std::string>(one, "op"),
                   .key = reported_member<std::string>(one, "key"),
                   .keys = reported_bits(one, "keys"),
                   .boxed = reported_member<bool>(one, "boxed"),
                   .arguments = member_as<List>(one, "arguments").items});
  }
  return all;
}

Called called_from(const Reply& reply) {
  Called called{
      .result = field(reply, "result"), .ran = ran_from(field(reply, "ran")), .stack = {}};
  if (const Value* stack = reply.ok.find("stack")) called.stack = items_of(*stack);
  called.shows_own = reported_field<bool>(reply, "own", [](const Reply&, auto) { return true; });
  return called;
}

std::string Called::labels() const {
  std::string text;
  for (const RanKernel& one : ran) text += (text.empty() ? "" : " ") + one.kernel.get();
  return text;
}

DispatchObject DispatchClient::kernel(const KernelOptions& options) const {
  Fields with{{"behaviour", options.behaviour}};
  set_if(with, "label", options.label);
  set_if(with, "signature", options.signature);
  set_if(with, "argument", options.argument);
  if (options.values) with.set("values", List{*options.values});
  set_if(with, "keys", options.keys);
  set_if(with, "kind", options.kind);
  set_if(with, "message", options.message);
  set_if(with, "call", options.call);
  set_if(with, "takes_keys", options.takes_keys);
  return make("kernel", "dispatch.kernel", std::move(with));
}

DispatchObject DispatchClient::library(const LibraryOptions& options) const {
  Fields with{{"kind", options.kind}, {"namespace", options.ns}};
  set_if(with, "key", options.key);
  set_if(with, "at", options.at);
  return make("library", "dispatch.library", std::move(with));
}

DispatchObject DispatchClient::move_library(const Value& library) const {
  return make("library", "dispatch.move_library", {{"library", library}});
}

void DispatchClient::reset_library(const Value& library) const {
  session_->send("dispatch.reset_library", {{"library", library}});
}

DispatchObject DispatchClient::def(const std::string& schema, const DefOptions& options) const {
  Fields with{{"schema", schema}};
  set_if(with, "library", options.library);
  set_if(with, "kernel", options.kernel);
  set_if(with, "key", options.key);
  set_if(with, "alias_kind", options.alias_kind);
  if (options.tags) with.set("tags", list_of(*options.tags));
  set_if(with, "at", options.at);
  return make("def", "dispatch.def", std::move(with));
}

DispatchObject DispatchClient::impl(const Value& op, const Value& kernel,
                                    const ImplOptions& options) const {
  Fields with = impl_fields(kernel, options);
  with.set("op", op);
  return make("impl", "dispatch.impl", std::move(with));
}

DispatchObject DispatchClient::fallback(const Value& kernel, const ImplOptions& options) const {
  return make("fallback", "dispatch.fallback", impl_fields(kernel, options));
}

void DispatchClient::assign(const Value& to, const Value& from) const {
  session_->send("dispatch.assign", {{"to", to}, {"from", from}});
}

void DispatchClient::autograd_fallback(const std::string& mode) const {
  session_->send("dispatch.autograd_fallback", {{"mode", mode}});
}

Entry DispatchClient::entry(const EntryOptions& options) const {
  Fields with{{"func", options.func}};
  set_if(with, "variants", options.variants);
  Dict dispatch;
  for (const auto& [keys, kernel] : options.dispatch) dispatch.items.emplace_back(keys, kernel);
  if (!dispatch.items.empty()) with.set("dispatch", std::move(dispatch));
  set_if(with, "structured", options.structured);
  set_if(with, "structured_delegate", options.structured_delegate);
  set_if(with, "device_check", options.device_check);
  std::string name = session_->fresh_name("entry");
  const Reply reply = session_->send("dispatch.entry", std::move(with), name);
  Entry entry{.registrations = {*session_, std::move(name)}, .ops = {}};
  if (!session_->recording()) entry.ops = texts_of(field(reply, "ops"));
  return entry;
}

Called DispatchClient::call(const Value& op, std::vector<Value> args,
                            const CallOptions& options) const {
  Fields with{{"op", op}, {"args", List{std::move(args)}}};
  set_if(with, "signature", options.signature);
  set_if(with, "boxed", options.boxed);
  set_if(with, "for_key", options.for_key);
  set_if(with, "keys", options.keys);
  if (options.below) with.set("below", List{*options.below});
  if (options.stack) with.set("stack", *options.stack);
  set_if(with, "depth", options.depth);
  const Reply reply = session_->send("dispatch.call", std::move(with), options.as);
  return session_->recording() ? Called() : called_from(reply);
}

DispatchObject DispatchClient::handle(const Value& op,
                                      const std::optional<std::string>& signature) const {
  Fields with{{"op", op}};
  set_if(with, "signature", signature);
  return make("handle", "dispatch.handle", std::move(with));
}

DispatchObject DispatchClient::trace() const { return make("trace", "dispatch.trace"); }

std::vector<RanKernel> DispatchClient::traced(const Value& trace) const {
  return ran_from(session_->read<List>("dispatch.traced", {{"trace", trace}}));
}

DispatchObject DispatchClient::listen(const std::optional<Callable>& added,
                                      const std::optional<Callable>& removed) const {
  Fields with;
  set_if(with, "added", added);
  set_if(with, "removed", removed);
  return make("listener", "dispatch.listen", std::move(with));
}

DispatchObject DispatchClient::observe(const ObserverOptions& options) const {
  Fields with;
  set_if(with, "inputs", options.inputs);
  set_if(with, "outputs", options.outputs);
  set_if(with, "probability", options.probability);
  return make("observer", "dispatch.observe", std::move(with));
}

DispatchObject DispatchClient::observer_off() const {
  return make("guard", "dispatch.observer_off");
}

std::vector<std::string> DispatchClient::heard(const Value& listener) const {
  return texts("dispatch.events", {{"of", listener}});
}

std::vector<Observed> DispatchClient::observed(const Value& observer) const {
  std::vector<Observed> events;
  for (const Value& event : session_->read<List>("dispatch.events", {{"of", observer}}).items) {
    events.push_back(observed_from(event));
  }
  return events;
}

}  // namespace assay
