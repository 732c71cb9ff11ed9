// The gradient scaler: scale() of tensors, containers and lazy sequences; step, for optimizers with
// and without support for scaling.
#include "reference/core/math/launch.hpp"
#include "reference/core/tensor/copy.hpp"
#include "reference/core/tensor/factory.hpp"
#include "reference/core/types/element.hpp"
#include "reference/scaler/grad_scaler.hpp"
#include "reference/scaler/multiply.hpp"

namespace assay::reference {

/// The first tensor determines the home device (SCL-101). The scale is created before the tracker
/// and is kept if creating the tracker fails (SCL-103).
void GradScaler::initialise(Device device) {
  const auto* number = std::get_if<Scalar>(&init_scale_);
  check(number != nullptr, ErrorKind::kType,
        [] { return "full(): argument 'fill_value' must be a number, not a text"; });
  scale_ = {};
  scale_ = scalar(*number, ScalarType::kFloat, device);
  try {
    tracker_ = scalar(init_tracker_, ScalarType::kInt, device);
  } catch (const Error&) {
    throw;
  }
}

/// Shared with the lazy sequences of the result, which continue the call later.
class GradScaler::ScaleCall : public std::enable_shared_from_this<ScaleCall> {
 public:
  explicit ScaleCall(std::shared_ptr<GradScaler> scaler) : scaler_(std::move(scaler)) {}

  Nested apply(const Nested& value) {
    return std::visit([&](const auto& held) { return apply_to(held); }, value.value);
  }

 private:
  class Scaled;

  Nested apply_to(const Tensor& tensor) {
    Runtime& runtime = scaler_->runtime_;
    scaler_->check_device(tensor);
    if (!scaler_->scale_.defined()) scaler_->initialise(tensor.device());
    if (!replicas_) replicas_.emplace(scaler_->scale_);
    return {multiply(runtime, tensor, replicas_->on(runtime, tensor.device()))};
  }
  Nested apply_to(const NestedList& list) { return {NestedList{apply_all(list.items)}}; }
  Nested apply_to(const NestedTuple& tuple) { return {NestedTuple{apply_all(tuple.items)}}; }
  /// Constructs the tuple from one iterable, which works only for a single field (SCL-109).
  Nested apply_to(const NestedNamed& named) {
    check(named.names.size() == 1, ErrorKind::kType, [&] {
      return named.type + ".__new__() takes " + std::to_string(named.names.size()) +
             " fields but was given 1 iterable";
    });
    return {NestedNamed{named.type, named.names, {{lazily(items_of(named))}}}};
  }
  Nested apply_to(const std::shared_ptr<LazySequence>& lazy) { return {lazily(lazy)}; }
  Nested apply_to(const NestedOther& other) {
    check(static_cast<bool>(other.iterate), ErrorKind::kValue,
          [&] { return "outputs must be a Tensor or an iterable of Tensors, got " + other.kind; });
    return apply_to(other.iterate());
  }

  std::vector<Nested> apply_all(const std::vector<Nested>& items) {
    std::vector<Nested> scaled;
    for (const Nested& item : items) scaled.push_back(apply(item));
    return scaled;
  }
  std::shared_ptr<LazySequence> lazily(std::shared_ptr<LazySequence> source);
  static std::shared_ptr<LazySequence> items_of(const NestedNamed& named);

  std::shared_ptr<GradScaler> scaler_;
  std::optional<Replicas> replicas_;
};

/// Scales, initializes and checks only when it is consumed (SCL-110).
class GradScaler::ScaleCall::Scaled final : public LazySequence {
 public:
  Scaled(std::shared_ptr<ScaleCall> call, std::shared_ptr<LazySequence> source)
      : call_(std::move(call)), source_(std::move(source)) {}

  std::optional<Nested> next() override {
    const std::optional<Nested> item = source_->next();
    if (!item) return std::nullopt;
    return call_->apply(*item);
  }

 private:
  std::shared_ptr<ScaleCall> call_;
  std::shared_ptr<LazySequence> source_;
};

namespace {

class Items final : public LazySequence {
 public:
  explicit Items(std::vector<Nested> items) : items_(std::move(items)) {}
  std::optional<Nested> next() override {
    if (at_ == items_.size()) return std::nullopt;
    return items_[at_++];
  }

