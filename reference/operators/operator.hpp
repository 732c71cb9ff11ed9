// The definition of an operator: kernel and derivative.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "reference/autograd/node.hpp"
#include "reference/operators/call.hpp"

namespace assay::reference {

class Dispatcher;

/// Several results are a list.
using OpKernel = std::function<IValue(Dispatcher& dispatcher, const BoxedArguments& args)>;

/// The context of a derivative: arguments and result of the forward call.
class DerivativeCall {
 public:
  virtual ~DerivativeCall() = default;
  virtual Dispatcher& dispatcher() const = 0;
  /// A saved tensor argument. Raises `error` if it was modified in place or released.
  virtual Tensor argument(std::size_t at) const = 0;
  virtual Tensor result() const = 0;
  /// All arguments, but without their tensors; see `sizes` for those.
  virtual const BoxedArguments& plain() const = 0;
  virtual const Shape& sizes(std::size_t tensor) const = 0;
  virtual const Shape& strides(std::size_t tensor) const = 0;
  /// Returns whether the tensor with this number requires a gradient.
  virtual bool needs(std::size_t tensor) const = 0;
};

/// Returns a gradient for each tensor argument, in order; undefined if none is required.
using OpDerivative = std::function<Gradients(const DerivativeCall& call, const Tensor& grad)>;

/// An argument that is saved if tensor `for_tensor` requires a gradient.
struct SavedArgument {
  std::size_t argument;
  std::size_t for_tensor;
};

enum class OpPlace : std::uint8_t {
  kKernels,    ///< kernels for CPU, CUDA and Meta, and a derivative
  kComposite,  ///< calls other operators
  kView,       ///< like kKernels; the result shares storage
  kDetached,   ///< like kView, without a history
  kInPlace,    ///< writes to its first argument and returns it
  kOut,        ///< writes to its last argument and returns it
};

struct OpDefinition {
  std::string_view name;
  OpPlace place = OpPlace::kKernels;
  OpKernel kernel;
  /// Empty: its backward is not implemented.
  OpDerivative derivative = {};
  std::vector<SavedArgument> keeps = {};
  bool keeps_result = false;
  /// The second argument is a number, which PyTorch saves as a tensor.
  bool keeps_number = false;
};

/// One function for each group, in separate files.
std::vector<OpDefinition> arithmetic_operators();
std::vector<OpDefinition> product_operators();
std::vector<OpDefinition> convolution_operators();
std::vector<OpDefinition> reduction_operators();
std::vector<OpDefinition> row_operators();
std::vector<OpDefinition> softmax_operators();
std::vector<OpDefinition> layer_norm_operators();
std::vector<OpDefinition> loss_operators();
std::vector<OpDefinition> class_loss_operators();
std::vector<OpDefinition> function_operators();
std::vector<OpDefinition> shape_operators();
std::vector<OpDefinition> writing_operators();
std::vector<OpDefinition> composite_operators();
/// One of the composites.
OpDefinition cross_entropy_operator();

/// Registers all operators of the release with kernels and derivatives.
void add_operators(Dispatcher& dispatcher);

}  // namespace assay::reference
