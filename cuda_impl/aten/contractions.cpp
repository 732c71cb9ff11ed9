// Operators composed of others, which have autocast rules (CAST-1004, CAST-1007).
#include <algorithm>
#include <memory>

#include "cuda_impl/aten/cross_entropy.hpp"
#include "cuda_impl/aten/einsum.hpp"
#include "cuda_impl/aten/library.hpp"
#include "cuda_impl/aten/shapes/argument_reader.hpp"
#include "cuda_impl/autograd/record.hpp"
#include "cuda_impl/autograd/views.hpp"
#include "cuda_impl/dispatch/call/boxed_call.hpp"
#include "cuda_impl/dispatch/call/typed_kernel.hpp"
#include "cuda_impl/operators/reduce.hpp"
#include "cuda_impl/operators/views.hpp"

namespace assay::cuda::aten {
namespace {

using dispatch::Entry;
using dispatch::KeySet;
using dispatch::Stack;

/// The operators that composites call; valid as long as the dispatcher.
struct OperatorParts {
  const dispatch::Operator* add;
  const dispatch::Operator* mul;
  const dispatch::Operator* relu;
  const dispatch::Operator* tanh;
  const dispatch::Operator* bmm;
  const dispatch::Operator* linear;
  const dispatch::Operator* mm;
  const dispatch::Operator* dot;
  const dispatch::Operator* log_softmax;
  const dispatch::Operator* nll_loss;
};

Tensor result_by(const dispatch::Operator& op, Stack arguments) {
  call_boxed(op, arguments);
  return arguments.back().tensor();
}

Tensor product_by(const dispatch::Operator& op, const Tensor& left, const Tensor& right) {
  return result_by(op, {Boxed(left), Boxed(right)});
}

std::int64_t count_of(const Shape& sizes) {
  std::int64_t product = 1;
  for (const std::int64_t size : sizes) product *= size;
  return product;
}

/// The dimensions of a tensor: summed ones and the rest.
struct Divided {
  Tensor tensor;
  Shape summed;  ///< dimensions that are summed
  Shape kept;

  Divided(Tensor whole, const Shape& dims) : tensor(std::move(whole)) {
    for (const std::int64_t dim : dims) summed.push_back(wrapped_dim(dim, tensor.dim()));
    for (std::int64_t dim = 0; dim < tensor.dim(); ++dim) {
      if (std::ranges::find(summed, dim) == summed.end()) kept.push_back(dim);
    }
  }

  Shape sizes(const Shape& dims) const {
    Shape found;
    for (const std::int64_t dim : dims) {
      found.push_back(tensor.sizes()[static_cast<std::size_t>(dim)]);
    }
    return found;
  }

  /// Permutes the dimensions and reshapes to a matrix.
  Tensor matrix(const Shape& rows, const Shape& columns) const {
    Shape order = rows;
    order.insert(order.end(), columns.begin(), columns.end());
    Tensor turned = tensor;
    Shape now(order.size());
    for (std::size_t i = 0; i < now.size(); ++i) now[i] = static_cast<std::int64_t>(i);
    for (std::size_t i = 0; i < order.size(); ++i) {
      const auto from = std::ranges::find(now, order[i]) - now.begin();
      if (from == static_cast<std::ptrdiff_t>(i)) continue;
      turned = transpose(turned, static_cast<std::int64_t>(i), from);
      std::swap(now[i], now[static_cast<std::size_t>(from)]);
    }
    if (!turned.is_same(tensor)) turned = autograd::view_of(turned, tensor);
    return autograd::reshaped(turned, {count_of(sizes(rows)), count_of(sizes(columns))});
  }
};

void match_sizes(Divided& left, Divided& right) {
  for (std::size_t i = 0; i < left.summed.size(); ++i) {
    const std::int64_t here = left.sizes(left.summed)[i];
    const std::int64_t there = right.sizes(right.summed)[i];
    require(here == there || here == 1 || there == 1, [&] {
      return "contracted dimensions need to match, but the sizes are " + std::to_string(here) +
             " and " + std::to_string(there);
    });
    if (here == there) continue;
    Divided& longer = here == 1 ? right : left;
    const Tensor whole = longer.tensor;
    longer.tensor = autograd::without_way_back(
        cuda::sum(whole, {.dims = {longer.summed[i]}, .keepdim = true, .dtype = {}}), {whole},
        "sum");
  }
}

Tensor tensordot(const ArgumentReader& given, const OperatorParts& parts, Release release) {
  const bool is_new = release >= Release::k2_11;
  require(!is_new || given.tensor(0).dtype() == given.tensor(1).dtype(),
          [] { return "both inputs should have same dtype"; });
  Divided left(given.tensor(0), given.integers(2));
  Divided right(given.tensor(1), given.integers(3));
  require(left.summed.size() == right.summed.size(),
          [] { return "both dimension lists should have same length"; });
  match_sizes(left, right);
  Shape sizes = left.sizes(left.kept);
  const Shape more = right.sizes(right.kept);
  sizes.insert(sizes.end(), more.begin(), more.end());
  const Tensor rows = left.matrix(left.kept, left.summed);
  const Tensor columns = right.matrix(right.summed, right.kept);
  if (is_new && left.kept.empty() && right.kept.empty()) {
    return product_by(*parts.dot, autograd::reshaped(rows, {rows.numel()}),
                      autograd::reshaped(columns, {columns.numel()}));
  }
  return autograd::reshaped(product_by(*parts.mm, rows, columns), sizes);
}

/// For each range of factors, the split with the fewest multiplications.
struct CheapestOrder {
  const std::vector<Tensor>& factors;
  const dispatch::Operator& mm;

