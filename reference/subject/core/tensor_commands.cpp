// Area core: creating and inspecting tensors, views, gradients, copies, conversions, fills and
// reads.
#include "reference/autograd/engine.hpp"
#include "reference/autograd/leaf.hpp"
#include "reference/autograd/steps.hpp"
#include "reference/core/tensor/copy.hpp"
#include "reference/core/tensor/factory.hpp"
#include "reference/core/tensor/fill.hpp"
#include "reference/core/tensor/view.hpp"
#include "reference/subject/call.hpp"

namespace assay::reference {

void core_tensor(Call& call) {
  Tensor made = call.tensor("value");
  // Always a separate tensor object, even if the value is a reference.
  if (call.arguments().value("value").is<Ref>()) made = detach(made);
  if (call.arguments().boolean("requires_grad", false)) require_grad(call.runtime(), made, true);
  call.result(made);
}

void core_undefined(Call& call) { call.result(Tensor{}); }

void core_read(Call& call) { call.set("result", call.read(call.tensor("tensor"))); }

void core_storage(Call& call) {
  const Tensor of = call.tensor("tensor");
  call.set("result", call.read(storage_of(of)));
  call.set("offset", of.storage_offset());
}

void core_info(Call& call) {
  const Tensor of = call.tensor("tensor");
  call.set("dtype", to_protocol(of.dtype()));
  call.set("shape", to_protocol(of.sizes()));
  call.set("strides", to_protocol(of.strides()));
  call.set("device", answer_or_none([&] { return to_protocol(call.runtime(), of.device()); }));
  call.set("numel", of.numel());
  call.set("dim", of.dim());
  call.set("offset", of.storage_offset());
  call.set("contiguous", of.is_contiguous());
  call.set("dense", of.is_non_overlapping_and_dense());
  call.set("defined", of.defined());
  call.set("null", of.data() == nullptr);
  call.set("version", static_cast<std::int64_t>(of.version()));
  call.set("requires_grad", of.requires_grad());
  call.set("leaf", of.is_leaf());
}

void core_size(Call& call) {
  call.result(call.tensor("tensor").size(call.arguments().integer("dim")));
}

void core_as_strided(Call& call) {
  std::optional<std::int64_t> offset;
  if (call.has("offset")) offset = call.arguments().integer("offset");
  const Tensor tensor = call.tensor("tensor");
  const Tensor view = as_strided(tensor, call.arguments().integers("shape"),
                                 call.arguments().integers("strides"), offset);
  call.result(narrowed_history(call.runtime(), tensor, view));
}

void core_expand(Call& call) {
  call.result(expanded(call.runtime(), call.tensor("tensor"), call.arguments().integers("shape")));
}

void core_detach(Call& call) { call.result(detach(call.tensor("tensor"))); }

void core_data_ptr(Call& call) {
  const std::string word = call.arguments().text("access");
  if (word != "plain" && word != "const" && word != "mutable") {
    throw InvalidArgument("core.data_ptr: there is no access '" + word + "'");
  }
  const Tensor tensor = call.tensor("tensor");
  call.set("null", data_ptr(tensor, call.dtype("dtype")) == nullptr);
}

void core_empty(Call& call) {
  const Device device = call.device_or_none("device").value_or(call.runtime().home());
  call.result(
      empty(call.runtime(), call.arguments().integers("shape"), call.dtype("dtype"), device));
}

void core_set_grad(Call& call) { assign_grad(call.tensor("tensor"), call.tensor_or_none("grad")); }

void core_grad(Call& call) {
  const Tensor tensor = call.tensor("tensor");
  const Tensor held = tensor.grad();
  if (!held.defined()) {
    if (!tensor.is_leaf()) {
      call.runtime().warn("UserWarning",
                          "the .grad of a tensor that is not a leaf is asked for: backward does "
                          "not keep it");
    }
    return call.result(Value());
  }
  call.result(held);
}

void core_requires_grad_(Call& call) {
  require_grad(call.runtime(), call.tensor("tensor"), call.arguments().boolean("value"));
}

void core_backward(Call& call) { backward(call.runtime(), call.tensor("tensor")); }

// Copies, conversions, fills and reads.

namespace {

MemoryFormat format_argument(Call& call) {
  const std::string word = call.arguments().text("memory_format", "preserve");
  const auto format = memory_format_named(word);
  if (!format) throw InvalidArgument("core.to: there is no memory format '" + word + "'");
  return *format;
}

/// A 0-dim source is read as a number if it is on another device, and always in 1.13.
void fill_from(Call& call, const Tensor& tensor, const Tensor& value) {
  check(value.dim() == 0, [&] {
    return "fill_ only supports 0-dimension value tensor but got tensor with " +
           std::to_string(value.dim()) + " dimensions.";
  });
  Runtime& runtime = call.runtime();
  const bool copies = value.device() == tensor.device() && call.contract().at_least(Release::k2_4);
  const bool is_own = value.impl()->storage == tensor.impl()->storage;
  call.result(copies ? copy_(runtime, tensor, is_own ? clone(runtime, value) : value, false)
                     : fill_(runtime, tensor, item(runtime, value)));
}

}  // namespace

void core_to(Call& call) {
  ToOptions options;
  options.dtype = call.dtype_or_none("dtype");
  options.device = call.device_or_none("device");
  options.copy = call.arguments().boolean("copy", false);
  options.non_blocking = call.arguments().boolean("non_blocking", false);
  options.format = format_argument(call);
  call.result(converted(call.runtime(), call.tensor("tensor"), options));
}

void core_copy_(Call& call) {
  const bool non_blocking = call.arguments().boolean("non_blocking", false);
  call.result(copy_(call.runtime(), call.tensor("dst"), call.tensor("src"), non_blocking));
}

void core_fill_(Call& call) {
  const Value& value = call.arguments().value("value");
  if (value.is<Ref>() || value.tensor() != nullptr) {
    return fill_from(call, call.tensor("tensor"), call.tensor_from(value));
  }
  call.result(fill_(call.runtime(), call.tensor("tensor"), call.scalar("value")));
}

void core_item(Call& call) {
  call.result(to_protocol(item(call.runtime(), call.tensor("tensor"))));
}

}  // namespace assay::reference
