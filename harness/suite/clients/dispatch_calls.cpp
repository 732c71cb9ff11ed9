// The typed calls of the area dispatch for kernels, registration, calls, listeners and observers.
#include "harness/suite/clients/dispatch.hpp"

namespace assay {
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
