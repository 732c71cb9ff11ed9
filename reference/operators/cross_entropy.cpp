// The cross entropy of classes or of shares of classes, by parts that may have autocast rules
// (CAST-114).
#include "reference/core/tensor/factory.hpp"
#include "reference/dispatch/dispatcher.hpp"
#include "reference/operators/call.hpp"
#include "reference/operators/operator.hpp"

namespace assay::reference {
namespace {

/// The arguments of `aten::cross_entropy_loss`.
class CrossEntropy {
 public:
  CrossEntropy(Dispatcher& dispatcher, const BoxedArguments& args)
      : dispatcher_(dispatcher),
        args_(args),
        dim_(args.tensor(0).dim() == 1 ? 0 : 1),
        smoothing_(args.real(5)) {}

  Tensor result() {
    const bool has_shares = args_.tensor(0).sizes() == args_.tensor(1).sizes();
    if (has_shares) {
      check_shares();
    } else {
      check(smoothing_ <= 1, [&] {
        return "label_smoothing must be between 0.0 and 1.0. Got: " + std::to_string(smoothing_);
      });
    }
    logarithms_ =
        call_tensor(dispatcher_, "aten::log_softmax.int", {args_[0], IValue(std::int64_t{dim_})});
    if (has_shares) return loss_of_shares();
    const Tensor loss = class_loss(logarithms_, args_[2], args_.integer(3));
    return smoothing_ > 0 ? smoothed(loss) : loss;
  }

 private:
  enum : std::int64_t { kNone, kMean, kSum };

  std::int64_t classes() const { return logarithms_.size(dim_); }

  Tensor call(std::string_view name, Stack args) const {
    return call_tensor(dispatcher_, name, std::move(args));
  }
  Tensor times(const Tensor& tensor, double factor) const {
    return call("aten::mul.Scalar", {IValue(tensor), IValue(factor)});
  }
  Tensor over(const Tensor& tensor, double divisor) const {
    return call("aten::div.Scalar", {IValue(tensor), IValue(divisor)});
  }
  Tensor sum(const Tensor& tensor) const { return call("aten::sum", {IValue(tensor)}); }
  Tensor class_loss(const Tensor& values, const IValue& weight, std::int64_t reduction) const {
    return call("aten::nll_loss", {IValue(values), args_[1], weight, IValue(reduction), args_[4]});
  }

  void check_shares() const {
    const ScalarType dtype = args_.tensor(1).dtype();
    check(is_floating(dtype), [&] {
      return "Expected floating point type for target with class probabilities, got " +
             std::string(cpp_name_of(dtype));
    });
    check(args_.integer(4) < 0,
          [] { return "ignore_index is not supported for floating point target"; });
    check(smoothing_ >= 0 && smoothing_ <= 1, [&] {
      return "label_smoothing must be between 0.0 and 1.0. Got: " + std::to_string(smoothing_);
    });
    const std::int64_t classes = args_.tensor(0).size(dim_);
    check(args_.is_none(2) || args_.tensor(2).sizes() == Shape{classes}, [&] {
      return "cross_entropy: weight tensor should be defined either for all " +
             std::to_string(classes) + " classes or no classes but got weight tensor of shape: " +
             to_text(args_.tensor(2).sizes());
    });
  }

  /// Each class times its weight.
  Tensor weighted(const Tensor& values) const {
    if (args_.is_none(2)) return values;
    std::vector<std::int64_t> sizes(static_cast<std::size_t>(values.dim()), 1);
    sizes[static_cast<std::size_t>(dim_)] = classes();
    const Tensor weight = call("aten::reshape", {args_[2], boxed(sizes)});
    return call("aten::mul.Tensor", {IValue(values), IValue(weight)});
  }

  Tensor summed_over_classes(const Tensor& values, bool keepdim) const {
    return call("aten::sum.dim_IntList",
                {IValue(values), boxed(std::vector<std::int64_t>{dim_}), IValue(keepdim)});
  }

  /// The mean divides by the number of samples, regardless of the sums of shares and weights.
  Tensor loss_of_shares() const {
    Tensor shares = args_.tensor(1);
    if (smoothing_ > 0) {
      shares = call("aten::add.Scalar", {IValue(times(shares, 1 - smoothing_)),
                                         IValue(smoothing_ / static_cast<double>(classes()))});
    }
    const Tensor product = call("aten::mul.Tensor", {IValue(logarithms_), IValue(shares)});
    const Tensor losses = call("aten::neg", {IValue(weighted(product))});
    switch (args_.integer(3)) {
      case kNone:
        return summed_over_classes(losses, false);
      case kMean:
        return over(sum(losses),
                    static_cast<double>(logarithms_.numel()) / static_cast<double>(classes()));
      case kSum:
        return sum(losses);
      default:
        return refused();
    }
  }

  /// Part of the loss comes equally from all classes: their weighted mean, for each target that
  /// is not ignored.
  Tensor smoothed(const Tensor& loss) const {
    const Tensor all = summed_over_classes(weighted(logarithms_), true);
    const Tensor spread = call("aten::expand", {IValue(all), boxed(logarithms_.sizes())});
    const bool divides = args_.integer(3) == kMean && !args_.is_none(2);
    Tensor even = class_loss(spread, IValue(), divides ? kSum : args_.integer(3));
    if (divides) {
      const Tensor ones = full(dispatcher_.runtime(), logarithms_.sizes(), -1, logarithms_.dtype(),
                               logarithms_.device());
      const Tensor weights = class_loss(ones, args_[2], kSum);
      even = call("aten::div.Tensor", {IValue(even), IValue(weights)});
    }
    return call("aten::add.Tensor",
                {IValue(times(loss, 1 - smoothing_)),
                 IValue(times(even, smoothing_ / static_cast<double>(classes())))});
  }

  Tensor refused() const {
    throw Error(ErrorKind::kError, "Invalid reduction type encountered in cross_entropy: " +
                                       std::to_string(args_.integer(3)));
  }

  Dispatcher& dispatcher_;
  const BoxedArguments& args_;
  std::int64_t dim_;
  double smoothing_;
  Tensor logarithms_;
};

IValue cross_entropy_kernel(Dispatcher& dispatcher, const BoxedArguments& args) {
  return IValue(CrossEntropy(dispatcher, args).result());
}

}  // namespace

OpDefinition cross_entropy_operator() {
  return {.name = "aten::cross_entropy_loss",
          .place = OpPlace::kComposite,
          .kernel = cross_entropy_kernel};
}

}  // namespace assay::reference
