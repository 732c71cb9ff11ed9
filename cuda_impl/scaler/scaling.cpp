// scale(): multiplies outputs on any device by the scale.
#include "cuda_impl/autograd/functions.hpp"
#include "cuda_impl/operators/copy/copy.hpp"
#include "cuda_impl/scaler/grad_scaler.hpp"

namespace assay::cuda {
namespace {

/// Creates a filled tensor with version 0, as torch.full does.
Tensor filled(const Shape& sizes, const Scalar& value, Dtype dtype, Device device,
              const Contract& contract) {
  const Element element = to_element(value, dtype, contract);  // SCL-102
  Tensor made = empty(sizes, dtype, device);
  fill_elements(made, element);
  return made;
}

Outputs rebuilt_named_tuple(const Outputs& given, Outputs items) {
  // SCL-109: the class is called with the sequence as its only argument.
  require(given.field_names.size() == 1, ErrorKind::kType, [&] {
    return given.type_name + " takes " + std::to_string(given.field_names.size()) +
           " arguments: it cannot be rebuilt from one sequence";
  });
  Outputs rebuilt = Outputs::of(Outputs::Kind::kNamedTuple, {std::move(items)});
  rebuilt.type_name = given.type_name;
  rebuilt.field_names = given.field_names;
  return rebuilt;
}

}  // namespace

void GradScaler::make_scalars(Device home) {
  const Contract& contract = session_->contract();
  const Tensor scale = filled(scalar_sizes(), init_scale_, Dtype::kFloat32, home, contract);
  if (!contract.is_strict) scale_ = scale;  // SCL-103: stays set if creating the tracker fails
  tracker_ = filled(scalar_sizes(), init_tracker_, Dtype::kInt32, home, contract);
  scale_ = scale;
}

void GradScaler::need_scalable(const Tensor& output) const {
  require(release() != Release::k1_13 || output.is_cuda(), ErrorKind::kAssertion, [&] {
    return "scale() takes tensors on CUDA, not " + describe(output);  // SCL-115
  });
}

Tensor GradScaler::scale(const Tensor& output) {
  if (!enabled_) return output;
  need_scalable(output);
  if (!scale_.defined()) make_scalars(output.device());
  return autograd::mul(output, moved_to(scale_, output.device()));
}

Outputs GradScaler::scale(const Outputs& outputs) {
  if (!enabled_) return outputs;  // SCL-116
  if (outputs.kind == Outputs::Kind::kTensor) return Outputs::of(scale(outputs.tensor));
  return scaled(outputs, std::make_shared<Pass>());
}

Tensor GradScaler::scaled_tensor(const Tensor& output, Pass& pass) {
  need_scalable(output);
  if (!pass.scales) {
    if (!scale_.defined()) make_scalars(output.device());
    pass.scales.emplace(scale_);
  }
  return autograd::mul(output, pass.scales->on(output.device()));
}

std::vector<Outputs> GradScaler::all_scaled(const Outputs& outputs,
                                            const std::shared_ptr<Pass>& pass) {
  std::vector<Outputs> items;
  items.reserve(outputs.items.size());
  for (const Outputs& item : outputs.items) items.push_back(scaled(item, pass));
  return items;
}

Outputs GradScaler::scaled_lazily(const Outputs& outputs, const std::shared_ptr<Pass>& pass) {
  return Outputs::lazily(
      [self = shared_from_this(), pass, next = outputs.iterate()]() -> std::optional<Outputs> {
        const std::optional<Outputs> item = next();
        if (!item) return std::nullopt;
        return self->scaled(*item, pass);
      });
}

Outputs GradScaler::scaled(const Outputs& outputs, const std::shared_ptr<Pass>& pass) {
  switch (outputs.kind) {
    case Outputs::Kind::kTensor:
      return Outputs::of(scaled_tensor(outputs.tensor, *pass));
    case Outputs::Kind::kList:
    case Outputs::Kind::kTuple:
      return Outputs::of(outputs.kind, all_scaled(outputs, pass));
    case Outputs::Kind::kNamedTuple:
      return rebuilt_named_tuple(outputs, scaled_lazily(outputs, pass));
    case Outputs::Kind::kIterable:
      return scaled_lazily(outputs, pass);
    case Outputs::Kind::kOther:
      break;
  }
  throw Error(ErrorKind::kValue, "outputs must be a Tensor or an iterable of Tensors");
}

}  // namespace assay::cuda
