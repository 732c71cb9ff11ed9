// Helpers for cases of the weight cache: a weight whose conversions are counted.
#pragma once

#include "suites/autocast/casting.hpp"

namespace assay::suites {

/// A weight and an operand of the lower type, so that only the weight is converted.
class Bench {
 public:
  explicit Bench(Session& subject)
      : subject_(subject),
        target_(target_of(subject)),
        weight_(subject.core().leaf(matrix(target_, Dtype::kFloat32))),
        low_(subject.core().tensor(matrix(target_, target_.low))) {}

  const Target& target() const { return target_; }
  const Ref& weight() const { return weight_; }
  const Ref& low() const { return low_; }

  /// The number of conversions in one product with that weight.
  std::int64_t use(const Value& weight) const {
    return conversions(subject_, [&] { mm(subject_, low_, weight); });
  }
  std::int64_t use() const { return use(weight_); }
  Ref product(const Value& weight) const { return call_ref(subject_, "aten::mm", {low_, weight}); }
  Ref product() const { return product(weight_); }
  void inside(const std::function<void()>& body) const { suites::inside(subject_, target_, body); }
  /// Runs `body` with grad mode off, or in inference mode.
  std::vector<Reply> under(Block mode, const std::function<void(Session&)>& body) const {
    return subject_.scope(std::move(mode), subject_.block(body));
  }

 private:
  Session& subject_;
  Target target_;
  Ref weight_;
  Ref low_;
};

/// A product inside a block; its result may be named.
void product_of(Session& inner, const Ref& left, const Ref& right, std::string as = {});
bool requires_grad(Session& subject, const Ref& tensor);
/// The number of conversions of `tensor` when it is used twice.
std::int64_t twice(Session& subject, const Bench& bench, const Ref& tensor);
/// The number of conversions when the weight is used once in a region of another thread.
std::int64_t conversions_elsewhere(Session& subject, const Bench& bench);

}  // namespace assay::suites
