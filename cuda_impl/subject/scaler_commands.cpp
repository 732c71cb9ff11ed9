// Area scaler: creating scalers, and the calls of a training step.
#include "cuda_impl/scaler/grad_scaler.hpp"
#include "cuda_impl/subject/command_table.hpp"
#include "cuda_impl/subject/optim/steps.hpp"
#include "cuda_impl/subject/outputs.hpp"
#include "cuda_impl/subject/scaler_state_commands.hpp"

namespace assay::cuda {
namespace {

ConstructorArgument constructor_argument(const Value& value) {
  if (const auto number = scalar_from(value)) return *number;
  if (const auto* text = value.get_if<std::string>()) return *text;
  return OtherArgument{std::string(kind_of(value))};
}

ScalerClass class_named(const std::string& name) {
  if (name == "torch.amp") return ScalerClass::kTorchAmp;
  if (name == "torch.cuda.amp") return ScalerClass::kTorchCudaAmp;
  if (name == "torch.cpu.amp") return ScalerClass::kTorchCpuAmp;
  throw NotSupported("there is no class GradScaler in " + name);
}

NewScale new_scale_from(Call& call, const Value& value) {
  if (const auto* number = value.get_if<double>()) return *number;
  if (value.tensor() != nullptr || value.sparse() != nullptr) return call.tensor_from(value);
  const Ref* ref = value.get_if<Ref>();
  if (ref == nullptr) return WrongScale{std::string(kind_of(value))};
  const Object object = call.names().get(ref->name);
  if (object.is_tensor()) return object.tensor();
  return WrongScale{std::string(object.kind())};
}

}  // namespace

void scaler_new(Call& call) {
  ConstructorCall asked;
  if (call.has("api")) asked.called = class_named(call.arguments().text("api"));
  asked.cuda_available =
      call.arguments().boolean("cuda_available", home().is_cuda() && Session::cuda_devices() > 0);
  if (call.has("positional")) {
    for (const Value& value : call.arguments().items("positional")) {
      asked.positional.push_back(constructor_argument(value));
    }
  }
  for (const char* name :
       {"device", "init_scale", "growth_factor", "backoff_factor", "growth_interval", "enabled"}) {
    if (const Value* value = call.arguments().optional(name)) {
      asked.named.emplace_back(name, constructor_argument(*value));
    }
  }
  give_scaler(call,
              std::make_shared<GradScaler>(call.session(), options_from(asked, call.release())));
}

void scaler_scale(Call& call) {
  const auto scaler = scaler_argument(call);
  set_outputs_result(call, scaler->scale(outputs_from(call, call.arguments().value("outputs"))));
}

void scaler_next(Call& call) {
  const std::optional<Outputs> item = call.held<LazyOutputs>("lazy", "lazy")->next();
  call.set("done", !item.has_value());
  if (item) return set_outputs_result(call, *item);
  call.set("result", Value());
}

void scaler_unscale_(Call& call) {
  const auto scaler = scaler_argument(call);
  const Ref* given = call.arguments().value("optimizer").get_if<Ref>();
  if (!scaler->is_enabled()) {
    if (given != nullptr) call.names().get(given->name);
    return;  // SCL-214: accepts any existing object
  }
  scaler->unscale_(*optimizer_argument(call));
}

void scaler_step(Call& call) {
  const auto scaler = scaler_argument(call);
  const auto optimizer = optimizer_argument(call);
  set_step_result(call, scaler->step(*optimizer, step_call(call)));
}

void scaler_update(Call& call) {
  const auto scaler = scaler_argument(call);
  if (call.is_none("new_scale")) return scaler->update();
  scaler->update(new_scale_from(call, call.arguments().value("new_scale")));
}

}  // namespace assay::cuda
