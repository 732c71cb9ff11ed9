// Events during a kernel's execution: errors, recursion, registration, and the functor's lifetime.
#include "suites/dispatch/probing.hpp"

namespace assay::suites {
namespace {

const std::string kOp = "run::f";
const char* const kUnary = "Tensor(const Tensor&)";

DispatchObject defined(Session& subject) {
  return subject.dispatch().def(kOp + "(Tensor x) -> Tensor");
}

void call_again(Session& subject) { subject.dispatch().call(kOp, {Ref{"$0"}}, {.boxed = true}); }

void return_argument(Session& subject) { subject.send("value", {{"value", Ref{"$0"}}}); }

DispatchObject watch(Session& subject, const DispatchObject& kernel) {
  const std::string name = subject.fresh_name("weak");
  subject.send("weak", {{"object", kernel}}, name);
  return {subject, name};
}

bool is_gone(Session& subject, const DispatchObject& weak) {
  return field_as<bool>(subject.send("gone", {{"weak", weak}}), "result");
}

DispatchObject raising(Session& subject, const std::string& kind, const std::string& message) {
  return subject.dispatch().kernel(
      {.behaviour = "raise", .label = "raising", .kind = kind, .message = message});
}

}  // namespace

CASES("dispatch/running") {
  for (const bool typed : {true, false}) {
    conformance(
        std::string("errors_go_unchanged_through_") + (typed ? "typed" : "boxed") + "_layers",
        {"DSP-613"}, [typed](Session& subject) {
          const auto def = defined(subject);
          at(subject, kOp, "Tracer", "unused").drop();
          const auto pass = subject.dispatch().kernel(
              {.behaviour = "redispatch", .label = "pass", .signature = kUnary});
          subject.dispatch().impl(kOp, pass, {.key = "AutogradCPU"});
          const auto x = probe(subject, {"CPU", "AutogradCPU"});
          CallOptions how;
          if (typed) how.signature = kUnary;
          if (!typed) how.boxed = true;
          for (const auto& [word, kind] : {std::pair{"value", ErrorKind::kValue},
                                           {"index", ErrorKind::kIndex},
                                           {"type", ErrorKind::kType},
                                           {"error", ErrorKind::kError}}) {
            const auto impl = subject.dispatch().impl(
                kOp, raising(subject, word, "told by the kernel"), {.key = "CPU"});
            expect_error([&] { subject.dispatch().call(kOp, {x}, how); }, kind,
                         {"told by the kernel"});
            impl.drop();
          }
        });
  }

  conformance("guards_of_a_kernel_that_raises_are_undone", {"DSP-613"}, [](Session& subject) {
    const auto def = defined(subject);
    const TlsSets before = subject.dispatch().tls();
    const auto kernel = running_kernel(subject, "guarded", [](Session& s) {
      within(
          s,
          [](Session& inner) {
            inner.dispatch().exclude({"Tracer", "AutogradCPU"});
          },
          [](Session& inner) {
            inner.send("raise", {{"kind", "value"}, {"message", "inside the guard"}});
          });
    });
    subject.dispatch().impl(kOp, kernel, {.key = "CPU"});
    const auto x = probe(subject, "CPU");

    expect_error([&] { subject.dispatch().call(kOp, {x}, {.boxed = true}); }, ErrorKind::kValue,
                 {"inside the guard"});

    const TlsSets after = subject.dispatch().tls();
    expect_equal(static_cast<std::int64_t>(after.excluded),
                 static_cast<std::int64_t>(before.excluded));
    expect_equal(static_cast<std::int64_t>(after.included),
                 static_cast<std::int64_t>(before.included));
  }).only(Deviations::kStrict);

  conformance("observers_see_the_end_of_a_call_that_raised", {"DSP-613", "DSP-808"},
              [](Session& subject) {
                const auto def = defined(subject);
                subject.dispatch().impl(kOp, raising(subject, "value", "no"), {.key = "CPU"});
                const auto observer = subject.dispatch().observe({.outputs = true});
                const auto x = probe(subject, "CPU");
                expect_error([&] { subject.dispatch().call(kOp, {x}, {.boxed = true}); },
                             ErrorKind::kValue);

                const auto events = subject.dispatch().observed(observer);

                expect_equal(static_cast<std::int64_t>(events.size()), 2);
                expect_text(events[1].event, "end");
                expect_equal(events[1].outputs, 0);
              });

  conformance("a_kernel_may_call_its_operator_a_hundred_deep", {"DSP-614"}, [](Session& subject) {
    const auto def = defined(subject);
    at(subject, kOp, "CPU", "bottom");
    // Each removes its own registration, and so calls the previous kernel.
    for (int i = 1; i <= 100; ++i) {
      const std::string name = "run.reg" + std::to_string(i);
      const auto kernel = running_kernel(subject, "k" + std::to_string(i), [&](Session& s) {
        s.drop(name);
        call_again(s);
      });
      subject.send("dispatch.impl", {{"op", kOp}, {"kernel", kernel}, {"key", "CPU"}}, name);
    }
    const auto x = probe(subject, "CPU");

    const auto called = subject.dispatch().call(kOp, {x}, {.boxed = true});

    expect_equal(static_cast<std::int64_t>(called.ran.size()), 101);
    expect_text(called.ran.at(0).kernel, "k100");
    expect_text(called.ran.at(99).kernel, "k1");
    expect_text(called.ran.at(100).kernel, "bottom");
    expect_equal(called.result, x);
    expect_text(reached(subject, kOp, {x}), "bottom");
  });

  conformance("a_kernel_may_override_itself", {"DSP-614"}, [](Session& subject) {
    const auto def = defined(subject);
    const auto next = boxed_kernel(subject, "new");
    const auto kernel = running_kernel(subject, "old", [&](Session& s) {
      s.dispatch().impl(kOp, next, {.key = "CPU"});
      return_argument(s);
    });
    subject.dispatch().impl(kOp, kernel, {.key = "CPU"});
    const auto x = probe(subject, "CPU");

    // A kernel's registrations live as long as the enclosing command, here the scope.
    const auto replies = within(
        subject, [](Session&) {},
        [&](Session& s) {
          s.dispatch().call(kOp, {x}, {.boxed = true});
          s.dispatch().call(kOp, {x}, {.boxed = true});
        });

    expect_text(called_from(replies.at(0)).labels(), "old");
    expect_text(called_from(replies.at(1)).labels(), "new");
  });

  conformance("a_kernel_may_define_and_call_another_operator", {"DSP-614"}, [](Session& subject) {
    const auto def = defined(subject);
    const auto inner = boxed_kernel(subject, "inner");
    const auto kernel = running_kernel(subject, "outer", [&](Session& s) {
      s.dispatch().def("run::g(Tensor x) -> Tensor");
      s.dispatch().impl("run::g", inner, {.key = "CPU"});
      s.dispatch().call("run::g", {Ref{"$0"}}, {.boxed = true});
    });
    subject.dispatch().impl(kOp, kernel, {.key = "CPU"});

    const auto called = subject.dispatch().call(kOp, {probe(subject, "CPU")}, {.boxed = true});

    expect_text(called.labels(), "outer inner");
    expect_false(subject.dispatch().find("run::g"), "the operator is gone after the call");
  });

  conformance("a_functor_lives_as_long_as_its_registration", {"DSP-615"}, [](Session& subject) {
    const auto def = defined(subject);
    const auto kernel = boxed_kernel(subject, "k");
    const auto weak = watch(subject, kernel);
    const auto impl = subject.dispatch().impl(kOp, kernel, {.key = "CPU"});
    const auto second = subject.dispatch().impl(kOp, kernel, {.key = "CUDA"});
    kernel.drop();
    expect_false(is_gone(subject, weak), "it lives while it is registered");
    impl.drop();
    expect_false(is_gone(subject, weak), "it lives while it is registered elsewhere");

    second.drop();

    expect_true(is_gone(subject, weak), "gone with its last registration");
  });

  conformance("a_functor_lives_as_long_as_a_call_is_inside_it", {"DSP-615"}, [](Session& subject) {
    const auto def = defined(subject);
    const std::string weak = "run.weak";
    const std::string registration = "run.registration";
    // The boxed kernel returns whether its functor is gone.
    const auto kernel = running_kernel(subject, "k", [&](Session& s) {
      s.drop(registration);
      s.send("gone", {{"weak", Ref{weak}}});
    });
    subject.send("weak", {{"object", kernel}}, weak);
    subject.send("dispatch.impl", {{"op", kOp}, {"kernel", kernel}, {"key", "CPU"}}, registration);
    kernel.drop();

    const auto called = subject.dispatch().call(kOp, {probe(subject, "CPU")}, {.boxed = true});

    expect_equal(called.result, false);
    expect_true(field_as<bool>(subject.send("gone", {{"weak", Ref{weak}}}), "result"),
                "gone when the call has left");
    expect_text(reached(subject, kOp, {probe(subject, "CPU")}), "not_implemented");
  }).only(Deviations::kStrict);
}

}  // namespace assay::suites
