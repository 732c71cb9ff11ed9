// Gradients of views and copies.
#include "cuda_impl/autograd/views.hpp"

#include <algorithm>

#include "cuda_impl/autograd/record.hpp"
#include "cuda_impl/operators/copy/copy.hpp"
#include "cuda_impl/operators/elementwise.hpp"
#include "cuda_impl/operators/reduce.hpp"
#include "cuda_impl/operators/views.hpp"

namespace assay::cuda::autograd {
namespace {

/// The position of a view in its source.
struct Place {
  Shape sizes;
  Shape strides;
  std::int64_t offset = 0;  ///< relative to the first element of the source
  Shape source_strides;
};

/// Returns whether two positions may refer to one element.
bool may_overlap(const Shape& sizes, const Shape& strides) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] > 1) order.push_back(i);
  }
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return strides[a] < strides[b]; });
  std::int64_t last = 0;  // the largest offset of the smaller strides
  for (const std::size_t dim : order) {
    if (strides[dim] <= last) return true;
    last += (sizes[dim] - 1) * strides[dim];
  }
  return false;
}

Place place_of(const Tensor& view, const Tensor& source) {
  return {view.sizes(), view.strides(), view->offset - source->offset, source.strides()};
}

/// Adds to elements that `target` may have several times.
void add_each(const Tensor& target, const Tensor& added) {
  if (!may_overlap(target.sizes(), target.strides())) return add_(target, added);
  std::int64_t dim = 0;
  while (target.sizes()[static_cast<std::size_t>(dim)] == 1) ++dim;
  for (std::int64_t i = 0; i < target.sizes()[static_cast<std::size_t>(dim)]; ++i) {
    add_each(narrow(target, dim, i, 1), narrow(added, dim, i, 1));
  }
}

/// Of a copy: brings the gradient to the device and the dtype of the source.
class CastNode final : public GradientNode {
 public:
  explicit CastNode(const Tensor& source) : GradientNode("cast", {edge_to(source)}) {}

 private:
  std::vector<Tensor> compute(const Tensor& outcome) override {
    const GradientEdge& edge = edges().front();
    return {made_of(to(outcome, {.dtype = edge.dtype, .device = edge.device}), outcome)};
  }
};

class ViewNode final : public GradientNode {
 public:
  ViewNode(const Tensor& source, Place place)
      : GradientNode("as_strided", {edge_to(source)}), place_(std::move(place)) {}

 private:
  std::vector<Tensor> compute(const Tensor& outcome) override {
    const GradientEdge& edge = edges().front();
    require(!may_overlap(edge.sizes, place_.source_strides), ErrorKind::kNotImplemented,
            [] { return "gradients go back through views of tensors without overlap"; });
    const std::int64_t first = std::min<std::int64_t>(0, place_.offset);
    const std::int64_t end = std::max(extent_of(edge.sizes, place_.source_strides),
                                      place_.offset + extent_of(place_.sizes, place_.strides));
    const Tensor storage = empty({end - first}, outcome.dtype(), outcome.device());
    fill_(storage, Scalar(0));
    const Tensor place = as_strided(storage, place_.sizes, place_.strides, place_.offset - first);
    if (may_overlap(place_.sizes, place_.strides)) {
      add_each(place, outcome);
    } else {
      copy_elements(place, outcome);  // keeps the sign of a zero
    }
    const Tensor part = as_strided(storage, edge.sizes, place_.source_strides, -first);
    const Tensor whole = empty(edge.sizes, outcome.dtype(), outcome.device());
    copy_elements(whole, part);
    return {without_way_back(whole, {outcome}, "as_strided_backward")};
  }

  Place place_;
};

bool carries_gradients(const Tensor& made, const Tensor& source) {
  const DtypeFacts& type = facts(made.dtype());
  return !made.is_same(source) && (type.is_floating || type.is_complex);
}

/// The engine sums and casts the gradient.
std::vector<Tensor> as_it_is(const DerivativeArguments& given) { return {given.gradient}; }
std::vector<Tensor> of_reshape(const DerivativeArguments& given) {
  return {reshaped(given.gradient, given.sizes(0))};
}
std::vector<Tensor> of_transpose(const DerivativeArguments& given) {
  return {transposed(given.gradient)};
}
std::vector<Tensor> of_sum_to(const DerivativeArguments& given) {
  return {expanded(given.gradient, given.sizes(0))};
}

bool was_broadcast(const Shape& from, const Shape& to) {
  return from.size() <= to.size() &&
         std::equal(from.rbegin(), from.rend(), to.rbegin(),
                    [](std::int64_t a, std::int64_t b) { return a == b || a == 1; });
}

/// The dimensions that `sizes` lacks or has with size 1.
Reduced broadcast_dims(const Tensor& tensor, const Shape& sizes) {
  const std::int64_t extra = tensor.dim() - static_cast<std::int64_t>(sizes.size());
  Reduced reduced;
  for (std::int64_t dim = 0; dim < tensor.dim(); ++dim) {
    const std::int64_t size = tensor.sizes()[static_cast<std::size_t>(dim)];
    const bool is_longer = dim >= extra && sizes[static_cast<std::size_t>(dim - extra)] != size;
    if (dim < extra || is_longer) reduced.dims.push_back(dim);
  }
  return reduced;
}

}  // namespace

Tensor made_of(const Tensor& made, const Tensor& source) {
  if (!carries_gradients(made, source) || !is_recorded_by_copy({source})) return made;
  set_history(made, std::make_shared<CastNode>(source));
  return made;
}

Tensor view_of(const Tensor& view, const Tensor& source) {
  if (carries_gradients(view, source) && is_recorded({source})) {
    set_history(view, std::make_shared<ViewNode>(source, place_of(view, source)));
  }
  return view;
}

Tensor expanded(const Tensor& tensor, const Shape& sizes) {
  const Tensor made = expand(tensor, sizes);
  if (made.is_same(tensor)) return made;
  return with_history(made, {tensor}, {.kind = "expand", .derivative = as_it_is});
}

Tensor reshaped(const Tensor& tensor, const Shape& sizes) {
  const Tensor made = reshape(tensor, sizes);
  if (made.is_same(tensor)) return made;
  return with_history(made, {tensor}, {.kind = "reshape", .derivative = of_reshape});
}

Tensor transposed(const Tensor& tensor) {
  if (tensor.dim() < 2) return tensor;
  return with_history(transpose(tensor, -2, -1), {tensor},
                      {.kind = tensor.dim() == 2 ? "t" : "transpose", .derivative = of_transpose});
}

Tensor summed_to(const Tensor& tensor, const Shape& sizes) {
  if (tensor.sizes() == sizes) return tensor;
  require(was_broadcast(sizes, tensor.sizes()), [&] {
    return "invalid gradient: got " + describe(tensor) + ", but expected a shape compatible with " +
           to_text(sizes);
  });
  const Reduced over = broadcast_dims(tensor, sizes);
  const Tensor summed = over.dims.empty() ? tensor : assay::cuda::sum(tensor, over);
  return with_history(reshape(summed, sizes), {tensor}, {.kind = "sum", .derivative = of_sum_to});
}

Tensor narrowed(const Tensor& tensor, std::int64_t dim, std::int64_t start, std::int64_t length) {
  return view_of(narrow(tensor, dim, start, length), tensor);
}

}  // namespace assay::cuda::autograd