  std::int64_t rows(std::size_t i) const { return factors[i].sizes()[0]; }
  std::int64_t columns(std::size_t i) const { return factors[i].sizes()[1]; }

  /// Indexed by the first and last factor: the last factor of the left part.
  std::vector<std::vector<std::size_t>> splits() const {
    const std::size_t count = factors.size();
    std::vector<std::vector<std::int64_t>> work(count, std::vector<std::int64_t>(count, 0));
    std::vector<std::vector<std::size_t>> best(count, std::vector<std::size_t>(count, 0));
    for (std::size_t last = 1; last < count; ++last) {
      for (std::size_t first = last; first-- > 0;) {
        for (std::size_t at = first; at < last; ++at) {
          const std::int64_t here =
              work[first][at] + work[at + 1][last] + rows(first) * columns(at) * columns(last);
          // On equal cost the right part is computed first, but the left one of three factors.
          const bool is_better =
              here < work[first][last] || (count == 3 && here == work[first][last]);
          if (at > first && !is_better) continue;
          work[first][last] = here;
          best[first][last] = at;
        }
      }
    }
    return best;
  }

  Tensor product(const std::vector<std::vector<std::size_t>>& best, std::size_t first,
                 std::size_t last) const {
    if (first == last) return factors[first];
    const std::size_t at = best[first][last];
    const Tensor left = product(best, first, at);
    return product_by(mm, left, product(best, at + 1, last));
  }
};

Tensor chain_product(const ArgumentReader& given, const OperatorParts& parts, bool has_vectors) {
  std::vector<Tensor> factors = given.tensors(0);
  require(factors.size() >= 2 || !has_vectors,
          [] { return "multi_dot takes two tensors or more"; });
  given.one_type();
  for (std::size_t i = 0; i < factors.size(); ++i) {
    const bool is_end = has_vectors && (i == 0 || i + 1 == factors.size());
    require(factors[i].dim() == 2 || (is_end && factors[i].dim() == 1),
            [&] { return "a chain of products takes matrices, not " + describe(factors[i]); });
  }
  if (factors.size() == 1) return factors[0];
  Shape sizes;
  if (factors.front().dim() == 2) sizes.push_back(factors.front().sizes()[0]);
  if (factors.back().dim() == 2) sizes.push_back(factors.back().sizes()[1]);
  if (factors.front().dim() == 1) {
    factors.front() = autograd::reshaped(factors.front(), {1, factors.front().numel()});
  }
  if (factors.back().dim() == 1) {
    factors.back() = autograd::reshaped(factors.back(), {factors.back().numel(), 1});
  }
  for (std::size_t i = 1; i < factors.size(); ++i) {
    require(factors[i - 1].sizes()[1] == factors[i].sizes()[0], [&] {
      return "the factors " + describe(factors[i - 1]) + " and " + describe(factors[i]) +
             " cannot be multiplied";
    });
  }
  const CheapestOrder order{factors, *parts.mm};
  const Tensor made = order.product(order.splits(), 0, factors.size() - 1);
  return made.sizes() == sizes ? made : autograd::reshaped(made, sizes);
}

Tensor multi_dot(const ArgumentReader& given, const OperatorParts& parts, Release) {
  return chain_product(given, parts, true);
}
Tensor chain_matmul(const ArgumentReader& given, const OperatorParts& parts, Release) {
  return chain_product(given, parts, false);
}

/// `self, target, weight, reduction, ignore_index, label_smoothing`
Tensor cross_entropy(const ArgumentReader& given, const OperatorParts& parts, Release) {
  require_cross_entropy(given);
  const std::int64_t classes = given.sizes(0).size() == 1 ? 0 : 1;
  const Tensor logarithms =
      result_by(*parts.log_softmax, {Boxed(given.tensor(0)), Boxed(classes), Boxed()});
  if (has_class_shares(given)) return loss_of_shares(given, logarithms);
  const Tensor loss =
      result_by(*parts.nll_loss, {Boxed(logarithms), Boxed(given.tensor(1)),
                                  given.has(2) ? Boxed(given.tensor(2)) : Boxed(),
                                  Boxed(given.integer(3)), Boxed(given.integer(4))});
  return given.number(5).real() > 0 ? smoothed_loss(given, logarithms, loss) : loss;
}

/// `input, hx, w_ih, w_hh, b_ih, b_hh`
Tensor rnn_cell(const ArgumentReader& given, const OperatorParts& parts,
                const dispatch::Operator& function) {
  const auto bias = [&](std::size_t at) {
    return given.has(at) ? Boxed(given.tensor(at)) : Boxed();
  };
  const Tensor from_input =
      result_by(*parts.linear, {Boxed(given.tensor(0)), Boxed(given.tensor(2)), bias(4)});
  const Tensor from_state =
      result_by(*parts.linear, {Boxed(given.tensor(1)), Boxed(given.tensor(3)), bias(5)});
  const Tensor gates =
      result_by(*parts.add, {Boxed(from_input), Boxed(from_state), Boxed(Scalar(1))});
  return result_by(function, {Boxed(gates)});
}
Tensor rnn_relu_cell(const ArgumentReader& given, const OperatorParts& parts, Release) {
  return rnn_cell(given, parts, *parts.relu);
}
Tensor rnn_tanh_cell(const ArgumentReader& given, const OperatorParts& parts, Release) {
  return rnn_cell(given, parts, *parts.tanh);
}

Tensor einsum(const ArgumentReader& given, const OperatorParts& parts, Release) {
  const auto multiplied = [&](const Tensor& left, const Tensor& right, bool is_contraction) {
    return product_by(is_contraction ? *parts.bmm : *parts.mul, left, right);
  };
  return contracted(given.text(0), given.tensors(1), multiplied);
}

struct Composite {
  Tensor (*make)(const ArgumentReader&, const OperatorParts&, Release);
};

OperatorParts parts_of(dispatch::Dispatcher& dispatcher) {
  static const dispatch::OperatorName kAdd{"aten::add", "Tensor"};
  static const dispatch::OperatorName kMul{"aten::mul", "Tensor"};
  static const dispatch::OperatorName kRelu{"aten::relu", ""};
  static const dispatch::OperatorName kTanh{"aten::tanh", ""};
  static const dispatch::OperatorName kBmm{"aten::bmm", ""};
  static const dispatch::OperatorName kLinear{"aten::linear", ""};
  static const dispatch::OperatorName kMm{"aten::mm", ""};
  static const dispatch::OperatorName kDot{"aten::dot", ""};
  static const dispatch::OperatorName kLogSoftmax{"aten::log_softmax", "int"};
  static const dispatch::OperatorName kNllLoss{"aten::nll_loss", ""};
  return {.add = &dispatcher.find_schema(kAdd),
          .mul = &dispatcher.find_schema(kMul),
          .relu = &dispatcher.find_schema(kRelu),
          .tanh = &dispatcher.find_schema(kTanh),
          .bmm = &dispatcher.find_schema(kBmm),
          .linear = &dispatcher.find_schema(kLinear),
          .mm = &dispatcher.find_schema(kMm),
          .dot = &dispatcher.find_schema(kDot),
          .log_softmax = &dispatcher.find_schema(kLogSoftmax),
          .nll_loss = &dispatcher.find_schema(kNllLoss)};
}

void run_composite(const Entry& entry, KeySet keys, Stack& stack) {
  const dispatch::Table& table = *entry.table;
  dispatch::expect_depth(table, table.arguments, stack);
  dispatch::report_boxed_start(entry, keys, stack);
  const std::size_t first = stack.size() - table.arguments;
  const Release release = table.layout->release();
  const std::vector<Boxed> values(stack.begin() + static_cast<std::ptrdiff_t>(first), stack.end());
  stack.resize(first);  // before other operators use the stack
  const auto& composite = dispatch::functor_of<Composite>(entry);
  const OperatorParts parts = parts_of(table.op->dispatcher());
  stack.emplace_back(composite.make(ArgumentReader(values, release), parts, release));
}

}  // namespace

std::vector<Definition> composite_definitions() {
  const auto kernel = [](auto make) {
    return dispatch::Kernel::of_boxed(&run_composite, std::make_shared<const Composite>(make));
  };
  return {
      {"chain_matmul(Tensor[] matrices) -> Tensor", kernel(&chain_matmul)},
      {"cross_entropy_loss(Tensor self, Tensor target, Tensor? weight=None, int reduction=Mean, "
       "int ignore_index=-100, float label_smoothing=0.0) -> Tensor",
       kernel(&cross_entropy)},
      {"einsum(str equation, Tensor[] tensors, *, int[]? path=None) -> Tensor", kernel(&einsum)},
      {"linalg_multi_dot(Tensor[] tensors) -> Tensor", kernel(&multi_dot)},
      {"rnn_relu_cell(Tensor input, Tensor hx, Tensor w_ih, Tensor w_hh, Tensor? b_ih=None, "
       "Tensor? b_hh=None) -> Tensor",
       kernel(&rnn_relu_cell)},
      {"rnn_tanh_cell(Tensor input, Tensor hx, Tensor w_ih, Tensor w_hh, Tensor? b_ih=None, "
       "Tensor? b_hh=None) -> Tensor",
       kernel(&rnn_tanh_cell)},
      {"tensordot(Tensor self, Tensor other, int[] dims_self, int[] dims_other) -> Tensor",
       kernel(&tensordot)},
  };
}

}  // namespace assay::cuda::aten
