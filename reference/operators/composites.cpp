// Operators that are made of others, which autocast may have rules for (CAST-114, CAST-1004).
#include "reference/operators/call.hpp"
#include "reference/operators/operator.hpp"

namespace assay::reference {
namespace {

/// Of class indices: the loss of the logarithms.
IValue cross_entropy_kernel(Dispatcher& dispatcher, const BoxedArguments& args) {
  const Tensor self = args.tensor(0);
  const IValue classes(std::int64_t{self.dim() == 1 ? 0 : 1});
  const Tensor logarithms =
      call_tensor(dispatcher, "aten::log_softmax.int", {IValue(self), classes});
  return IValue(call_tensor(dispatcher, "aten::nll_loss",
                            {IValue(logarithms), args[1], args[2], args[3], args[4]}));
}

Tensor as_batch(Dispatcher& dispatcher, const Tensor& matrix) {
  return call_tensor(
      dispatcher, "aten::reshape",
      {IValue(matrix), boxed(std::vector<std::int64_t>{1, matrix.size(0), matrix.size(1)})});
}

/// The product of two matrices, which is a batch of one.
IValue einsum_kernel(Dispatcher& dispatcher, const BoxedArguments& args) {
  args[0].expect_kind("String");
  const auto& equation = std::get<std::string>(args[0].payload());
  const std::vector<Tensor> operands = args.tensors(1);
  check(equation == "ij,jk->ik" && operands.size() == 2, ErrorKind::kNotImplemented,
        [&] { return "einsum of '" + equation + "' is not implemented"; });
  const Tensor product = call_tensor(
      dispatcher, "aten::bmm",
      {IValue(as_batch(dispatcher, operands[0])), IValue(as_batch(dispatcher, operands[1]))});
  return IValue(call_tensor(
      dispatcher, "aten::reshape",
      {IValue(product), boxed(std::vector<std::int64_t>{product.size(1), product.size(2)})}));
}

}  // namespace

std::vector<OpDefinition> composite_operators() {
  return {
      {.name = "aten::cross_entropy_loss",
       .place = OpPlace::kComposite,
       .kernel = cross_entropy_kernel},
      {.name = "aten::einsum", .place = OpPlace::kComposite, .kernel = einsum_kernel},
  };
}

}  // namespace assay::reference
