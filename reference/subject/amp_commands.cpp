// Area amp: the two operators, their schemas and their launch plan.
#include <algorithm>

#include "reference/amp/binding.hpp"
#include "reference/amp/launch_plan.hpp"
#include "reference/amp/operators.hpp"
#include "reference/amp/unscale_and_update.hpp"
#include "reference/core/math/launch.hpp"
#include "reference/core/tensor/factory.hpp"
#include "reference/core/types/element.hpp"
#include "reference/subject/command_table.hpp"

namespace assay::reference {
namespace {

constexpr const char* kUpdateScale = "_amp_update_scale_";
constexpr const char* kUnscale = "_amp_foreach_non_finite_check_and_unscale_";

/// The device for tensors made from numbers, whose kernel `route: kernel` calls.
Device device_of_call(Call& call) {
  return call.runtime().resolve(call.device_or_none("device").value_or(call.runtime().home()));
}

/// Converts a value to a binding argument; null means that it was omitted.
BoundArgument bindable(Call& call, const Value* value) {
  if (value == nullptr) return MissingArgument{};
  if (const auto* truth = value->get_if<bool>()) return *truth;
  if (const auto* integer = value->get_if<std::int64_t>()) return *integer;
  if (const auto* real = value->get_if<double>()) return *real;
  if (value->tensor() != nullptr || value->sparse() != nullptr) return call.tensor_from(*value);
  if (const auto* ref = value->get_if<Ref>()) {
    const Object object = call.names().get(ref->name);
    if (object.is<TensorImpl>()) return Tensor(object.as<TensorImpl>());
    return ForeignArgument{std::string(object.kind())};
  }
  return ForeignArgument{std::string(kind_of(*value))};
}

/// A one-element argument: a tensor, or a number that is converted and returned as a number.
struct ScalarArgument {
  Tensor tensor;
  bool was_number = false;
};

Tensor tensor_of_integer(Runtime& runtime, std::int64_t value, Device device) {
  check(value == static_cast<std::int32_t>(value), [&] {
    return "value " + std::to_string(value) + " cannot be converted to int without overflow";
  });
  Tensor made = scalar_tensor(runtime, 0, ScalarType::kInt, device);
  set_integer_at(made, 0, value);
  return made;
}

/// `dtype` applies to a tensor made from a number: float32 also accepts ints, int32 only ints.
ScalarArgument scalar_argument(Call& call, const ArgumentPlace& place, const char* name,
                               ScalarType dtype) {
  const Value* value = call.arguments().optional(name);
  const BoundArgument bound = bindable(call, value);
  const Uncounted uncounted(call.runtime());
  const auto* integer = std::get_if<std::int64_t>(&bound);
  const auto* real = std::get_if<double>(&bound);
  if (integer != nullptr || real != nullptr) call.refuse_values_in_capture();
  if (dtype == ScalarType::kInt && integer != nullptr) {
    return {tensor_of_integer(call.runtime(), *integer, device_of_call(call)), true};
  }
  if (dtype == ScalarType::kFloat && (integer != nullptr || real != nullptr)) {
    const double number = real != nullptr ? *real : static_cast<double>(*integer);
    return {scalar_tensor(call.runtime(), number, dtype, device_of_call(call)), true};
  }
  return {bind_tensor(bound, place), false};
}

Value given_back(Call& call, const ScalarArgument& scalar, const Tensor& tensor) {
  if (!scalar.was_number) return call.give(tensor);
  wait_for_stream(call.runtime(), tensor.device());
  if (tensor.dtype() == ScalarType::kInt) return integer_at(tensor, 0);
  return real_at(tensor, 0);
}

enum class Variant { kInPlace, kFunctional, kOut };

Variant variant_of(Call& call) {
  const std::string name = call.arguments().text("variant", "in_place");
  if (name == "in_place") return Variant::kInPlace;
  if (name == "functional") return Variant::kFunctional;
  if (name == "out") return Variant::kOut;
  throw NotSupported("no variant '" + name + "'");
}

bool goes_to_kernel(Call& call, Variant variant) {
  const std::string route = call.arguments().text("route", "dispatch");
  if (route == "dispatch") return false;
  if (route != "kernel") throw NotSupported("no route '" + route + "'");
  if (variant != Variant::kInPlace) throw NotSupported("kernels exist only in place");
  return true;
}

ArgumentPlace update_place(const char* name, int position) {
  return {kUpdateScale, name, position};
}

struct UpdateArguments {
  ScalarArgument scale;
  ScalarArgument tracker;
  ScalarArgument found_inf;
  ScaleFactors factors;

