// Area autocast: the parts of wrappers, and wrappers that clients register.
#include <algorithm>

#include "reference/autocast/casts.hpp"
#include "reference/autocast/custom_rule.hpp"
#include "reference/autocast/op_lists.hpp"
#include "reference/autocast/wrapper.hpp"
#include "reference/dispatch/dispatcher_of.hpp"
#include "reference/subject/autocast/commands.hpp"
#include "reference/subject/ivalues.hpp"

namespace assay::reference {
namespace {

std::vector<IValue> boxed_arguments(Call& call) {
  std::vector<IValue> boxed;
  for (const Value& value : call.arguments().items("args")) {
    boxed.push_back(ivalue_from(call, value));
  }
  return boxed;
}

IValue boxed_value(Call& call) { return ivalue_from(call, call.arguments().value("value")); }

void give_registration(Call& call, Registration registration) {
  call.result(Object(std::make_shared<Registration>(std::move(registration)), "registration"));
}

}  // namespace

void autocast_is_eligible(Call& call) {
  call.result(is_eligible(call.tensor("tensor"), device_argument(call)));
}

void autocast_cached_cast(Call& call) {
  const Value& given = call.arguments().value("value");
  const IValue mapped =
      cached_cast(call.runtime(), call.dtype("to"), boxed_value(call), device_argument(call));
  if (mapped.kind() == "Tensor") return call.result(mapped.to_tensor());
  const auto* items = given.get_if<assay::List>();
  if (items == nullptr) return call.result(given);  // CAST-207
  assay::List list;
  for (const IValue& item : *std::get<IValue::ListPtr>(mapped.payload())) {
    const std::size_t at = list.items.size();
    const bool is_tensor = item.kind() == "Tensor";
    list.items.push_back(is_tensor ? call.give_as(std::to_string(at), item.to_tensor())
                                   : items->items[at]);
  }
  call.set("result", std::move(list));
}

void autocast_prioritize(Call& call) {
  call.result(to_protocol(
      prioritize(call.runtime(), call.dtype("current"), boxed_value(call), device_argument(call))));
}

void autocast_promote_type(Call& call) {
  call.result(to_protocol(promote_type(call.runtime(), call.dtype("start"), device_argument(call),
                                       boxed_arguments(call))));
}

void autocast_set_opt_dtype(Call& call) {
  call.result(to_protocol(set_opt_dtype(call.dtype("to"), call.dtype_or_none("dtype"))));
}

void autocast_first_is_eligible(Call& call) {
  call.result(first_is_eligible(device_argument(call), boxed_arguments(call)));
}

void autocast_type_from_first(Call& call) {
  const std::vector<IValue> args = boxed_arguments(call);
  if (args.empty() || args.front().kind() != "Tensor") {
    throw InvalidArgument("autocast.type_from_first: the first argument must be a tensor");
  }
  call.result(to_protocol(type_from_first(device_argument(call), call.dtype("to"), args)));
}

void autocast_rules(Call& call) {
  std::vector<std::string> texts;
  for (const ListedOp& listed : op_list(device_argument(call), call.contract())) {
    texts.push_back(std::string(listed.op) + "=" + std::string(name_of(listed.policy)));
  }
  std::ranges::sort(texts);
  assay::List list;
  for (std::string& text : texts) list.items.emplace_back(std::move(text));
  call.set("result", std::move(list));
}

void autocast_wrap(Call& call) {
  const std::string word = call.arguments().text("policy");
  const auto policy = cast_policy_named(word);
  if (!policy || *policy == CastPolicy::kRnn) {
    throw InvalidArgument("autocast.wrap: there is no policy '" + word + "'");
  }
  const std::string op = call.arguments().text("op");
  const CastDevice device = device_argument(call);
  std::string target = call.has("to") ? call.arguments().text("to") : std::string();
  if (target.empty() && *policy == CastPolicy::kAppend) target = append_target(op);
  give_registration(call,
                    dispatcher_of(call.runtime())
                        .impl(op, autocast_key(device, call.contract().release),
                              autocast_wrapper({*policy, device, target}), "autocast_" + word));
}

void autocast_register(Call& call) {
  if (call.contract().before(Release::k2_11)) {
    throw NotSupported("register_autocast came with 2.6");
  }
  const Value& device = call.arguments().value("device");
  const auto* text = device.get_if<std::string>();
  const bool is_old = call.contract().before(Release::k2_13);
  check(text != nullptr, is_old ? ErrorKind::kValue : ErrorKind::kType,
        [&] { return "the device type must be a text, not " + std::string(kind_of(device)); });
  give_registration(call,
                    register_cast_rule(dispatcher_of(call.runtime()),
                                       {call.arguments().text("op"), *text, call.dtype("dtype")}));
}

}  // namespace assay::reference
