// The answers to the commands of area amp, for every runtime in C++.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "harness/subject/arguments.hpp"

namespace assay {

/// `Runtime` names the types of a runtime and decides what the runtime decides. Operators and the
/// conversions of their Python binding are found by their names (amp_unscale_, bind_double).
///
///   Call, Tensor, Dtype, Factors
///   UpdateTensors, UnscaleTensors
///   Bindable, Missing, Unaccepted    what its binding takes: a variant of the last two, bool,
///                                    int64, double and Tensor
///   Parameter                        an operator, a name and a position, for messages
///   kFloat32, kInt32
///   schemas()
///   device(call)                     of numbers, and of the kernel for `route: kernel`
///   tensor_of_number(call, given, dtype)    undefined if it is not converted
///   number_in(call, tensor)
///   empty_like(call, tensor)
///   blocks_of_launches(call, counts, limits)
template <typename Runtime>
struct AmpCommandsOf {
  using Call = typename Runtime::Call;
  using Tensor = typename Runtime::Tensor;
  using Dtype = typename Runtime::Dtype;
  using Bindable = typename Runtime::Bindable;
  using Parameter = typename Runtime::Parameter;

  static void update_scale(Call& call) {
    const UpdateArguments given = update_arguments(call);
    const Variant variant = variant_of(call);
    Runtime::device(call);
    const bool is_same = set_new_scale(call, given, variant);
    call.set("scale", given_back(call, given.scale, given.scale.tensor));
    call.set("tracker", given_back(call, given.tracker, given.tracker.tensor));
    call.set("found_inf", given_back(call, given.found_inf, given.found_inf.tensor));
    call.set("same", is_same);
  }

  static void unscale(Call& call) {
    const UnscaleArguments given = unscale_arguments(call);
    const Variant variant = variant_of(call);
    Runtime::device(call);
    set_unscaled(call, given, variant);
    call.set("grads", by_value(call, given.grads));
    call.set("found_inf", given_back(call, given.found_inf, given.found_inf.tensor));
  }

  static void unscale_and_update(Call& call) {
    const UnscaleArguments given = unscale_arguments(call);
    const Operand scale = operand(call, "scale", {kUpdateScale, "self", 1}, Runtime::kFloat32);
    const Operand tracker =
        operand(call, "tracker", {kUpdateScale, "growth_tracker", 2}, Runtime::kInt32);
    const auto factors = factor_arguments(call);
    Runtime::device(call);
    amp_unscale_and_update_(call.context(), {given.tensors(), scale.tensor, tracker.tensor},
                            factors);
    call.set("grads", by_value(call, given.grads));
    call.set("found_inf", given_back(call, given.found_inf, given.found_inf.tensor));
    call.set("scale", given_back(call, scale, scale.tensor));
    call.set("tracker", given_back(call, tracker, tracker.tensor));
  }

  static void schemas(Call& call) {
    List list;
    for (const std::string& schema : Runtime::schemas()) list.items.emplace_back(schema);
    call.result(Value(std::move(list)));
  }

  static void plan(Call& call) {
    const std::int64_t most_tensors = call.arguments().integer("most_tensors");
    const std::int64_t most_blocks = call.arguments().integer("most_blocks");
    if (std::min(most_tensors, most_blocks) < 1) {
      throw InvalidArgument("amp.plan: a launch must have at least one tensor and one block");
    }
    List blocks;
    for (const std::int64_t count :
         Runtime::blocks_of_launches(call, counts_to_plan(call), {most_tensors, most_blocks})) {
      blocks.items.emplace_back(count);
    }
    call.result(Value(std::move(blocks)));
  }

 private:
  static constexpr const char* kUpdateScale = "_amp_update_scale_";
  static constexpr const char* kUnscale = "_amp_foreach_non_finite_check_and_unscale_";

  enum class Variant : std::uint8_t { kInPlace, kFunctional, kOut };

