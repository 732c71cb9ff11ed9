// Helpers for scaler cases.
#include "suites/scaler/training.hpp"

namespace assay::suites {

CaseOptions scaling(std::string_view name, std::vector<std::string> clauses,
                    std::function<void(Session&)> body, Where where) {
  return conformance(name, std::move(clauses), std::move(body), where)
      .except(Release::k1_13, DeviceRules::kCpu);
}

TensorValue f32_bits(const std::vector<std::uint64_t>& bits) {
  return from_bits(Dtype::kFloat32, bits);
}

Tensor::Tensor(Session& subject, const Value& value, bool requires_grad)
    : Tensor(&subject, subject.fresh_name("tensor")) {
  Fields with{{"value", value}};
  if (requires_grad) with.set("requires_grad", true);
  subject.send("core.tensor", std::move(with), name_);
}

Tensor Tensor::named(Session& subject, std::string name) { return {&subject, std::move(name)}; }

TensorValue Tensor::read() const {
  return subject_->read<TensorValue>("core.read", {{"tensor", *this}});
}

void Tensor::fill_(double value) const {
  subject_->send("core.fill_", {{"tensor", *this}, {"value", value}});
}

void Tensor::set_grad(Value grad) const {
  subject_->send("core.set_grad", {{"tensor", *this}, {"grad", std::move(grad)}});
}

Value Tensor::grad() const { return subject_->read<Value>("core.grad", {{"tensor", *this}}); }

std::vector<std::uint64_t> Tensor::grad_bits() const { return bits_of(grad()); }

Device Tensor::device() const {
  return subject_->read<Device>("core.info", {{"tensor", *this}}, "device");
}

Tensor parameter(Session& subject, const TensorValue& value, const Value& grad) {
  Tensor tensor(subject, value);
  if (!grad.is_none()) tensor.set_grad(grad);
  return tensor;
}

Tensor parameter(Session& subject, float value, float grad, std::optional<Device> device) {
  if (!device) return parameter(subject, f32({value}), f32({grad}));
  return parameter(subject, on(f32({value}), *device), on(f32({grad}), *device));
}

OptimizerHandle sgd(Session& subject, std::vector<Value> params, double lr, std::string mode) {
  return subject.optim().sgd({.params = std::move(params), .lr = lr, .mode = std::move(mode)});
}

ScalerHandle ready(Session& subject, ScalerOptions options) {
  const ScalerHandle scaler = subject.scaler().make(std::move(options));
  scaler.scale(f32({1}));
  return scaler;
}

OptimizerHandle custom(Session& subject, std::vector<Value> params,
                       const std::function<void(Session&)>& step) {
  const Callable call = subject.callback(subject.fresh_name("step"), subject.block(step));
  return subject.optim().custom({.params = std::move(params), .step = call});
}

OptimizerHandle scaling_aware(Session& subject, std::vector<Value> params,
                              const std::function<void(Session&)>& step) {
  const Callable call = subject.callback(subject.fresh_name("step"), subject.block(step));
  return subject.optim().custom(
      {.params = std::move(params), .step = call, .supports_amp_scaling = true});
}

std::vector<std::uint64_t> bits_of(const Value& value) {
  const TensorValue* tensor = value.tensor();
  if (tensor == nullptr) {
    throw BadReply("a tensor by value was expected, not a " + std::string(kind_of(value)));
  }
  std::vector<std::uint64_t> bits;
  const auto count = static_cast<std::size_t>(tensor->numel());
  for (std::size_t i = 0; i < count; ++i) bits.push_back(tensor->bits_at(i));
  return bits;
}

void expect_scale(const ScalerHandle& scaler, float wanted, Where where) {
  expect_bits(scaler.get_scale(), wanted, where);
}

void expect_scale_bits(const ScalerHandle& scaler, std::uint32_t wanted, Where where) {
  expect_bits(f32_bits(bits_of(scaler.tensors().scale)), f32_bits({wanted}), where);
}

void expect_tracker(const ScalerHandle& scaler, std::int64_t wanted, Where where) {
  expect_equal(scaler.get_growth_tracker(), wanted, where);
}

void expect_stage(const ScalerHandle& scaler, const Value& optimizer, const char* wanted,
                  Where where) {
  expect_equal(scaler.stage(optimizer).stage, wanted, where);
}

void expect_flags(const ScalerHandle& scaler, const Value& optimizer,
                  const std::vector<double>& wanted, Where where) {
  std::vector<std::uint64_t> bits;
  for (const auto& [device, flag] : scaler.found_inf(optimizer)) {
    bits.push_back(bits_of(flag).at(0));
  }
  expect_bits(f32_bits(bits), f32(wanted), where);
}

void expect_no_tensors(const ScalerHandle& scaler, Where where) {
  const ScalerTensors tensors = scaler.tensors();
  expect_true(tensors.scale.is_none(), "there is no scale before the first scale()", where);
  expect_true(tensors.tracker.is_none(), "there is no tracker before the first scale()", where);
}

void iterate(Session& subject, const ScalerHandle& scaler, float grad) {
  scaler.step(sgd(subject, {parameter(subject, 1, grad)}));
  scaler.update();
}

Dict dict_of(std::vector<std::pair<std::string, Value>> items) {
  Dict dict;
  for (auto& [key, value] : items) dict.items.emplace_back(std::move(key), std::move(value));
  return dict;
}

}  // namespace assay::suites
