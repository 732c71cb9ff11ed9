// The gradient scaler: scale() of tensors, containers and lazy sequences.
#include "reference/core/tensor/copy.hpp"
#include "reference/scaler/grad_scaler.hpp"
#include "reference/scaler/multiply.hpp"
#include "reference/scaler/replicas.hpp"

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

}  // namespace assay::reference