  /// An argument of one element: a tensor, or a number, which is converted, and returned as one.
  struct Operand {
    Tensor tensor;
    bool was_number;
  };
  struct UpdateArguments {
    Operand scale;
    Operand tracker;
    Operand found_inf;
    typename Runtime::Factors factors;

    typename Runtime::UpdateTensors tensors() const {
      return {scale.tensor, tracker.tensor, found_inf.tensor};
    }
  };
  struct UnscaleArguments {
    std::vector<Tensor> grads;
    Operand found_inf;
    Operand inv_scale;

    typename Runtime::UnscaleTensors tensors() const {
      return {grads, found_inf.tensor, inv_scale.tensor};
    }
  };

  /// Returns whether the new scale is the tensor that was given.
  static bool set_new_scale(Call& call, const UpdateArguments& given, Variant variant) {
    const bool by_kernel = goes_to_kernel(call, variant);
    const auto tensors = given.tensors();
    const Tensor& scale = given.scale.tensor;
    if (by_kernel) {
      return update_scale_kernel(call.context(), Runtime::device(call), tensors, given.factors)
          .is_same(scale);
    }
    if (variant == Variant::kInPlace) {
      return amp_update_scale_(call.context(), tensors, given.factors).is_same(scale);
    }
    if (variant == Variant::kOut) {
      const Tensor out = Runtime::empty_like(call, scale);
      amp_update_scale_out(call.context(), tensors, given.factors, out);
      call.set("result", given_back(call, given.scale, out));
      return out.is_same(scale);
    }
    const auto made = amp_update_scale(call.context(), tensors, given.factors);
    call.set("result", given_back(call, given.scale, made.scale));
    call.set("result_tracker", given_back(call, given.tracker, made.growth_tracker));
    return made.scale.is_same(scale);
  }

  static void set_unscaled(Call& call, const UnscaleArguments& given, Variant variant) {
    const bool by_kernel = goes_to_kernel(call, variant);
    const auto tensors = given.tensors();
    if (by_kernel) return unscale_kernel(call.context(), Runtime::device(call), tensors);
    if (variant == Variant::kInPlace) return amp_unscale_(call.context(), tensors);
    if (variant == Variant::kOut) {
      std::vector<Tensor> out;
      for (const Tensor& grad : given.grads) out.push_back(Runtime::empty_like(call, grad));
      amp_unscale_out(call.context(), tensors, out);
      return call.set("result", by_value(call, out));
    }
    const auto made = amp_unscale(call.context(), tensors);
    call.set("result", by_value(call, made.grads));
    call.set("result_found_inf", given_back(call, given.found_inf, made.found_inf));
  }

  static Variant variant_of(Call& call) {
    const std::string name = call.arguments().text("variant", "in_place");
    if (name == "in_place") return Variant::kInPlace;
    if (name == "functional") return Variant::kFunctional;
    if (name == "out") return Variant::kOut;
    throw NotSupported("no variant '" + name + "'");
  }
  static bool goes_to_kernel(Call& call, Variant variant) {
    const std::string route = call.arguments().text("route", "dispatch");
    if (route == "dispatch") return false;
    if (route != "kernel") throw NotSupported("no route '" + route + "'");
    if (variant != Variant::kInPlace) throw NotSupported("kernels exist in place only");
    return true;
  }

