// Autograd nodes of operators that are called through the dispatcher.
#include "reference/operators/history.hpp"

#include <algorithm>

#include "reference/autograd/closure_node.hpp"
#include "reference/core/runtime.hpp"
#include "reference/core/tensor/factory.hpp"
#include "reference/core/types/error.hpp"
#include "reference/dispatch/dispatcher.hpp"
#include "reference/dispatch/keys/thread_keys.hpp"
#include "reference/operators/call.hpp"

namespace assay::reference {
namespace {

/// `aten::norm.Scalar` and in-place variants have the kind `norm`.
std::string kind_of(std::string_view name, const Contract& contract) {
  // Since 2.x norm calls it.
  const bool is_norm = name.substr(0, 10) == "aten::norm";
  if (is_norm && contract.at_least(Release::k2_4)) return "linalg_vector_norm";
  std::string kind(name.substr(name.find("::") + 2));
  kind = kind.substr(0, kind.find('.'));
  if (kind.back() == '_') kind.pop_back();
  return kind == "layer_norm" ? "native_layer_norm" : kind;  // which it calls
}

/// Drops the tensors, so that a node keeps only those that it needs.
std::vector<IValue> without_tensors(const std::vector<IValue>& values) {
  std::vector<IValue> plain;
  for (const IValue& value : values) {
    const auto* list = std::get_if<IValue::ListPtr>(&value.payload());
    if (value.kind() == "Tensor") {
      plain.emplace_back(Tensor{});
    } else if (list != nullptr) {
      plain.emplace_back(std::make_shared<IValue::List>(without_tensors(**list)));
    } else {
      plain.push_back(value);
    }
  }
  return plain;
}

/// Not part of the operator's work, so its operations are not counted.
Tensor as_tensor(Runtime& runtime, const Scalar& number) {
  const Counters before = runtime.counters();
  const ScalarType dtype = number.is_floating() ? ScalarType::kDouble : ScalarType::kLong;
  Tensor made = scalar_tensor(runtime, number.real(), dtype, kCpuDevice);
  runtime.counters() = before;
  return made;
}

class OpNode final : public Node, public DerivativeCall {
 public:
  OpNode(const OperatorHandle& op, const OpDefinition& definition, const BoxedArguments& args)
      : Node(kind_of(op.name(), op.dispatcher().runtime().contract()),
             edges_of(op.dispatcher().runtime(), args.all_tensors())),
        dispatcher_(op.dispatcher()),
        derivative_(definition.derivative),
        keeps_number_(definition.keeps_number),
        plain_(without_tensors(args.values()), dispatcher_.runtime().contract().release) {
    for (const Tensor& tensor : args.all_tensors()) {
      sizes_.push_back(tensor.sizes());
      strides_.push_back(tensor.strides());
    }
    saved_.resize(args.size());
    if (definition.keeps_number) {
      saved_[1] = SavedTensor::input(as_tensor(dispatcher_.runtime(), args.scalar(1)));
    }
    for (const SavedArgument& kept : definition.keeps) {
      if (needs(kept.for_tensor) && args[kept.argument].kind() == "Tensor") {
        saved_[kept.argument] = SavedTensor::input(args.tensor(kept.argument));
      }
    }
  }

  void keep_result(const Tensor& result) { result_ = SavedTensor::result(result); }

  Gradients backward(Runtime&, const Gradients& grads) override {
    if (derivative_ == nullptr)
      throw MissingFeature("there is no derivative of " + kind() + " here");
    return derivative_(*this, grads.front());
  }
  std::vector<Tensor> saved() const override {
    std::vector<Tensor> all;
    for (const SavedTensor& saved : saved_) {
      if (saved.tensor().defined()) all.push_back(saved.tensor());
    }
    if (result_.tensor().defined()) all.push_back(result_.tensor());
    return all;
  }
  bool saves_tensors() const override { return saved().size() > (keeps_number_ ? 1 : 0); }
  void release() override {
    for (SavedTensor& saved : saved_) saved.release();
    result_.release();
  }

  Dispatcher& dispatcher() const override { return dispatcher_; }
  Tensor argument(std::size_t at) const override { return saved_[at].unpack(self()); }
  Tensor result() const override { return result_.unpack(self()); }
  const BoxedArguments& plain() const override { return plain_; }
  const Shape& sizes(std::size_t tensor) const override { return sizes_[tensor]; }
  const Shape& strides(std::size_t tensor) const override { return strides_[tensor]; }
  bool needs(std::size_t tensor) const override {
    return tensor < next().size() && next()[tensor].node != nullptr;
  }

 private:
  std::shared_ptr<Node> self() const { return std::const_pointer_cast<Node>(shared_from_this()); }

  Dispatcher& dispatcher_;
  OpDerivative derivative_;
  bool keeps_number_;
  BoxedArguments plain_;
  std::vector<Shape> sizes_;
  std::vector<Shape> strides_;
  std::vector<SavedTensor> saved_;
  SavedTensor result_;
};

/// Of an operator whose first operand is a number, and whose second requires a gradient.
class NumberFirstNode final : public Node {
 public:
  NumberFirstNode(Dispatcher& dispatcher, Binary op, const Scalar& number, const Tensor& tensor)
      : Node(kind_of(op), {Edge{}, edge_of(dispatcher.runtime(), tensor)}),
        dispatcher_(dispatcher),
        op_(op),
        number_(number) {
    if (op == Binary::kMul || op == Binary::kDiv) {
      factor_ = SavedTensor::input(as_tensor(dispatcher.runtime(), number));
    }
    if (op == Binary::kDiv) divisor_ = SavedTensor::input(tensor);
  }

