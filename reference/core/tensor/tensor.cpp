// The member functions of tensor handles.
#include "reference/core/tensor/tensor.hpp"

namespace assay::reference {
namespace {

// CORE-11
const Shape kUndefinedSizes{0};
const Shape kUndefinedStrides{1};
const Tensor kNoTensor;
const std::shared_ptr<Node> kNoNode;

}  // namespace

const TensorImpl& Tensor::need(const char* what) const {
  check(defined(), [&] { return std::string("the undefined tensor does not have ") + what; });
  return *impl_;
}

bool Tensor::is_alias_of(const Tensor& other) const {
  if (!defined() || !other.defined()) return false;
  return impl_->storage != nullptr && impl_->storage == other.impl_->storage;
}

ScalarType Tensor::dtype() const { return defined() ? impl_->dtype : ScalarType::kUndefined; }

Device Tensor::device() const {
  check(defined(), [] { return "the undefined tensor does not have a device"; });
  return impl_->device;
}

Layout Tensor::layout() const {
  return defined() && impl_->sparse != nullptr ? Layout::kSparse : Layout::kStrided;
}

const Shape& Tensor::sizes() const { return defined() ? impl_->sizes : kUndefinedSizes; }
const Shape& Tensor::strides() const { return defined() ? impl_->strides : kUndefinedStrides; }
std::int64_t Tensor::storage_offset() const { return defined() ? impl_->offset : 0; }
std::int64_t Tensor::numel() const { return defined() ? impl_->numel : 0; }

std::int64_t Tensor::size(std::int64_t dim) const {
  return sizes()[static_cast<std::size_t>(wrap_dim(dim, this->dim()))];
}

bool Tensor::is_contiguous() const { return !defined() || impl_->contiguous; }
bool Tensor::is_non_overlapping_and_dense() const { return !defined() || impl_->dense; }

std::uint8_t* Tensor::data() const {
  if (!defined() || impl_->numel == 0) return nullptr;  // CORE-12
  if (impl_->storage == nullptr || !impl_->storage->has_data()) return nullptr;
  return impl_->storage->data() +
         static_cast<std::size_t>(impl_->offset) * element_size(impl_->dtype);
}

std::int64_t Tensor::offset_of(std::int64_t index) const {
  if (impl_->contiguous) return index;
  std::int64_t offset = 0;
  for (std::size_t dim = impl_->sizes.size(); dim-- > 0;) {
    offset += (index % impl_->sizes[dim]) * impl_->strides[dim];
    index /= impl_->sizes[dim];
  }
  return offset;
}

std::uint64_t Tensor::version() const { return defined() ? impl_->version->load() : 0; }

void Tensor::bump_version() const {
  need("a version").version->fetch_add(1, std::memory_order_relaxed);
}

bool Tensor::requires_grad() const { return defined() && impl_->requires_grad; }

void Tensor::set_requires_grad(bool value) const {
  need("a gradient");
  check(!value || is_floating(dtype()) || is_complex(dtype()), [&] {
    return "only tensors of floating or complex dtype can require gradients, not " +
           std::string(name_of(dtype()));
  });
  check(value || is_leaf(), [] {
    return "requires_grad can be taken from leaf tensors only: detach() the result instead";
  });
  impl_->requires_grad = value;
}

bool Tensor::is_leaf() const { return !defined() || impl_->node == nullptr; }
bool Tensor::is_view() const { return defined() && impl_->view; }
bool Tensor::is_inference() const { return defined() && impl_->inference; }
const Tensor& Tensor::grad() const { return defined() ? impl_->grad : kNoTensor; }
void Tensor::set_grad(Tensor grad) const {
  need("a gradient");
  impl_->grad = std::move(grad);
}
const std::shared_ptr<Node>& Tensor::node() const { return defined() ? impl_->node : kNoNode; }

const Tensor& Tensor::indices() const {
  check(is_sparse(), [&] { return "indices of a tensor that is not sparse: " + describe(*this); });
  return impl_->sparse->indices;
}
const Tensor& Tensor::values() const {
  check(is_sparse(), [&] { return "values of a tensor that is not sparse: " + describe(*this); });
  return impl_->sparse->values;
}
bool Tensor::is_coalesced() const {
  check(is_sparse(), [&] { return "a tensor that is not sparse: " + describe(*this); });
  return impl_->sparse->coalesced;
}

std::string describe(const Tensor& tensor) {
  if (!tensor.defined()) return "undefined tensor";
  return std::string(name_of(tensor.dtype())) + to_text(tensor.sizes()) + " on " +
         to_text(tensor.device());
}

}  // namespace assay::reference
