// Reductions: a wide result, rounded once; running sums and products.
#include "cuda_impl/operators/reduce.hpp"

#include <algorithm>
#include <cmath>

#include "cuda_impl/core/cuda_check.hpp"
#include "cuda_impl/operators/copy/copy.hpp"
#include "cuda_impl/operators/elementwise.hpp"
#include "cuda_impl/operators/host/on_host.hpp"
#include "cuda_impl/operators/views.hpp"

namespace assay::cuda {
namespace {

struct ReductionFunctions {
  ElementFunction each = ElementFunction::kIdentity;
  Combination combination = Combination::kSum;
};

bool is_whole(Dtype dtype) { return facts(dtype).is_integral || dtype == Dtype::kBool; }

Dtype wide_of(Dtype dtype) {
  if (is_whole(dtype)) return Dtype::kInt64;
  return dtype == Dtype::kFloat64 ? dtype : Dtype::kFloat32;
}

/// The kept and the reduced dimensions of a tensor.
struct Split {
  std::vector<bool> goes;
  Shape sizes;         ///< of the result
  std::int64_t count;  ///< elements in a row
};

Split split_of(const Tensor& tensor, const Reduced& reduced) {
  const std::size_t rank = tensor.sizes().size();
  Split split{std::vector<bool>(std::max<std::size_t>(rank, 1), reduced.dims.empty()), {}, 1};
  for (const std::int64_t dim : reduced.dims) {
    const auto at = static_cast<std::size_t>(wrapped_dim(dim, tensor.dim()));
    require(!split.goes[at], [&] {
      return "dim " + std::to_string(at) + " appears multiple times in the list of dims";
    });
    split.goes[at] = true;
  }
  split.goes.resize(rank);
  for (std::size_t dim = 0; dim < split.goes.size(); ++dim) {
    if (split.goes[dim]) split.count *= tensor.sizes()[dim];
    if (!split.goes[dim] || reduced.keepdim) {
      split.sizes.push_back(split.goes[dim] ? 1 : tensor.sizes()[dim]);
    }
  }
  return split;
}

/// Moves the reduced dimensions behind the kept ones.
Tensor rows_of(const Tensor& tensor, const Split& split) {
  Shape sizes;
  Shape strides;
  for (const bool goes : {false, true}) {
    for (std::size_t dim = 0; dim < split.goes.size(); ++dim) {
      if (split.goes[dim] != goes) continue;
      sizes.push_back(tensor.sizes()[dim]);
      strides.push_back(tensor.strides()[dim]);
    }
  }
  return as_strided(tensor, sizes, strides, tensor->offset);
}

bool is_full(const Split& split) {
  return std::all_of(split.goes.begin(), split.goes.end(), [](bool goes) { return goes; });
}

void run(const ReductionTask& task, Device device) {
  if (!device.is_cuda()) return on_host::reduce(task);
  const DeviceScope scope(device.index);
  launch_reduction(task);
}

/// Returns results in the wide dtype; for empty rows, the neutral element.
Tensor wide_results(const Tensor& tensor, const Split& split, const ReductionFunctions& how) {
  const Dtype wide = wide_of(tensor.dtype());
  const Tensor results = empty(split.sizes, wide, tensor.device());
  if (results.numel() == 0 || results.is_meta()) return results;
  if (tensor.numel() == 0) {
    fill_elements(results, to_element(how.combination == Combination::kProduct ? 1 : 0, wide, {}));
    return results;
  }
  const Tensor numbers = is_whole(tensor.dtype()) ? to(tensor, Dtype::kInt64) : tensor;
  // If all elements are reduced, their order in memory is irrelevant.
  const Tensor rows =
      is_full(split) && numbers.is_dense() ? numbers : contiguous(rows_of(numbers, split));
  run({numbers.dtype(), rows.data(), split.count, results.numel(), how.each, how.combination,
       results.data()},
      tensor.device());
  return results;
}

void require_computable(const Tensor& tensor) {
  require(tensor.defined() && !tensor.is_sparse() && has_kernels(tensor.dtype()),
          ErrorKind::kNotImplemented,
          [&] { return "reductions of " + describe(tensor) + " are not implemented"; });
}

void require_floating(const Tensor& tensor, std::string_view name) {
  require(facts(tensor.dtype()).is_floating, [&] {
    return std::string(name) +
           "(): could not infer output dtype. Input dtype must be either a floating point or "
           "complex dtype. Got: " +
           std::string(facts(tensor.dtype()).cpp_name);
  });
}

Tensor converted(const Tensor& tensor, const Reduced& reduced) {
  require_computable(tensor);
  return reduced.dtype ? to(tensor, *reduced.dtype) : tensor;
}

ReductionFunctions norm_of_order(double p) {
  if (p == 0) return {ElementFunction::kIsNotZero, Combination::kSum};
  if (p == 1) return {ElementFunction::kAbs, Combination::kSum};
  if (p == 2) return {ElementFunction::kSquare, Combination::kSum};
  require(std::isinf(p), ErrorKind::kNotImplemented,
          [&] { return "norms are of order 0, 1, 2 or infinity, not " + std::to_string(p); });
  return {ElementFunction::kAbs, p > 0 ? Combination::kMax : Combination::kMin};
}

}  // namespace

Tensor sum(const Tensor& tensor, const Reduced& reduced) {
  const Tensor input = converted(tensor, reduced);
  const Dtype dtype =
      is_whole(input.dtype()) ? reduced.dtype.value_or(Dtype::kInt64) : input.dtype();
  return to(wide_results(input, split_of(input, reduced), {}), dtype);
}

Tensor prod(const Tensor& tensor, const Reduced& reduced) {
  const Tensor input = converted(tensor, reduced);
  const Dtype dtype =
      is_whole(input.dtype()) ? reduced.dtype.value_or(Dtype::kInt64) : input.dtype();
  const ReductionFunctions product{ElementFunction::kIdentity, Combination::kProduct};
  return to(wide_results(input, split_of(input, reduced), product), dtype);
}

Tensor mean(const Tensor& tensor, const Reduced& reduced) {
  const Tensor input = converted(tensor, reduced);
  require_floating(input, "mean");
  const Split split = split_of(input, reduced);
  const Tensor total = wide_results(input, split, {});
  return to(div(total, Scalar(split.count)), input.dtype());
}

Tensor norm(const Tensor& tensor, double p, const Reduced& reduced) {
  const Tensor input = converted(tensor, reduced);
  require_floating(input, "norm");
  const Tensor combination = wide_results(input, split_of(input, reduced), norm_of_order(p));
  return to(p == 2 ? square_root(combination) : combination, input.dtype());
}

Tensor max(const Tensor& tensor) {
  require_computable(tensor);
  require(tensor.numel() > 0 || tensor.is_meta(), [] {
    return "max(): Expected reduction dim to be specified for input.numel() == 0. Specify the "
           "reduction dim with the 'dim' argument.";
  });
  const ReductionFunctions most{ElementFunction::kIdentity, Combination::kMax};
  return to(wide_results(tensor, split_of(tensor, {}), most), tensor.dtype());
}

Tensor any(const Tensor& tensor) {
  require_computable(tensor);
  const ReductionFunctions how{ElementFunction::kIsNotZero, Combination::kMax};
  const Tensor found = wide_results(tensor, split_of(tensor, {}), how);
  // PyTorch returns uint8 for uint8.
  return to(found, tensor.dtype() == Dtype::kUInt8 ? Dtype::kUInt8 : Dtype::kBool);
}

// Running sums and products.

namespace {

/// The dtype of the running total.
Dtype total_type(Dtype dtype) {
  if (is_whole(dtype)) return Dtype::kInt64;
  return dtype == Dtype::kFloat64 ? dtype : Dtype::kFloat32;
}

}  // namespace

Tensor scan(Scan what, const Tensor& tensor, std::int64_t dim, std::optional<Dtype> dtype) {
  const Dtype own = is_whole(tensor.dtype()) ? Dtype::kInt64 : tensor.dtype();
  const Dtype wanted = dtype.value_or(own);
  const auto at = static_cast<std::size_t>(wrapped_dim(dim, tensor.dim()));
  const Dtype total = total_type(wanted);
  const Tensor in = contiguous(to(to(tensor, wanted), total));
  const Tensor result = empty(in.sizes(), total, in.device());
  if (result.numel() > 0 && !result.is_meta()) {
    ScanTask task{.dtype = total,
                  .multiplies = what == Scan::kProduct,
                  .in = in.data(),
                  .out = result.data()};
    for (std::size_t i = 0; i < in.sizes().size(); ++i) {
      (i < at ? task.outer : i == at ? task.length : task.inner) *= in.sizes()[i];
    }
    if (in.is_cuda()) {
      const DeviceScope scope(in.device().index);
      task.rounds_to = wanted;
      launch_scan(task);
    } else {
      on_host::scan(task);
    }
  }
  return to(result, wanted);
}

}  // namespace assay::cuda
