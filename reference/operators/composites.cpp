// Composite operators, whose parts may have autocast rules (CAST-114, CAST-1004).
#include <algorithm>
#include <limits>
#include <numeric>

#include "reference/core/types/error.hpp"
#include "reference/operators/call.hpp"
#include "reference/operators/operator.hpp"

namespace assay::reference {
namespace {

Tensor as_batch(Dispatcher& dispatcher, const Tensor& matrix) {
  return call_tensor(
      dispatcher, "aten::reshape",
      {IValue(matrix), boxed(std::vector<std::int64_t>{1, matrix.size(0), matrix.size(1)})});
}

/// The product of two matrices, computed as a batch of one, or element by element.
IValue einsum_kernel(Dispatcher& dispatcher, const BoxedArguments& args) {
  args[0].expect_kind("String");
  const auto& equation = std::get<std::string>(args[0].payload());
  const std::vector<Tensor> operands = args.tensors(1);
  if (equation == "ij,ij->ij" && operands.size() == 2) {
    return IValue(
        call_tensor(dispatcher, "aten::mul.Tensor", {IValue(operands[0]), IValue(operands[1])}));
  }
  if (equation != "ij,jk->ik" || operands.size() != 2) {
    throw MissingFeature("there is no einsum of '" + equation + "' here");
  }
  const Tensor product = call_tensor(
      dispatcher, "aten::bmm",
      {IValue(as_batch(dispatcher, operands[0])), IValue(as_batch(dispatcher, operands[1]))});
  return IValue(call_tensor(
      dispatcher, "aten::reshape",
      {IValue(product), boxed(std::vector<std::int64_t>{product.size(1), product.size(2)})}));
}

// Products over several dimensions, and of several matrices, call `mm` (CAST-1007).

using DimList = std::vector<std::int64_t>;

IValue boxed_dim(std::int64_t value) { return IValue(value); }

Tensor reshaped_to(Dispatcher& dispatcher, const Tensor& tensor, const Shape& sizes) {
  if (tensor.sizes() == sizes) return tensor;
  return call_tensor(dispatcher, "aten::reshape", {IValue(tensor), boxed(sizes)});
}

Tensor matrix_product(Dispatcher& dispatcher, const Tensor& left, const Tensor& right) {
  return call_tensor(dispatcher, "aten::mm", {IValue(left), IValue(right)});
}

/// Permutes the dimensions by operators with derivatives.
Tensor in_order(Dispatcher& dispatcher, Tensor tensor, const DimList& order) {
  DimList at(order.size());
  std::iota(at.begin(), at.end(), 0);
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto found =
        static_cast<std::size_t>(std::find(at.begin(), at.end(), order[i]) - at.begin());
    if (found == i) continue;
    tensor = call_tensor(dispatcher, "aten::transpose.int",
                         {IValue(tensor), boxed_dim(static_cast<std::int64_t>(i)),
                          boxed_dim(static_cast<std::int64_t>(found))});
    std::swap(at[i], at[found]);
  }
  return tensor;
}

DimList wrapped_dims(const DimList& dims, const Tensor& tensor) {
  DimList found;
  for (const std::int64_t dim : dims) found.push_back(wrap_dim(dim, tensor.dim()));
  return found;
}

DimList dims_besides(const DimList& dims, const Tensor& tensor) {
  DimList found;
  for (std::int64_t dim = 0; dim < tensor.dim(); ++dim) {
    if (std::find(dims.begin(), dims.end(), dim) == dims.end()) found.push_back(dim);
  }
  return found;
}

Shape sizes_of_dims(const Tensor& tensor, const DimList& dims) {
  Shape sizes;
  for (const std::int64_t dim : dims) sizes.push_back(tensor.size(dim));
  return sizes;
}

Tensor summed_over(Dispatcher& dispatcher, const Tensor& tensor, std::int64_t dim) {
  return call_tensor(dispatcher, "aten::sum.dim_IntList",
                     {IValue(tensor), boxed(DimList{dim}), IValue(true)});
}

/// If a dimension has size 1 in one operand, first sums the other one over it.
void match_sizes(Dispatcher& dispatcher, Tensor& left, std::int64_t left_dim, Tensor& right,
                 std::int64_t right_dim) {
  const std::int64_t here = left.size(left_dim);
  const std::int64_t there = right.size(right_dim);
  if (here == there) return;
  check(here == 1 || there == 1, [&] {
    return "contracted dimensions need to match, but first has size " + std::to_string(here) +
           " in dim " + std::to_string(left_dim) + " and second has size " + std::to_string(there) +
           " in dim " + std::to_string(right_dim);
  });
  Tensor& longer = here == 1 ? right : left;
  longer = summed_over(dispatcher, longer, here == 1 ? right_dim : left_dim);
}

DimList joined_dims(DimList first, const DimList& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

/// Full contraction, which since 2.11 does not use matrices.
Tensor contracted_wholly(Dispatcher& dispatcher, const Tensor& left, const Tensor& right) {
  const Tensor first = reshaped_to(dispatcher, left, {left.numel()});
  const Tensor product =
      call_tensor(dispatcher, "aten::dot",
                  {IValue(first), IValue(reshaped_to(dispatcher, right, {right.numel()}))});
  return reshaped_to(dispatcher, product, {});
}

IValue tensordot_kernel(Dispatcher& dispatcher, const BoxedArguments& args) {
  Tensor left = args.tensor(0);
  Tensor right = args.tensor(1);
  const bool is_new = dispatcher.runtime().contract().release >= Release::k2_11;
  check(!is_new || left.dtype() == right.dtype(),
        [] { return "both inputs should have same dtype"; });
  const DimList left_dims = wrapped_dims(args.integers(2), left);
  const DimList right_dims = wrapped_dims(args.integers(3), right);
  check(left_dims.size() == right_dims.size(),
        [] { return "both dimension lists should have same length"; });
  for (std::size_t i = 0; i < left_dims.size(); ++i) {
    match_sizes(dispatcher, left, left_dims[i], right, right_dims[i]);
  }
  const DimList left_kept = dims_besides(left_dims, left);
  const DimList right_kept = dims_besides(right_dims, right);
  const Tensor rows = in_order(dispatcher, left, joined_dims(left_kept, left_dims));
  const Tensor columns = in_order(dispatcher, right, joined_dims(right_dims, right_kept));
  if (is_new && left_kept.empty() && right_kept.empty()) {
    return IValue(contracted_wholly(dispatcher, rows, columns));
  }
  const std::int64_t inner = numel_of(sizes_of_dims(left, left_dims));
  const Shape left_sizes = sizes_of_dims(left, left_kept);
  const Shape right_sizes = sizes_of_dims(right, right_kept);
  const Tensor product =
      matrix_product(dispatcher, reshaped_to(dispatcher, rows, {numel_of(left_sizes), inner}),
                     reshaped_to(dispatcher, columns, {inner, numel_of(right_sizes)}));
  return IValue(reshaped_to(dispatcher, product, joined_dims(left_sizes, right_sizes)));
}

/// Finds the multiplication order with the fewest operations.
class Chain {
 public:
  Chain(Dispatcher& dispatcher, std::vector<Tensor> factors)
      : dispatcher_(dispatcher),
        factors_(std::move(factors)),
        costs_(factors_.size(), std::vector<std::int64_t>(factors_.size(), 0)),
        splits_(factors_.size(), std::vector<std::size_t>(factors_.size(), 0)) {
    for (std::size_t length = 1; length < factors_.size(); ++length) {
      for (std::size_t first = 0; first + length < factors_.size(); ++first) {
        choose(first, first + length);
      }
    }
  }

  Tensor product() const { return product(0, factors_.size() - 1); }

 private:
  /// Takes the first of equal splits; of three matrices, multiplies the left two first.
  void choose(std::size_t first, std::size_t last) {
    std::int64_t& least = costs_[first][last];
    least = std::numeric_limits<std::int64_t>::max();
    for (std::size_t at = first; at < last; ++at) {
      const std::int64_t here =
          costs_[first][at] + costs_[at + 1][last] +
          factors_[first].size(0) * factors_[at].size(1) * factors_[last].size(1);
      const bool is_taken = factors_.size() == 3 ? here <= least : here < least;
      if (!is_taken) continue;
      least = here;
      splits_[first][last] = at;
    }
  }

  Tensor product(std::size_t first, std::size_t last) const {
    if (first == last) return factors_[first];
    const std::size_t at = splits_[first][last];
    const Tensor left = product(first, at);
    return matrix_product(dispatcher_, left, product(at + 1, last));
  }

  Dispatcher& dispatcher_;
  std::vector<Tensor> factors_;
  std::vector<std::vector<std::int64_t>> costs_;
  std::vector<std::vector<std::size_t>> splits_;  ///< index of the last factor of the left part
};

void check_factors(const std::vector<Tensor>& factors) {
  check(factors.size() >= 2, [&] {
    return "multi_dot(): expected at least 2 tensors but got " + std::to_string(factors.size());
  });
  for (std::size_t i = 0; i < factors.size(); ++i) {
    check(factors[i].dtype() == factors[0].dtype(), [&] {
      return "multi_dot(): all tensors must have be the same dtype but tensor 0 is " +
             describe(factors[0]) + " and tensor " + std::to_string(i) + " " + describe(factors[i]);
    });
    const bool is_end = i == 0 || i + 1 == factors.size();
    check(factors[i].dim() == 2 || (is_end && factors[i].dim() == 1), [&] {
      return "multi_dot(): tensor " + std::to_string(i) + " must be 2D but got " +
             std::to_string(factors[i].dim()) + "D";
    });
  }
}

/// The first factor may be a row vector, and the last a column vector.
Tensor chain_product(Dispatcher& dispatcher, std::vector<Tensor> factors) {
  check_factors(factors);
  Shape sizes;
  Tensor& first = factors.front();
  Tensor& last = factors.back();
  if (first.dim() == 2) sizes.push_back(first.size(0));
  if (last.dim() == 2) sizes.push_back(last.size(1));
  if (first.dim() == 1) first = reshaped_to(dispatcher, first, {1, first.size(0)});
  if (last.dim() == 1) last = reshaped_to(dispatcher, last, {last.size(0), 1});
  for (std::size_t i = 1; i < factors.size(); ++i) {
    check(factors[i - 1].size(1) == factors[i].size(0), [&] {
      return "multi_dot(): tensors " + std::to_string(i - 1) + " and " + std::to_string(i) +
             " with shapes " + to_text(factors[i - 1].sizes()) + " and " +
             to_text(factors[i].sizes()) + " cannot be multiplied";
    });
  }
  return reshaped_to(dispatcher, Chain(dispatcher, std::move(factors)).product(), sizes);
}

/// A cell with one gate: a function of the sum of two linear maps.
OpDefinition rnn_cell(const char* name, const char* function) {
  const auto kernel = [=](Dispatcher& dispatcher, const BoxedArguments& args) {
    const auto mapped = [&](std::size_t input, std::size_t weight, std::size_t bias) {
      return call_tensor(dispatcher, "aten::linear", {args[input], args[weight], args[bias]});
    };
    const Tensor gate = call_tensor(
        dispatcher, "aten::add.Tensor",
        {IValue(mapped(0, 2, 4)), IValue(mapped(1, 3, 5)), IValue(Scalar(std::int64_t{1}))});
    return IValue(call_tensor(dispatcher, function, {IValue(gate)}));
  };
  return {.name = name, .place = OpPlace::kComposite, .kernel = kernel};
}

IValue multi_dot_kernel(Dispatcher& dispatcher, const BoxedArguments& args) {
  return IValue(chain_product(dispatcher, args.tensors(0)));
}

IValue chain_matmul_kernel(Dispatcher& dispatcher, const BoxedArguments& args) {
  const std::vector<Tensor> factors = args.tensors(0);
  for (const Tensor& factor : factors) {
    check(factor.dim() == 2,
          [&] { return "chain_matmul takes matrices, not " + describe(factor); });
  }
  return IValue(factors.size() == 1 ? factors[0] : chain_product(dispatcher, factors));
}

}  // namespace

std::vector<OpDefinition> composite_operators() {
  return {
      cross_entropy_operator(),
      {.name = "aten::einsum", .place = OpPlace::kComposite, .kernel = einsum_kernel},
      {.name = "aten::tensordot", .place = OpPlace::kComposite, .kernel = tensordot_kernel},
      rnn_cell("aten::rnn_relu_cell", "aten::relu"),
      rnn_cell("aten::rnn_tanh_cell", "aten::tanh"),
      {.name = "aten::linalg_multi_dot", .place = OpPlace::kComposite, .kernel = multi_dot_kernel},
      {.name = "aten::chain_matmul", .place = OpPlace::kComposite, .kernel = chain_matmul_kernel},
  };
}

}  // namespace assay::reference
