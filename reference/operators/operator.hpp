// What the reference knows of an operator: its kernel, and its derivative.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "reference/autograd/node.hpp"
#include "reference/operators/boxed_arguments.hpp"

namespace assay::reference {

class Dispatcher;

using OpKernel = std::function<IValue(Dispatcher& dispatcher, const BoxedArguments& args)>;

/// What a derivative works with: the arguments and the result as they were in the forward call.
class DerivativeCall {
 public:
  virtual ~DerivativeCall() = default;
  virtual Dispatcher& dispatcher() const = 0;
  /// A kept tensor argument. Raises `error` if it has been written to, or let go.
  virtual Tensor argument(std::size_t at) const = 0;
  virtual Tensor result() const = 0;
  /// All arguments; tensors among them only by their geometry, see `sizes`.
  virtual const BoxedArguments& plain() const = 0;
  virtual const Shape& sizes(std::size_t tensor) const = 0;
  /// Does the tensor of that number take a gradient?
  virtual bool needs(std::size_t tensor) const = 0;
};

/// A gradient for each tensor argument, in order; undefined for those that take none.
using OpDerivative = std::function<Gradients(const DerivativeCall& call, const Tensor& grad)>;

/// An argument is kept if the tensor of number `for_tensor` takes a gradient.
struct Kept {
  std::size_t argument;
  std::size_t for_tensor;
};

enum class OpPlace : std::uint8_t {
  kKernels,    ///< a kernel for CPU, CUDA and Meta, and a derivative
  kComposite,  ///< made of other operators
  kView,       ///< like kKernels; the result shares storage
  kInPlace,    ///< writes to its first argument and returns it
  kOut,        ///< writes to its last argument and returns it
};

struct OpDefinition {
  std::string_view name;
  OpPlace place = OpPlace::kKernels;
  OpKernel kernel;
  /// Empty: backward through it is not implemented.
  OpDerivative derivative = {};
  std::vector<Kept> keeps = {};
  bool keeps_result = false;
  /// The second argument is a number, which PyTorch keeps as a tensor.
  bool keeps_number = false;
};

/// One function a group, each in a file of its own.
std::vector<OpDefinition> arithmetic_operators();
std::vector<OpDefinition> product_operators();
std::vector<OpDefinition> reduction_operators();
std::vector<OpDefinition> shape_operators();
std::vector<OpDefinition> writing_operators();
std::vector<OpDefinition> composite_operators();

/// Defines every operator of the release, with its kernels and derivatives.
void add_operators(Dispatcher& dispatcher);

}  // namespace assay::reference
