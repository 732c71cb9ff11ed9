// Area core: creating tensors, their properties and gradients, conversions, copies, fills and
// views.
#include "cuda_impl/autograd/views.hpp"
#include "cuda_impl/operators/copy/copy.hpp"
#include "cuda_impl/operators/views.hpp"
#include "cuda_impl/subject/call.hpp"

namespace assay::cuda {
namespace {

void require_grad(const Tensor& tensor, bool value) {
  require(tensor.defined(), [] { return "the undefined tensor has no gradient"; });
  const DtypeFacts& type = facts(tensor.dtype());
  require(!value || type.is_floating || type.is_complex,
          [] { return "only Tensors of floating point and complex dtype can require gradients"; });
  require(value || tensor->is_leaf,
          [] { return "you can only change requires_grad flags of leaf variables"; });
  require(!value || !tensor->is_inference || inference_mode(), [] {
    return "Setting requires_grad=True on inference tensor outside InferenceMode is not allowed.";
  });
  tensor->requires_grad = value;
}

Value device_of(Call& call, const Tensor& tensor) {
  if (!tensor.defined()) return {};
  return to_waist(tensor.device(), call.release());
}

/// CORE-11
void check_grad(const Tensor& tensor, const Tensor& grad) {
  require(!grad.is_same(tensor), [] { return "can't assign Variable as its own grad"; });
  const auto refuse = [&](const std::string& what, const std::string& got,
                          const std::string& wanted) {
    throw Error("attempting to assign a gradient of " + what + " '" + got + "' to a tensor of " +
                what + " '" + wanted + "'");
  };
  if (grad.sizes() != tensor.sizes()) {
    refuse("size", to_text(grad.sizes()), to_text(tensor.sizes()));
  }
  if (grad.dtype() != tensor.dtype()) {
    refuse("dtype", std::string(facts(grad.dtype()).cpp_name),
           std::string(facts(tensor.dtype()).cpp_name));
  }
  if (!(grad.device() == tensor.device())) {
    refuse("device", to_text(grad.device()), to_text(tensor.device()));
  }
}

}  // namespace

void core_tensor(Call& call) {
  const bool is_another_s = call.arguments().value("value").is<Ref>();
  Tensor made = call.tensor("value");
  if (is_another_s) made = detach(made);                                     // a tensor of its own
  if (!is_another_s && made.is_cuda() && !made.is_sparse()) wait_for(made);  // as torch.tensor does
  if (call.arguments().boolean("requires_grad", false)) require_grad(made, true);
  call.result(made);
}

void core_undefined(Call& call) { call.result(Tensor()); }

void core_empty(Call& call) {
  const Device device = call.device_or_none("device").value_or(home());
  call.result(empty(call.arguments().integers("shape"), call.dtype("dtype"), device));
}

void core_read(Call& call) { call.set("result", call.read(call.tensor("tensor"))); }

void core_storage(Call& call) {
  const Tensor tensor = call.tensor("tensor");
  require(tensor.defined() && tensor->storage != nullptr, ErrorKind::kNotImplemented,
          [&] { return describe(tensor) + " has no storage"; });
  const auto elements =
      static_cast<std::int64_t>(tensor->storage->size_bytes() / size_bytes(tensor.dtype()));
  call.set("result", call.read(as_strided(tensor, {elements}, {1}, 0)));
  call.set("offset", tensor->offset);
}

void core_info(Call& call) {
  const Tensor tensor = call.tensor("tensor");
  const bool is_defined = tensor.defined();
  call.set("dtype", to_waist(tensor.dtype()));
  call.set("shape", value_of(tensor.sizes()));
  call.set("strides", value_of(tensor.strides()));
  call.set("device", device_of(call, tensor));
  call.set("numel", tensor.numel());
  call.set("dim", tensor.dim());
  call.set("offset", is_defined ? tensor->offset : 0);
  call.set("contiguous", tensor.is_contiguous());
  call.set("dense", tensor.is_dense());
  call.set("defined", is_defined);
  call.set("null", tensor.data() == nullptr);
  call.set("version", static_cast<std::int64_t>(tensor.version()));
  call.set("requires_grad", is_defined && tensor->requires_grad);
  call.set("leaf", !is_defined || tensor->is_leaf);
}

void core_data_ptr(Call& call) {
  const std::string access = call.arguments().text("access");
  if (access != "plain" && access != "const" && access != "mutable") {
    throw InvalidArgument("core.data_ptr: there is no access '" + access + "'");
  }
  const Tensor tensor = call.tensor("tensor");
  const Dtype dtype = call.dtype("dtype");
  require(dtype == tensor.dtype(), [&] {
    return "expected scalar type " + std::string(facts(dtype).cpp_name) + " but found " +
           std::string(facts(tensor.dtype()).cpp_name);
  });
  call.set("null", tensor.data() == nullptr);
}

void core_set_grad(Call& call) {
  const Tensor tensor = call.tensor("tensor");
  const Tensor grad = call.tensor_or_none("grad");
  require(tensor.defined(), [] { return "the undefined tensor has no gradient"; });
  if (grad.defined()) check_grad(tensor, grad);
  tensor.set_grad(grad);
}

void core_grad(Call& call) {
  const Tensor tensor = call.tensor("tensor");
  const Tensor held = tensor.grad();
  if (held.defined()) return call.result(held);
  if (tensor.defined() && !tensor->is_leaf) {
    warn("UserWarning",
         "The .grad attribute of a Tensor that is not a leaf Tensor is being accessed");
  }
  call.result(Value());
}

void core_requires_grad_(Call& call) {
  require_grad(call.tensor("tensor"), call.arguments().boolean("value"));
}

// Conversions, copies and fills.

namespace {

MemoryFormat format(Call& call) {
  const std::string word = call.arguments().text("memory_format", "preserve");
  if (word == "preserve") return MemoryFormat::kPreserve;
  if (word == "contiguous") return MemoryFormat::kContiguous;
  if (word == "channels_last") return MemoryFormat::kChannelsLast;
  throw InvalidArgument("core.to: there is no memory format '" + word + "'");
}

/// CORE-20: 1.13 treats `cpu:0` and `cpu` as different devices.
bool names_another_cpu(Call& call, const Tensor& tensor) {
  if (call.contract().is_strict || call.release() != Release::k1_13) return false;
  if (call.is_none("device") || !tensor.device().is_cpu()) return false;
  const Device wanted = call.device_as_given("device");
  return wanted.is_cpu() && wanted.index == 0;
}

}  // namespace

void core_to(Call& call) {
  const Tensor tensor = call.tensor("tensor");
  ToOptions options;
  options.dtype = call.dtype_or_none("dtype");
  options.device = call.device_or_none("device");
  options.copy = call.arguments().boolean("copy", false) || names_another_cpu(call, tensor);
  options.non_blocking = call.arguments().boolean("non_blocking", false);
  options.format = format(call);
  call.result(autograd::made_of(to(tensor, options, call.contract()), tensor));
}

void core_copy_(Call& call) {
  const Tensor target = call.tensor("dst");
  const bool non_blocking = call.arguments().boolean("non_blocking", false);
  copy_(target, call.tensor("src"), {non_blocking, call.contract()});
  call.result(target);
}

void core_fill_(Call& call) {
  const Tensor target = call.tensor("tensor");
  const Value& value = call.arguments().value("value");
  if (value.tensor() == nullptr && !value.is<Ref>()) {
    fill_(target, call.scalar("value"), call.contract());
    return call.result(target);
  }
  const Tensor filling = call.tensor_from(value);
  require(filling.dim() == 0, [&] {
    return "a tensor is filled with a number or a tensor without dimensions, not " +
           describe(filling);
  });
  copy_(target, clone(filling), {.contract = call.contract()});
  call.result(target);
}

// Views with other shapes.

void core_size(Call& call) {
  const Tensor tensor = call.tensor("tensor");
  const std::int64_t dim = call.arguments().integer("dim");
  require(tensor.dim() > 0, ErrorKind::kIndex, [&] {
    return "Dimension specified as " + std::to_string(dim) + " but tensor has no dimensions";
  });
  const auto index = static_cast<std::size_t>(wrapped_dim(dim, tensor.dim()));
  call.result(Value(tensor.sizes()[index]));
}

void core_as_strided(Call& call) {
  const Tensor tensor = call.tensor("tensor");
  const std::int64_t own_offset = tensor.defined() ? tensor->offset : 0;
  const std::int64_t offset = call.arguments().integer("offset", own_offset);
  const Tensor view = as_strided(tensor, call.arguments().integers("shape"),
                                 call.arguments().integers("strides"), offset);
  call.result(autograd::view_of(view, tensor));
}

void core_expand(Call& call) {
  const Tensor tensor = call.tensor("tensor");
  call.result(autograd::expanded(tensor, call.arguments().integers("shape")));
}

void core_detach(Call& call) { call.result(detach(call.tensor("tensor"))); }

}  // namespace assay::cuda
