// Area autocast: the parts of wrappers as separate commands.
#include "cuda_impl/autocast/boxed_wrapper.hpp"
#include "cuda_impl/autocast/casts.hpp"
#include "cuda_impl/core/device/device.hpp"
#include "cuda_impl/subject/call.hpp"
#include "cuda_impl/subject/dispatch/objects.hpp"

namespace assay::cuda {
namespace {

/// Empty if the value is not a tensor.
std::optional<Tensor> tensor_in(Call& call, const Value& value) {
  if (value.tensor() != nullptr || value.sparse() != nullptr) return call.tensor_from(value);
  const auto* ref = value.get_if<Ref>();
  if (ref == nullptr) return std::nullopt;
  const Object found = call.names().get(ref->name);
  return found.is_tensor() ? std::optional(found.tensor()) : std::nullopt;
}

/// The tensors in a list; skips other values.
std::vector<Tensor> tensors_in(Call& call, const List& list) {
  std::vector<Tensor> tensors;
  for (const Value& item : list.items) {
    if (const auto tensor = tensor_in(call, item)) tensors.push_back(*tensor);
  }
  return tensors;
}

struct Cast {
  Dtype to;
  DeviceKind device;
};

Value cast_item(Call& call, const Cast& cast, const Value& item, std::size_t at) {
  const auto tensor = tensor_in(call, item);
  if (!tensor || !tensor->defined()) return item;
  const Tensor mapped = autocast::cached_cast(cast.to, *tensor, cast.device);
  return call.give_as(std::to_string(at), mapped);
}

Dtype prioritized(Call& call, Dtype current, const Value& value, DeviceKind device) {
  if (const auto* list = value.get_if<List>()) {
    return autocast::prioritize(current, tensors_in(call, *list), device);
  }
  const auto tensor = tensor_in(call, value);
  return tensor ? autocast::prioritize(current, *tensor, device) : current;
}

std::optional<Tensor> first_tensor(Call& call) {
  const std::vector<Value>& args = call.arguments().items("args");
  return args.empty() ? std::nullopt : tensor_in(call, args.front());
}

void give_registration(Call& call, dispatch::Registration registration) {
  auto shared = std::make_shared<dispatch::Registration>(std::move(registration));
  auto named = std::make_shared<NamedRegistration>(std::move(shared));
  if (call.command().as.empty()) call.dispatcher()->keep(dispatch::Registration([named] {}, false));
  call.result(Object(std::move(named), "registration"));
}

autocast::CastPolicy policy_argument(Call& call) {
  const std::string word = call.arguments().text("policy");
  const auto policy = autocast::cast_policy_named(word);
  if (!policy || *policy == autocast::CastPolicy::kRnn) {
    throw InvalidArgument("autocast.wrap: there is no policy '" + word + "'");
  }
  return *policy;
}

/// CAST-801: until 2.12, accepts the names of two device types only.
DeviceKind one_of_two(const Value& device) {
  const auto* text = device.get_if<std::string>();
  if (text != nullptr && *text == "cpu") return DeviceKind::kCpu;
  if (text != nullptr && *text == "cuda") return DeviceKind::kCuda;
  throw Error(ErrorKind::kValue, "unknown device type for a custom autocast rule: " +
                                     (text != nullptr ? *text : std::string(kind_of(device))));
}

/// PyTorch in Python has no names for the keys of these kinds ([DEV] of CAST-801).
bool has_nameless_key(DeviceKind kind) {
  return kind == DeviceKind::kXla || kind == DeviceKind::kMtia || kind == DeviceKind::kMaia;
}

DeviceKind ruled_device(const Value& device, const Contract& contract) {
  if (contract.release < Release::k2_13) return one_of_two(device);
  const auto* text = device.get_if<std::string>();
  require(text != nullptr, ErrorKind::kType, [&] {
    return "a custom autocast rule needs the text of a device type, not " +
           std::string(kind_of(device));
  });
  const DeviceKind kind = device_from_text(*text, contract).kind;
  require(text->find(':') == std::string::npos,
          [&] { return "expected a device type without an index, got " + *text; });
  require(autocast::is_available(kind), ErrorKind::kValue,
          [&] { return "the device type " + *text + " does not support autocast"; });
  require(contract.is_strict || !has_nameless_key(kind), ErrorKind::kAttribute,
          [&] { return "the autocast key of " + *text + " has no name in Python"; });
  return kind;
}

/// CAST-804: until 2.12, a device's first rule cannot be replaced.
void expect_no_rule(Call& call, const OperatorName& name, Key key) {
  const Operator* const op = call.dispatcher()->find(name);
  require(op == nullptr || op->state()->newest_at(key) == nullptr, [&] {
    return name.text() + ": there is already a kernel registered for " + dispatch::name_of(key);
  });
}

}  // namespace

void autocast_is_eligible(Call& call) {
  call.result(Value(autocast::is_eligible(call.tensor("tensor"), autocast_device(call))));
}

void autocast_cached_cast(Call& call) {
  const Value& given = call.arguments().value("value");
  const Cast cast{call.dtype("to"), autocast_device(call)};
  if (const auto* list = given.get_if<List>()) {
    List mapped;
    for (const Value& item : list->items) {
      mapped.items.push_back(cast_item(call, cast, item, mapped.items.size()));
    }
    return call.set("result", std::move(mapped));
  }
  const auto tensor = tensor_in(call, given);
  if (!tensor || !tensor->defined()) return call.result(given);
  call.result(autocast::cached_cast(cast.to, *tensor, cast.device));
}

void autocast_prioritize(Call& call) {
  const Dtype decided = prioritized(call, call.dtype("current"), call.arguments().value("value"),
                                    autocast_device(call));
  call.result(Value(to_waist(decided)));
}

void autocast_promote_type(Call& call) {
  const DeviceKind device = autocast_device(call);
  Dtype decided = call.dtype("start");
  for (const Value& value : call.arguments().items("args")) {
    decided = prioritized(call, decided, value, device);
  }
  call.result(Value(to_waist(decided)));
}

void autocast_set_opt_dtype(Call& call) {
  const auto filled = autocast::set_opt_dtype(call.dtype("to"), call.dtype_or_none("dtype"));
  call.result(Value(to_waist(*filled)));
}

void autocast_first_is_eligible(Call& call) {
  const DeviceKind device = autocast_device(call);
  const auto first = first_tensor(call);
  call.result(Value(first && autocast::first_is_eligible(device, *first)));
}

void autocast_type_from_first(Call& call) {
  const DeviceKind device = autocast_device(call);
  const Dtype to = call.dtype("to");
  const auto first = first_tensor(call);
  if (!first) {
    throw InvalidArgument("autocast.type_from_first: the first argument must be a tensor");
  }
  call.result(Value(to_waist(autocast::type_from_first(device, to, *first))));
}

void autocast_rules(Call& call) {
  List list;
  for (const autocast::Rule& rule : autocast::rules_of(autocast_device(call), call.release())) {
    list.items.emplace_back(rule.op + "=" + std::string(autocast::name_of(rule.policy)));
  }
  call.set("result", std::move(list));
}

void autocast_wrap(Call& call) {
  const OperatorName op = dispatch::parse_name(call.arguments().text("op"), call.contract());
  autocast::WrapOptions options{policy_argument(call), autocast_device(call),
                                call.arguments().text("to", "")};
  if (options.target.empty() && options.policy == autocast::CastPolicy::kFp32AppendDtype) {
    options.target = autocast::append_target(op.text());
  }
  const std::string debug = "autocast_" + std::string(autocast::name_of(options.policy));
  const Key key = autocast::key_of(options.device);
  give_registration(call, call.dispatcher()->implement(
                              op, key, autocast::boxed_wrapper(std::move(options)), debug));
}

void autocast_register(Call& call) {
  if (call.release() < Release::k2_11) throw NotSupported("register_autocast came with 2.6");
  const DeviceKind device = ruled_device(call.arguments().value("device"), call.contract());
  const OperatorName op = dispatch::parse_name(call.arguments().text("op"), call.contract());
  const Key key = autocast::key_of(device);
  const auto dispatcher = call.dispatcher();
  dispatcher->find_schema(op);  // raises if there is none
  if (call.release() < Release::k2_13) expect_no_rule(call, op, key);
  give_registration(
      call, dispatcher->implement(op, key, autocast::fixed_wrapper(device, call.dtype("dtype")),
                                  "autocast_rule"));
}

}  // namespace assay::cuda