  UpdateScaleTensors tensors() const { return {scale.tensor, tracker.tensor, found_inf.tensor}; }
};

ScaleFactors factor_arguments(Call& call) {
  Arguments& given = call.arguments();
  ScaleFactors factors;
  factors.growth =
      bind_double(bindable(call, given.optional("growth")), update_place("scale_growth_factor", 4));
  factors.backoff = bind_double(bindable(call, given.optional("backoff")),
                                update_place("scale_backoff_factor", 5));
  factors.interval =
      bind_int(bindable(call, given.optional("interval")), update_place("growth_interval", 6));
  return factors;
}

UpdateArguments update_arguments(Call& call) {
  UpdateArguments made;
  made.scale = scalar_argument(call, update_place("self", 1), "scale", ScalarType::kFloat);
  made.tracker =
      scalar_argument(call, update_place("growth_tracker", 2), "tracker", ScalarType::kInt);
  made.found_inf =
      scalar_argument(call, update_place("found_inf", 3), "found_inf", ScalarType::kFloat);
  made.factors = factor_arguments(call);
  return made;
}

/// Both results of a functional call; the second one is the tracker itself if it was updated.
UpdateScaleResult update_elsewhere(Call& call, const UpdateArguments& given, Variant variant) {
  if (variant == Variant::kFunctional) {
    return amp_update_scale(call.runtime(), given.tensors(), given.factors);
  }
  const Tensor& scale = given.scale.tensor;
  const Tensor out = empty(call.runtime(), scale.sizes(), scale.dtype(), scale.device());
  amp_update_scale_out(call.runtime(), given.tensors(), given.factors, out);
  return {out, given.tracker.tensor};
}

Tensor update_in_place(Call& call, const UpdateArguments& given) {
  if (!goes_to_kernel(call, Variant::kInPlace)) {
    return amp_update_scale_(call.runtime(), given.tensors(), given.factors);
  }
  const DeviceType kernel = device_of_call(call).type;
  return update_scale_kernel(call.runtime(), kernel, given.tensors(), given.factors);
}

std::vector<Tensor> grads_argument(Call& call) {
  const Value* value = call.arguments().optional("grads");
  const ArgumentPlace place = {kUnscale, "self", 1};
  const std::vector<Value>* items = nullptr;
  if (value != nullptr) {
    if (const auto* list = value->get_if<List>()) items = &list->items;
    if (const auto* tuple = value->get_if<Tuple>()) items = &tuple->items;
  }
  if (items == nullptr) {
    const std::string kind = value == nullptr ? "nothing" : std::string(kind_of(*value));
    throw Error(ErrorKind::kType, place.op + "(): argument '" + place.name +
                                      "' (position 1) must be a tuple of Tensors, not " + kind);
  }
  std::vector<Tensor> grads;
  for (const Value& item : *items) grads.push_back(bind_tensor(bindable(call, &item), place));
  return grads;
}

Value by_value(Call& call, const std::vector<Tensor>& tensors) {
  List list;
  for (const Tensor& tensor : tensors) list.items.push_back(call.by_value(tensor));
  return list;
}

/// New tensors receive the gradients; the flag is written in place.
UnscaleResult unscale_to_out(Call& call, const UnscaleTensors& tensors) {
  std::vector<Tensor> out;
  for (const Tensor& grad : tensors.grads) {
    out.push_back(empty(call.runtime(), grad.sizes(), grad.dtype(), grad.device()));
  }
  amp_unscale_out(call.runtime(), tensors, out);
  return {out, tensors.found_inf};
}

void unscale_in_place(Call& call, const UnscaleTensors& tensors) {
  if (!goes_to_kernel(call, Variant::kInPlace)) return amp_unscale_(call.runtime(), tensors);
  unscale_kernel(call.runtime(), device_of_call(call).type, tensors);
}

/// A plan lists every block, so longer plans would exhaust the memory.
constexpr std::int64_t kMostPlanned = std::int64_t{1} << 36;

std::vector<std::int64_t> counts_to_plan(Call& call) {
  std::vector<std::int64_t> counts = call.arguments().integers("counts");
  std::int64_t left = kMostPlanned;
  for (const std::int64_t count : counts) {
    if (count > left) throw NotSupported("amp.plan: more than 2^36 elements");
    left -= std::max<std::int64_t>(count, 0);
  }
  return counts;
}

}  // namespace

void amp_update_scale(Call& call) {
  const UpdateArguments given = update_arguments(call);
  const Variant variant = variant_of(call);
  device_of_call(call);
  bool is_same = false;
  if (variant == Variant::kInPlace) {
    is_same = update_in_place(call, given).is_same(given.scale.tensor);
  } else {
    goes_to_kernel(call, variant);
    const UpdateScaleResult result = update_elsewhere(call, given, variant);
    is_same = result.scale.is_same(given.scale.tensor);
    call.set("result", given_back(call, given.scale, result.scale));
    if (variant == Variant::kFunctional) {
      call.set("result_tracker", given_back(call, given.tracker, result.growth_tracker));
    }
  }
  call.set("scale", given_back(call, given.scale, given.scale.tensor));
  call.set("tracker", given_back(call, given.tracker, given.tracker.tensor));
  call.set("found_inf", given_back(call, given.found_inf, given.found_inf.tensor));
  call.set("same", is_same);
}

void amp_unscale(Call& call) {
  UnscaleTensors tensors;
  tensors.grads = grads_argument(call);
  const ScalarArgument found_inf =
      scalar_argument(call, {kUnscale, "found_inf", 2}, "found_inf", ScalarType::kFloat);
  tensors.found_inf = found_inf.tensor;
  tensors.inv_scale =
      scalar_argument(call, {kUnscale, "inv_scale", 3}, "inv_scale", ScalarType::kFloat).tensor;
  const Variant variant = variant_of(call);
  device_of_call(call);
  if (variant == Variant::kInPlace) {
    unscale_in_place(call, tensors);
  } else {
    goes_to_kernel(call, variant);
    const UnscaleResult result = variant == Variant::kOut ? unscale_to_out(call, tensors)
                                                          : amp_unscale(call.runtime(), tensors);
    call.set("result", by_value(call, result.grads));
    if (variant == Variant::kFunctional) {
      call.set("result_found_inf", given_back(call, found_inf, result.found_inf));
    }
  }
  call.set("grads", by_value(call, tensors.grads));
  call.set("found_inf", given_back(call, found_inf, tensors.found_inf));
}

void amp_unscale_and_update(Call& call) {
  UnscaleAndUpdateTensors tensors;
  tensors.unscale.grads = grads_argument(call);
  const ScalarArgument found_inf =
      scalar_argument(call, {kUnscale, "found_inf", 2}, "found_inf", ScalarType::kFloat);
  tensors.unscale.found_inf = found_inf.tensor;
  tensors.unscale.inv_scale =
      scalar_argument(call, {kUnscale, "inv_scale", 3}, "inv_scale", ScalarType::kFloat).tensor;
  const ScalarArgument scale =
      scalar_argument(call, update_place("self", 1), "scale", ScalarType::kFloat);
  const ScalarArgument tracker =
      scalar_argument(call, update_place("growth_tracker", 2), "tracker", ScalarType::kInt);
  tensors.scale = scale.tensor;
  tensors.growth_tracker = tracker.tensor;
  const ScaleFactors factors = factor_arguments(call);
  device_of_call(call);
  amp_unscale_and_update_(call.runtime(), tensors, factors);
  call.set("grads", by_value(call, tensors.unscale.grads));
  call.set("found_inf", given_back(call, found_inf, found_inf.tensor));
  call.set("scale", given_back(call, scale, scale.tensor));
  call.set("tracker", given_back(call, tracker, tracker.tensor));
}

void amp_schemas(Call& call) {
  List list;
  for (const std::string& schema : amp_schemas()) list.items.emplace_back(schema);
  call.result(Value(std::move(list)));
}

void amp_plan(Call& call) {
  const LaunchLimits limits = {call.arguments().integer("most_tensors"),
                               call.arguments().integer("most_blocks")};
  if (limits.most_tensors < 1 || limits.most_blocks < 1) {
    throw InvalidArgument("amp.plan: a launch must carry at least one tensor and one block");
  }
  const bool drops_tail = call.contract().release == Release::k1_13;  // AMP-303
  List blocks;
  for (const Launch& launch : plan_launches(counts_to_plan(call), limits, drops_tail)) {
    blocks.items.emplace_back(static_cast<std::int64_t>(launch.size()));
  }
  call.result(Value(std::move(blocks)));
}

}  // namespace assay::reference
