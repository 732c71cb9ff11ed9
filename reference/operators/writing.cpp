// Operators that write to an argument; autocast does not wrap them (CAST-115).
#include "reference/core/math/elementwise.hpp"
#include "reference/core/math/matmul.hpp"
#include "reference/core/tensor/copy.hpp"
#include "reference/core/tensor/fill.hpp"
#include "reference/dispatch/dispatcher.hpp"
#include "reference/operators/operator.hpp"

namespace assay::reference {
namespace {

/// Stores the result in `target`.
IValue written(Runtime& runtime, const Tensor& target, const Tensor& result) {
  check(target.sizes() == result.sizes(), [&] {
    return "output with shape " + to_text(target.sizes()) + " doesn't match the shape " +
           to_text(result.sizes()) + " of the result";
  });
  const Counters before = runtime.counters();
  copy_(runtime, target, result);
  runtime.counters() = before;
  return IValue(target);
}

IValue written_out(Runtime& runtime, const Tensor& out, const Tensor& result) {
  check(out.dtype() == result.dtype(), [&] {
    return "expected out tensor to have dtype " + std::string(cpp_name_of(result.dtype())) +
           ", but got " + std::string(cpp_name_of(out.dtype()));
  });
  return written(runtime, out, result);
}

Operand scaled_other(Runtime& runtime, const BoxedArguments& args) {
  const Tensor other = args.tensor(1);
  if (args.size() < 3 || args.real(2) == 1) return other;
  return mul(runtime, other, args.scalar(2));
}

IValue add_in_place(Dispatcher& dispatcher, const BoxedArguments& args) {
  Runtime& runtime = dispatcher.runtime();
  return IValue(add_(runtime, args.tensor(0), scaled_other(runtime, args)));
}

IValue mul_in_place(Dispatcher& dispatcher, const BoxedArguments& args) {
  Runtime& runtime = dispatcher.runtime();
  const Tensor self = args.tensor(0);
  const Tensor product = mul(runtime, self, args.tensor(1));
  check(can_cast(product.dtype(), self.dtype()), [&] {
    return "result type " + std::string(cpp_name_of(product.dtype())) +
           " can't be cast to the desired output type " + std::string(cpp_name_of(self.dtype()));
  });
  return written(runtime, self, product);
}

Tensor sum_and_product(Runtime& runtime, const BoxedArguments& args) {
  return addmm(runtime, args.tensor(0), args.tensor(1), args.tensor(2),
               {args.real(3), args.real(4)});
}

IValue addmm_in_place(Dispatcher& dispatcher, const BoxedArguments& args) {
  Runtime& runtime = dispatcher.runtime();
  return written(runtime, args.tensor(0), sum_and_product(runtime, args));
}

IValue addmm_out(Dispatcher& dispatcher, const BoxedArguments& args) {
  Runtime& runtime = dispatcher.runtime();
  return written_out(runtime, args.tensor(5), sum_and_product(runtime, args));
}

IValue mm_out(Dispatcher& dispatcher, const BoxedArguments& args) {
  Runtime& runtime = dispatcher.runtime();
  return written_out(runtime, args.tensor(2), mm(runtime, args.tensor(0), args.tensor(1)));
}

IValue relu_in_place(Dispatcher& dispatcher, const BoxedArguments& args) {
  Runtime& runtime = dispatcher.runtime();
  return written(runtime, args.tensor(0), relu(runtime, args.tensor(0)));
}

IValue copy_in_place(Dispatcher& dispatcher, const BoxedArguments& args) {
  return IValue(copy_(dispatcher.runtime(), args.tensor(0), args.tensor(1), args.boolean(2)));
}

IValue fill_in_place(Dispatcher& dispatcher, const BoxedArguments& args) {
  return IValue(fill_(dispatcher.runtime(), args.tensor(0), args.scalar(1)));
}

}  // namespace

std::vector<OpDefinition> writing_operators() {
  using enum OpPlace;
  return {
      {.name = "aten::add_.Tensor", .place = kInPlace, .kernel = add_in_place},
      {.name = "aten::mul_.Tensor", .place = kInPlace, .kernel = mul_in_place},
      {.name = "aten::addmm_", .place = kInPlace, .kernel = addmm_in_place},
      {.name = "aten::relu_", .place = kInPlace, .kernel = relu_in_place},
      {.name = "aten::copy_", .place = kInPlace, .kernel = copy_in_place},
      {.name = "aten::fill_.Scalar", .place = kInPlace, .kernel = fill_in_place},
      {.name = "aten::addmm.out", .place = kOut, .kernel = addmm_out},
      {.name = "aten::mm.out", .place = kOut, .kernel = mm_out},
  };
}

}  // namespace assay::reference
