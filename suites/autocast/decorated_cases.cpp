// Regions as decorators: each call of the decorated function runs inside the region.
#include "harness/suite/mistake.hpp"
#include "suites/autocast/casting.hpp"

namespace assay::suites {

CASES("autocast/decorated") {
  conformance("each_call_runs_inside_the_region", {"CAST-609"}, [](Session& subject) {
    const Target target = target_of(subject);
    const Callable body = subject.callback(
        "body", subject.block([](Session& inner) { mm(inner, Ref{"$0"}, Ref{"$0"}); }));
    const Ref function =
        subject.autocast().decorate(subject.autocast().construct({.device = target.type}), body);
    const Ref plain = subject.core().tensor(matrix(target, Dtype::kFloat32));

    for (int round = 0; round < 2; ++round) {
      const Ref result = subject.autocast().call_ref(function, {plain});
      expect_dtype(subject, result, target.low);
      expect_false(subject.autocast().is_enabled(target.type), "autocast is off after the call");
      expect_equal(depth(subject), 0);
    }
  });

  conformance("one_level_of_recursion_leaks", {"CAST-609"}, [](Session& subject) {
    const Target target = target_of(subject);
    const RegionHandle region = subject.autocast().construct({.device = target.type});
    const Callable innermost = subject.callback("innermost", subject.block([&](Session& inner) {
      inner.autocast().is_enabled(target.type);
    }));
    const Ref inner_function = subject.autocast().decorate(region, innermost);
    const Callable outer = subject.callback(
        "outer", subject.block([&](Session& inner) { inner.autocast().call(inner_function); }));
    const Ref outer_function = subject.autocast().decorate(region, outer);

    subject.autocast().call(inner_function);
    expect_false(subject.autocast().is_enabled(target.type),
                 "autocast is off after a call without recursion");
    subject.autocast().call(outer_function);
    expect_true(subject.autocast().is_enabled(target.type), "recursion leaves autocast on");
    expect_equal(depth(subject), 0);
    shows_mistake(
        "a function decorated with an autocast object that calls another one decorated with the "
        "same object leaves autocast on, so that all later code runs in low precision");
  }).only(Deviations::kCompat);

  conformance("an_exception_leaves_the_region", {"CAST-609", "CAST-603"}, [](Session& subject) {
    const Target target = target_of(subject);
    Command raise;
    raise.verb = "raise";
    raise.with = {{"kind", "value"}, {"message", "thrown inside"}};
    const Callable body = subject.callback("body", {raise});
    const Ref function =
        subject.autocast().decorate(subject.autocast().construct({.device = target.type}), body);

    expect_error([&] { subject.autocast().call(function); }, ErrorKind::kValue, {"thrown inside"});

    expect_false(subject.autocast().is_enabled(target.type), "autocast is off again");
  });

  conformance("what_cannot_be_called_is_wrapped_silently", {"CAST-609"}, [](Session& subject) {
    const Target target = target_of(subject);

    subject.autocast().decorate(subject.autocast().construct({.device = target.type}), 7);

    expect_true(subject.warnings().empty(), "there is no warning");
  }).until(Release::k2_11);

  conformance("what_cannot_be_called_is_refused", {"CAST-609"}, [](Session& subject) {
    const Target target = target_of(subject);
    const RegionHandle region = subject.autocast().construct({.device = target.type});
    const Ref tensor = subject.core().tensor(matrix(target, Dtype::kFloat32));

    expect_error([&] { subject.autocast().decorate(region, 7); }, ErrorKind::kType,
                 {"callable", "int", "context manager"});
    for (const Value& function : {Value("text"), Value(tensor), Value(List{})}) {
      expect_error([&] { subject.autocast().decorate(region, function); }, ErrorKind::kType,
                   {"callable"});
    }
    expect_false(subject.autocast().is_enabled(target.type), "the region was not entered");
  }).since(Release::k2_12);
}

}  // namespace assay::suites
