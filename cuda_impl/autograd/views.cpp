// The way back through views and copies.
#include "cuda_impl/autograd/views.hpp"

#include <algorithm>

#include "cuda_impl/autograd/node.hpp"
#include "cuda_impl/operators/copy.hpp"
#include "cuda_impl/operators/fill.hpp"

namespace assay::cuda::autograd {
namespace {

/// The engine sums and casts what arrives.
class PassingNode final : public GradientNode {
 public:
  explicit PassingNode(const Tensor& source) : GradientNode({edge_to(source)}) {}

 private:
  std::vector<Tensor> compute(const Tensor& outcome) override { return {outcome}; }
  void release_saved() override {}
};

/// Where a view lies in what it is a view of.
struct Place {
  Shape sizes;
  Shape strides;
  std::int64_t offset = 0;  ///< from the first element of the source
  bool is_simple = false;   ///< a gradient can be put there by one copy
};

/// Two positions may be one element.
bool may_overlap(const Shape& sizes, const Shape& strides) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] > 1) order.push_back(i);
  }
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return strides[a] < strides[b]; });
  std::int64_t last = 0;  // the furthest that smaller strides reach
  for (const std::size_t dim : order) {
    if (strides[dim] <= last) return true;
    last += (sizes[dim] - 1) * strides[dim];
  }
  return false;
}

Place place_of(const Tensor& view, const Tensor& source) {
  Place place{view.sizes(), view.strides(), view->offset - source->offset, false};
  const std::int64_t end = place.offset + extent_of(view.sizes(), view.strides());
  place.is_simple = source.is_contiguous() && place.offset >= 0 && end <= source.numel() &&
                    !may_overlap(view.sizes(), view.strides());
  return place;
}

class ViewNode final : public GradientNode {
 public:
  ViewNode(const Tensor& source, Place place)
      : GradientNode({edge_to(source)}), place_(std::move(place)) {}

 private:
  std::vector<Tensor> compute(const Tensor& outcome) override {
    require(place_.is_simple, ErrorKind::kNotImplemented, [] {
      return "gradients go back through views without overlap, of contiguous tensors";
    });
    const GradientEdge& edge = edges().front();
    const Tensor whole = empty(edge.sizes, outcome.dtype(), outcome.device());
    fill_(whole, Scalar(0));
    copy_elements(as_strided(whole, place_.sizes, place_.strides, place_.offset), outcome);
    return {whole};
  }
  void release_saved() override {}

  Place place_;
};

bool carries_gradients(const Tensor& made, const Tensor& source) {
  const DtypeFacts& type = facts(made.dtype());
  return !made.is_same(source) && source.defined() && source->requires_grad &&
         (type.is_floating || type.is_complex);
}

}  // namespace

Tensor made_of(const Tensor& made, const Tensor& source) {
  if (carries_gradients(made, source)) set_history(made, std::make_shared<PassingNode>(source));
  return made;
}

Tensor view_of(const Tensor& view, const Tensor& source) {
  if (carries_gradients(view, source)) {
    set_history(view, std::make_shared<ViewNode>(source, place_of(view, source)));
  }
  return view;
}

}  // namespace assay::cuda::autograd