 private:
  std::vector<Nested> items_;
  std::size_t at_ = 0;
};

}  // namespace

std::shared_ptr<LazySequence> GradScaler::ScaleCall::lazily(std::shared_ptr<LazySequence> source) {
  return std::make_shared<Scaled>(shared_from_this(), std::move(source));
}

std::shared_ptr<LazySequence> GradScaler::ScaleCall::items_of(const NestedNamed& named) {
  return std::make_shared<Items>(named.items);
}

/// Before 2.3, every tensor had to be a CUDA tensor (SCL-115).
void GradScaler::check_device(const Tensor& tensor) const {
  const bool is_old = runtime_.contract().release == Release::k1_13;
  check(!is_old || tensor.is_cuda(), ErrorKind::kAssertion,
        [&] { return "a CUDA tensor was expected, got " + describe(tensor); });
}

/// A disabled scaler returns its argument (SCL-116). For a single tensor on the home device, the
/// scale is not copied.
Nested GradScaler::scale(const Nested& outputs) {
  if (!enabled_) return outputs;
  const auto* tensor = std::get_if<Tensor>(&outputs.value);
  if (tensor == nullptr) return std::make_shared<ScaleCall>(shared_from_this())->apply(outputs);
  check_device(*tensor);
  if (!scale_.defined()) initialise(tensor->device());
  const Tensor here = to(runtime_, scale_, {.device = tensor->device(), .non_blocking = true});
  return {multiply(runtime_, *tensor, here)};
}

// step.

/// Reads the flags one by one and adds them on the host; NaN also skips the step (SCL-308).
bool GradScaler::found_any_inf(const PerOptimizer& entry) {
  double sum = 0;
  for (const auto& [device, flag] : entry.found_inf) {
    const double value = read_back(runtime_, flag);
    sum += value;
  }
  return !(sum == 0);
}

/// Follows the order of SCL-301.
std::any GradScaler::step(Optimizer& optimizer, StepCall call) {
  if (!enabled_) return optimizer.step(call);
  check(call.keyword("closure") == nullptr,
        [] { return "a closure by keyword is not supported by the step of an enabled scaler"; });
  check_initialised("step");
  const Entry entry = entry_of(optimizer);
  check(entry->stage != OptState::kStepped,
        [] { return "step was already done for this optimizer, and no update has come since"; });
  if (optimizer.supports_amp_scaling()) {
    return step_scaling_aware(optimizer, call, *entry);
  }
  if (entry->stage == OptState::kReady) {
    unscale_(optimizer);
  }
  check(!entry->found_inf.empty(), ErrorKind::kAssertion,
        [] { return "No inf checks stand recorded for this optimizer: it had no gradients"; });
  std::any returned;
  bool is_skipped = found_any_inf(*entry);
  // Only the flags decide; the gradients are not read again (SCL-311).
  if (!is_skipped) returned = optimizer.step(call);
  entry->stage = OptState::kStepped;
  return returned;
}

/// SCL-602 to SCL-604: the scale multiplied by the preset value, or only the preset value after an
/// explicit unscale_.
void GradScaler::lend_attributes(Optimizer& optimizer, PerOptimizer& entry) {
  if (entry.stage == OptState::kReady) check_inf_per_device(optimizer);
  std::optional<ScalerAttribute> preset = optimizer.grad_scale;
  // SCL-604
  const bool overwrites = runtime_.contract().before(Release::k2_11);
  if (overwrites) preset.reset();
  ScalerAttribute scale = std::monostate{};
  if (entry.stage == OptState::kUnscaled) {
    scale = preset.value_or(std::monostate{});
  } else {
    scale = lent_scale(preset);
  }
  optimizer.found_inf = lent_found_inf(entry);
  optimizer.grad_scale = scale;
}

ScalerAttribute GradScaler::lent_scale(const std::optional<ScalerAttribute>& preset) {
  double factor = 1;
  if (preset) {
    if (const auto* tensor = std::get_if<Tensor>(&*preset)) {
      return multiply(runtime_, scale_, to(runtime_, *tensor, {.device = scale_.device()}));
    }
    const auto* integer = std::get_if<std::int64_t>(&*preset);
    const auto* real = std::get_if<double>(&*preset);
    check(integer != nullptr || real != nullptr, ErrorKind::kType,
          [] { return "unsupported operand types for *: Tensor and None"; });
    factor = real != nullptr ? *real : static_cast<double>(*integer);
  }
  Tensor made = empty(runtime_, scale_.sizes(), ScalarType::kFloat, scale_.device());
  launch(runtime_, made.device(), "mul", [to = borrowed(made), from = borrowed(scale_), factor] {
    const auto product = static_cast<float>(real_at(from, 0)) * static_cast<float>(factor);
    set_real_at(to, 0, static_cast<double>(product));
  });
  count_launch(runtime_, made);
  return made;
}

/// The sum of the flags on the scale's device; the int 0 if there are none (SCL-606).
ScalerAttribute GradScaler::lent_found_inf(const PerOptimizer& entry) {
  if (entry.found_inf.empty()) return std::int64_t{0};
  std::vector<Tensor> flags;
  for (const auto& [device, flag] : entry.found_inf) {
    flags.push_back(to(runtime_, flag, {.device = scale_.device(), .non_blocking = true}));
    count_launch(runtime_, flags.back());
  }
  Tensor made = empty(runtime_, scale_.sizes(), ScalarType::kFloat, scale_.device());
  launch(runtime_, made.device(), "sum", [to = borrowed(made), from = borrowed(flags)] {
    double sum = 0;
    for (const Tensor& flag : from) sum += real_at(flag, 0);
    set_real_at(to, 0, sum);
  });
  return made;
}

/// SCL-601, SCL-608: always calls the optimizer's step, which decides for itself.
std::any GradScaler::step_scaling_aware(Optimizer& optimizer, StepCall& call, PerOptimizer& entry) {
  const Release release = runtime_.contract().release;
  const bool passes_itself = optimizer.takes_grad_scaler() || release == Release::k1_13;
  if (!passes_itself) {
    lend_attributes(optimizer, entry);
  } else {
    if (release != Release::k1_13) {
      runtime_.warn("FutureWarning",
                    "GradScaler is going to stop passing itself as a keyword argument to the "
                    "optimizer: `grad_scaler`");
    }
    call.grad_scaler = shared_from_this();
  }
  const auto take_back = [&] {
    if (passes_itself) return;
    optimizer.grad_scale.reset();
    optimizer.found_inf.reset();
  };
  std::any returned;
  try {
    returned = optimizer.step(call);
  } catch (...) {
    // SCL-605: PyTorch leaves them set, so that the next call multiplies again.
    if (runtime_.contract().strict()) take_back();
    throw;
  }
  entry.stage = OptState::kStepped;
  take_back();
  return returned;
}

}  // namespace assay::reference