  static UpdateArguments update_arguments(Call& call) {
    return {
        .scale = operand(call, "scale", {kUpdateScale, "self", 1}, Runtime::kFloat32),
        .tracker = operand(call, "tracker", {kUpdateScale, "growth_tracker", 2}, Runtime::kInt32),
        .found_inf = operand(call, "found_inf", {kUpdateScale, "found_inf", 3}, Runtime::kFloat32),
        .factors = factor_arguments(call)};
  }
  static UnscaleArguments unscale_arguments(Call& call) {
    return {.grads = gradients(call),
            .found_inf = operand(call, "found_inf", {kUnscale, "found_inf", 2}, Runtime::kFloat32),
            .inv_scale = operand(call, "inv_scale", {kUnscale, "inv_scale", 3}, Runtime::kFloat32)};
  }
  static typename Runtime::Factors factor_arguments(Call& call) {
    const auto given = [&](const char* name) {
      return bindable(call, call.arguments().optional(name));
    };
    [[maybe_unused]] const auto uncounted = call.uncounted();
    return {.growth = bind_double(given("growth"), {kUpdateScale, "scale_growth_factor", 4}),
            .backoff = bind_double(given("backoff"), {kUpdateScale, "scale_backoff_factor", 5}),
            .interval = bind_int(given("interval"), {kUpdateScale, "growth_interval", 6})};
  }

  /// `value` is null for an omitted argument.
  static Bindable bindable(Call& call, const Value* value) {
    using Unaccepted = typename Runtime::Unaccepted;
    if (value == nullptr) return typename Runtime::Missing{};
    if (const auto* truth = value->get_if<bool>()) return *truth;
    if (const auto* integer = value->get_if<std::int64_t>()) return *integer;
    if (const auto* real = value->get_if<double>()) return *real;
    if (value->tensor() != nullptr || value->sparse() != nullptr) return call.tensor_from(*value);
    const auto* ref = value->get_if<Ref>();
    if (ref == nullptr) return Unaccepted{std::string(kind_of(*value))};
    const auto object = call.names().get(ref->name);
    if (object.is_tensor()) return object.tensor();
    return Unaccepted{std::string(object.kind())};
  }
  static Operand operand(Call& call, const char* name, const Parameter& parameter, Dtype dtype) {
    const Bindable given = bindable(call, call.arguments().optional(name));
    const bool is_number =
        std::holds_alternative<std::int64_t>(given) || std::holds_alternative<double>(given);
    if (is_number) call.refuse_values_in_capture();
    [[maybe_unused]] const auto uncounted = call.uncounted();
    const Tensor made = Runtime::tensor_of_number(call, given, dtype);
    if (made.defined()) return {made, true};
    return {bind_tensor(given, parameter), false};
  }
  static std::vector<Tensor> gradients(Call& call) {
    const Parameter parameter = {kUnscale, "self", 1};
    const Value* value = call.arguments().optional("grads");
    const std::vector<Value>* items = nullptr;
    if (value != nullptr) {
      if (const auto* list = value->get_if<List>()) items = &list->items;
      if (const auto* tuple = value->get_if<Tuple>()) items = &tuple->items;
    }
    if (items == nullptr) {
      refuse_argument(parameter, "tuple of Tensors",
                      value == nullptr ? "nothing" : kind_of(*value));
    }
    std::vector<Tensor> grads;
    for (const Value& item : *items) {
      grads.push_back(bind_tensor(bindable(call, &item), parameter));
    }
    return grads;
  }

  static Value given_back(Call& call, const Operand& operand, const Tensor& tensor) {
    return operand.was_number ? Runtime::number_in(call, tensor) : call.give(tensor);
  }
  static Value by_value(Call& call, const std::vector<Tensor>& tensors) {
    List list;
    for (const Tensor& tensor : tensors) list.items.push_back(call.by_value(tensor));
    return list;
  }

  /// A plan lists every block, so longer plans would exhaust the memory.
  static std::vector<std::int64_t> counts_to_plan(Call& call) {
    constexpr std::int64_t kMostPlanned = std::int64_t{1} << 36;
    std::vector<std::int64_t> counts = call.arguments().integers("counts");
    std::int64_t left = kMostPlanned;
    for (const std::int64_t count : counts) {
      if (count > left) throw NotSupported("amp.plan: more than 2^36 elements");
      left -= std::max<std::int64_t>(count, 0);
    }
    return counts;
  }
};

}  // namespace assay
