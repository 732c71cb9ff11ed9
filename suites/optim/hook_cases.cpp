// The calls made by a step: its closure, and the hooks before and after it.
#include "harness/suite/clients/autograd.hpp"
#include "harness/suite/clients/core.hpp"
#include "suites/optim/optimizing.hpp"

namespace assay::suites {
namespace {

/// A callback that appends `digit` to the number in `log`: log * 10 + digit.
Callable writes(Session& subject, const Ref& log, int digit) {
  return subject.callback(subject.fresh_name("writes"), subject.block([&](Session& inside) {
    inside.core().add_(log, inside.core().op_ref("mul", {log, 9}));
    inside.core().add_(log, digit);
  }));
}

Value closure_that(Session& subject, const std::function<void(Session&)>& program) {
  return subject.callback(subject.fresh_name("closure"), subject.block(program));
}

}  // namespace

CASES("optim/closure") {
  conformance("its_value_is_the_step_s", {"OPT-013"}, [](Session& subject) {
    for (const std::string& kind : kinds()) {
      const ScopedTrace at(kind);
      const auto optimizer = made(subject, kind, {param(subject, 1, 2)});

      const Value loss = optimizer.step(closure_that(subject, [](Session& inside) {
        inside.send("value", {{"value", 42}});
      }));

      expect_equal(loss, 42);
      expect_true(optimizer.step().is_none(), "a step without a closure returns nothing");
    }
  });

  conformance("the_step_takes_the_gradients_that_it_leaves", {"OPT-013"}, [](Session& subject) {
    for (const std::string& mode : modes(subject)) {
      const ScopedTrace at(mode);
      const Param trained = param(subject, 1, 2);
      const auto optimizer = made(subject, "sgd", {trained}, mode);

      optimizer.step(closure_that(subject, [&](Session&) { trained.set_grad(f32({-1})); }));

      expect_bits(trained.read(), f32({1.25}));
    }
  });

  conformance("it_runs_once_however_many_groups_there_are", {"OPT-013"}, [](Session& subject) {
    const Param a = param(subject, 1, 2);
    const Param b = param(subject, 1, 2);
    const Ref log = subject.core().tensor(f32({0}));
    const auto optimizer = made(subject, "adam", {List{{a}}, List{{b}}});

    optimizer.step(writes(subject, log, 7));

    expect_bits(subject.core().read(log), f32({7}));
  });

  conformance(
      "it_computes_with_gradients_though_the_caller_does_not", {"OPT-013"}, [](Session& subject) {
        const auto optimizer = made(subject, "sgd", {param(subject, 1, 2)});
        const Value closure =
            closure_that(subject, [](Session& inside) { inside.autograd().is_grad_enabled(); });
        const std::vector<Reply> replies =
            subject.scope(subject.autograd().grad_mode(false),
                          subject.block([&](Session&) { optimizer.step(closure); }));

        expect_equal(field(replies.at(0), "result"), true);
      });

  conformance("what_is_none_is_refused", {"OPT-013"}, [](Session& subject) {
    for (const std::string& kind : kinds()) {
      const ScopedTrace at(kind);
      const Param trained = param(subject, 1, 2);
      const auto optimizer = made(subject, kind, {trained});

      expect_error([&] { optimizer.step(3); }, ErrorKind::kType);
    }
  });
}

CASES("optim/hooks") {
  conformance("they_run_in_the_order_in_which_they_were_added", {"OPT-013"}, [](Session& subject) {
    for (const std::string& kind : kinds()) {
      const ScopedTrace at(kind);
      const Ref log = subject.core().tensor(f64({0}));
      const auto optimizer = made(subject, kind, {param(subject, 1, 2)});
      optimizer.hook("post", writes(subject, log, 4));
      optimizer.hook("pre", writes(subject, log, 1));
      optimizer.hook("pre", writes(subject, log, 2));
      optimizer.hook("post", writes(subject, log, 5));

      optimizer.step(writes(subject, log, 3));

      expect_bits(subject.core().read(log), f64({12345}));
    }
  }).since(Release::k2_4);

  conformance("a_removed_one_runs_no_longer", {"OPT-013"}, [](Session& subject) {
    const Ref log = subject.core().tensor(f64({0}));
    const auto optimizer = made(subject, "sgd", {param(subject, 1, 2)});
    optimizer.hook("pre", writes(subject, log, 1));
    const Ref second = optimizer.hook("pre", writes(subject, log, 2));
    optimizer.step();

    subject.optim().remove_hook(second);
    optimizer.step();

    expect_bits(subject.core().read(log), f64({121}));
  }).since(Release::k2_4);

  conformance("one_before_the_step_may_change_the_gradient", {"OPT-013"}, [](Session& subject) {
    const Param trained = param(subject, 1, 2);
    const auto optimizer = made(subject, "sgd", {trained});
    optimizer.hook("pre", subject.callback("clears", subject.block([](Session& inside) {
      inside.optim().named("$0").zero_grad(true);
    })));

    optimizer.step();

    expect_bits(trained.read(), f32({1}));
  }).since(Release::k2_4);

  conformance("there_were_none", {"OPT-013"}, [](Session& subject) {
    const auto optimizer = made(subject, "sgd", {param(subject, 1, 2)});
    const Callable nothing = subject.callback("nothing", subject.block([](Session&) {}));

    expect_error([&] { optimizer.hook("pre", nothing); }, ErrorKind::kAttribute);
  }).until(Release::k1_13);
}

}  // namespace assay::suites
