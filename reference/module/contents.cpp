// Compatibility and exchange of tensor contents.
#include "reference/module/contents.hpp"

#include <algorithm>
#include <utility>

#include "reference/autograd/leaf.hpp"

namespace assay::reference {
namespace {

bool is_native(const Tensor& tensor) {
  return tensor.device().is_cpu() || tensor.device().is_cuda();
}

void check_unwatched(const Tensor& tensor) {
  const auto lives = [](const std::weak_ptr<void>& handle) { return !handle.expired(); };
  check(std::ranges::none_of(tensor.impl()->watchers, lives),
        [&] { return "cannot swap " + describe(tensor) + ": a weak handle or a graph holds it"; });
}

/// Takes over the view of `from`, but not its version, gradient and hooks.
void take_view(TensorImpl& to, const TensorImpl& from) {
  to.storage = from.storage;
  to.inference = from.inference;
  to.key_set = from.key_set;
  to.dtype = from.dtype;
  to.device = from.device;
  to.sizes = from.sizes;
  to.strides = from.strides;
  to.offset = from.offset;
  to.numel = from.numel;
  to.contiguous = from.contiguous;
  to.dense = from.dense;
  to.sparse = from.sparse == nullptr ? nullptr : std::make_unique<SparseParts>(*from.sparse);
}

}  // namespace

bool is_compatible(const Tensor& tensor, const Tensor& data) {
  if (tensor.layout() != data.layout()) return false;
  if (is_native(tensor) && is_native(data)) {
    return true;
  }
  return tensor.device().type == data.device().type;  // equal device types have equal key sets
}

void set_data(const Tensor& tensor, const Tensor& data) {
  TensorImpl& to = *tensor.impl();
  const TensorImpl& from = *data.impl();
  check(!to.requires_grad || is_floating(from.dtype) || is_complex(from.dtype), [&] {
    return "the data of a tensor that requires gradients must be floating point or complex, not " +
           std::string(name_of(from.dtype));
  });
  // With another dtype or device, an accumulator of an earlier graph must not be reused.
  if (to.dtype != from.dtype || to.device != from.device) to.accumulator.reset();
  take_view(to, from);
}

Tensor shallow_copy(const Tensor& tensor) {
  auto impl = std::make_shared<TensorImpl>();
  take_view(*impl, *tensor.impl());
  impl->version = tensor.impl()->version;
  return Tensor(std::move(impl));
}

void swap_contents(const Tensor& left, const Tensor& right) {
  check_unwatched(left);
  check_unwatched(right);
  if (left.is_same(right)) return;
  poison_accumulator(left);
  poison_accumulator(right);
  std::swap(*left.impl(), *right.impl());
  std::swap(left.impl()->watchers, right.impl()->watchers);
}

}  // namespace assay::reference