  Gradients backward(Runtime&, const Gradients& grads) override {
    return {Tensor{}, gradient(grads.front())};
  }
  std::vector<Tensor> saved() const override {
    std::vector<Tensor> all;
    for (const SavedTensor* one : {&factor_, &divisor_}) {
      if (one->tensor().defined()) all.push_back(one->tensor());
    }
    return all;
  }
  bool saves_tensors() const override { return divisor_.tensor().defined(); }
  void release() override {
    factor_.release();
    divisor_.release();
  }

 private:
  static std::string kind_of(Binary op) {
    if (op == Binary::kAdd) return "add";
    if (op == Binary::kSub) return "sub";
    return op == Binary::kMul ? "mul" : "div";
  }

  Tensor called(std::string_view name, Stack args) const {
    return call_tensor(dispatcher_, name, std::move(args));
  }

  Tensor gradient(const Tensor& grad) {
    if (op_ == Binary::kAdd) return grad;
    if (op_ == Binary::kSub) return called("aten::neg", {IValue(grad)});
    factor_.unpack(shared_from_this());  // raises if it was released
    if (op_ == Binary::kMul) return called("aten::mul.Scalar", {IValue(grad), IValue(number_)});
    const Tensor divisor = divisor_.unpack(shared_from_this());
    const Tensor once = with_number_first(dispatcher_, Binary::kDiv, number_, divisor);
    const Tensor twice = called("aten::div.Tensor", {IValue(once), IValue(divisor)});
    return called("aten::mul.Tensor", {IValue(called("aten::neg", {IValue(grad)})), IValue(twice)});
  }

  Dispatcher& dispatcher_;
  Binary op_;
  Scalar number_;
  SavedTensor factor_;
  SavedTensor divisor_;
};

void redispatch(const OperatorHandle& op, KeySet keys, Stack& stack) {
  Dispatcher& to = op.dispatcher();
  const ExcludeKeyGuard below(to.runtime(), autograd_keys_below(to.layout()));
  to.redispatch_boxed(op, keys & full_after(to.layout(), Functionality::kAutogradOther), stack);
}

/// Copies the arguments without popping them.
BoxedArguments look_at_arguments(const OperatorHandle& op, const Stack& stack) {
  Stack copy = stack;
  return take_arguments(op, copy);
}

void set_all_histories(Runtime& runtime, const Stack& results,
                       const std::shared_ptr<OpNode>& node) {
  for (const IValue& result : results) {
    for (const Tensor& tensor : BoxedArguments({result}, kNewestRelease).all_tensors()) {
      if (tensor.defined()) set_history(runtime, tensor, node);
    }
  }
}

/// Returns whether a result is one of the arguments.
bool is_argument(const Tensor& result, const std::vector<Tensor>& inputs) {
  return std::ranges::any_of(inputs, [&](const Tensor& in) { return in.is_same(result); });
}

void expect_writable(const OpDefinition& definition, const Tensor& target) {
  check(!target.is_leaf() || !target.requires_grad(), [&] {
    return "a leaf Variable that requires grad is being used in an in-place operation: " +
           std::string(definition.name);
  });
  if (!target.is_view()) return;
  throw MissingFeature("there is no history of " + std::string(definition.name) +
                       " on a view here");
}

}  // namespace

Tensor with_number_first(Dispatcher& dispatcher, Binary op, const Scalar& number,
                         const Tensor& tensor) {
  Runtime& runtime = dispatcher.runtime();
  const Tensor result = binary(runtime, op, number, tensor);
  if (is_inference_mode(runtime) || !records_history(runtime, {tensor})) return result;
  set_history(runtime, result, std::make_shared<NumberFirstNode>(dispatcher, op, number, tensor));
  return result;
}

Kernel autograd_kernel(const OpDefinition& definition) {
  return Kernel::boxed([definition](const OperatorHandle& op, KeySet keys, Stack& stack) {
    const BoxedArguments args = look_at_arguments(op, stack);
    Runtime& runtime = op.dispatcher().runtime();
    const std::vector<Tensor> inputs = args.all_tensors();
    std::shared_ptr<OpNode> node;
    if (records_history(runtime, inputs)) {
      node = std::make_shared<OpNode>(op, definition, args);
    }
    const std::size_t below = stack.size() - args.size();
    redispatch(op, keys, stack);
    if (node == nullptr) return;
    Stack results(stack.begin() + static_cast<std::ptrdiff_t>(below), stack.end());
    if (definition.kernel && results.size() > 1) results.resize(1);  // statistics have no history
    const bool is_new = results.empty() || results.front().kind() != "Tensor" ||
                        !is_argument(results.front().to_tensor(), inputs);
    if (!is_new) return;
    set_all_histories(runtime, results, node);
    if (definition.keeps_result) node->keep_result(results.front().to_tensor());
  });
}

Kernel in_place_autograd_kernel(const OpDefinition& definition) {
  return Kernel::boxed([definition](const OperatorHandle& op, KeySet keys, Stack& stack) {
    const BoxedArguments args = look_at_arguments(op, stack);
    const Tensor target = args.tensor(definition.place == OpPlace::kOut ? args.size() - 1 : 0);
    std::shared_ptr<OpNode> node;
    if (records_history(op.dispatcher().runtime(), args.all_tensors())) {
      expect_writable(definition, target);
      check(definition.place != OpPlace::kOut, [&] {
        return op.name() +
               ": functions with out=... arguments don't support automatic "
               "differentiation, but one of the arguments requires grad";
      });
      node = std::make_shared<OpNode>(op, definition, args);
    }
    redispatch(op, keys, stack);
    if (node != nullptr) set_history(op.dispatcher().runtime(), target, node);
  });
}

}  // namespace assay::reference
