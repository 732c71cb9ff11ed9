// Casts arguments and promotes types.
#include "reference/autocast/casts.hpp"

#include "reference/autocast/weight_cache.hpp"
#include "reference/autograd/steps.hpp"
#include "reference/core/runtime.hpp"
#include "reference/core/tensor/view.hpp"

namespace assay::reference {
namespace {

/// CAST-202. XLA tensors count as CUDA (CAST-118).
bool is_of_kind(const Tensor& tensor, CastDevice device) {
  const DeviceType type = tensor.device().type;
  switch (device) {
    case DeviceType::kCuda:
      return type == DeviceType::kCuda || type == DeviceType::kXla;
    case DeviceType::kCpu:
    case DeviceType::kXpu:
    case DeviceType::kIpu:
    case DeviceType::kHpu:
    case DeviceType::kXla:
    case DeviceType::kMps:
    case DeviceType::kMtia:
    case DeviceType::kOrt:
    case DeviceType::kPrivateUse1:
      return type == device;
    default:
      return false;
  }
}

/// CAST-501. Cheap tests come first, and none of them takes a lock (CAST-308).
bool is_cacheable(Runtime& runtime, ScalarType to, const Tensor& tensor, CastDevice device) {
  if (tensor.dtype() != ScalarType::kFloat || !tensor.requires_grad() || !tensor.is_leaf()) {
    return false;
  }
  if (tensor.is_view()) return false;
  if (!is_cache_enabled(runtime)) return false;
  if (to != low_dtype(runtime, device)) return false;
  const Contract& contract = runtime.contract();
  if (contract.at_least(Release::k2_11) && is_inference_mode(runtime)) {
    return false;  // CAST-509
  }
  return contract.before(Release::k2_4) || !static_outputs(runtime).contains(tensor);
}

Tensor converted(Runtime& runtime, ScalarType to, const Tensor& tensor) {
  ++cast_stats(runtime).conversions;
  const GradModeGuard mode(runtime, is_grad_enabled(runtime));
  return cast_to(runtime, tensor, to);
}

/// Since 2.11 a cached tensor always has a cast node, also if it is made under no_grad (CAST-503).
Tensor converted_for_cache(Runtime& runtime, ScalarType to, const Tensor& tensor) {
  const bool forced = runtime.contract().at_least(Release::k2_11);
  const GradModeGuard mode(runtime, forced || is_grad_enabled(runtime));
  return converted(runtime, to, tensor);
}

Tensor from_cache(Runtime& runtime, ScalarType to, const Tensor& tensor) {
  WeightCache& cache = weight_cache(runtime);
  CastStats& stats = cast_stats(runtime);
  if (Tensor known = cache.find(tensor, stats); known.defined()) {
    return known;
  }
  // Converts without holding the cache's lock, so the conversion may call anything (CAST-520).
  return cache.insert(tensor, converted_for_cache(runtime, to, tensor), stats);
}

[[noreturn]] void refuse_type(const Tensor& next, ScalarType low) {
  throw Error("Unexpected floating ScalarType in at::autocast::prioritize: " +
              std::string(cpp_name_of(next.dtype())) + " where autocast's type is " +
              std::string(cpp_name_of(low)));
}

}  // namespace

bool is_eligible(const Tensor& tensor, CastDevice device) {
  if (!tensor.defined() || !is_of_kind(tensor, device)) return false;
  return is_floating(tensor.dtype()) && tensor.dtype() != ScalarType::kDouble;
}

Tensor cached_cast(Runtime& runtime, ScalarType to, const Tensor& tensor, CastDevice device) {
  const bool stays = !is_eligible(tensor, device) || tensor.dtype() == to;
  if (stays) return tensor;
  if (is_cacheable(runtime, to, tensor, device)) return from_cache(runtime, to, tensor);
  return converted(runtime, to, tensor);
}

IValue cached_cast(Runtime& runtime, ScalarType to, const IValue& value, CastDevice device) {
  if (const auto* tensor = std::get_if<Tensor>(&value.payload())) {
    return IValue(cached_cast(runtime, to, *tensor, device));
  }
  const auto* list = std::get_if<IValue::ListPtr>(&value.payload());
  if (list == nullptr) return value;
  IValue::List mapped;  // CAST-206
  for (const IValue& item : **list) {
    const bool is_tensor = item.kind() == "Tensor";
    mapped.push_back(is_tensor ? cached_cast(runtime, to, item, device) : item);
  }
  return IValue(std::make_shared<IValue::List>(std::move(mapped)));
}

ScalarType prioritize(const Runtime& runtime, ScalarType current, const Tensor& next,
                      CastDevice device) {
  check(current != ScalarType::kDouble, [] {
    return "promote type is double in at::autocast::prioritize: autocast cannot promote from "
           "float64";
  });
  const ScalarType low = low_dtype(runtime, device);
  if (!is_eligible(next, device)) return current;
  if (current == ScalarType::kFloat || next.dtype() == ScalarType::kFloat) {
    return ScalarType::kFloat;
  }
  const bool is_fine = current == low && next.dtype() == low;
  if (!is_fine) refuse_type(next, low);  // CAST-409
  return low;
}

ScalarType prioritize(const Runtime& runtime, ScalarType current, const IValue& next,
                      CastDevice device) {
  if (const auto* tensor = std::get_if<Tensor>(&next.payload())) {
    return prioritize(runtime, current, *tensor, device);
  }
  const auto* list = std::get_if<IValue::ListPtr>(&next.payload());
  if (list == nullptr) return current;
  for (const IValue& item : **list) {
    if (item.kind() == "Tensor") current = prioritize(runtime, current, item, device);
  }
  return current;
}

ScalarType promote_type(const Runtime& runtime, ScalarType start, CastDevice device,
                        std::span<const IValue> args) {
  for (const IValue& arg : args) start = prioritize(runtime, start, arg, device);
  return start;
}

ScalarType set_opt_dtype(ScalarType to, std::optional<ScalarType> dtype) {
  return dtype.value_or(to);
}

bool first_is_eligible(CastDevice device, std::span<const IValue> args) {
  if (args.empty() || args.front().kind() != "Tensor") return false;
  return is_eligible(args.front().to_tensor(), device);
}

ScalarType type_from_first(CastDevice device, ScalarType to, std::span<const IValue> args) {
  if (first_is_eligible(device, args)) return to;
  return args.front().to_tensor().dtype();
}

}  // namespace assay::reference
