// Calls, redispatch and calls for a key: the choice of kernel and the key set that it receives.
#include "suites/dispatch/layout.hpp"
#include "suites/dispatch/probing.hpp"

namespace assay::suites {
namespace {

const std::string kOp = "call::f";
const char* const kUnary = "Tensor(const Tensor&)";
const char* const kWrapper = "TESTING_ONLY_GenericWrapper";
const char* const kMode = "TESTING_ONLY_GenericMode";

DispatchObject defined(Session& subject) {
  return subject.dispatch().def(kOp + "(Tensor x) -> Tensor");
}

void expect_set(const RanKernel& ran, KeyBits wanted, Where where = Where::current()) {
  expect_equal(static_cast<std::int64_t>(ran.keys.get()), static_cast<std::int64_t>(wanted), where);
}

/// A kernel that redispatches below its own key; typed if `typed`.
DispatchObject passing(Session& subject, const std::string& label, bool typed) {
  KernelOptions options{.behaviour = "redispatch", .label = label};
  if (typed) options.signature = kUnary;
  return subject.dispatch().kernel(options);
}

/// Both kinds of calls, boxed and typed.
const std::vector<CallOptions> kWays{{.boxed = true}, {.signature = kUnary}};

}  // namespace

CASES("dispatch/call") {
  conformance("typed_kernels_take_typed_calls_and_boxed_ones_are_boxed_for", {"DSP-601"},
              [](Session& subject) {
                const auto def = defined(subject);
                subject.dispatch().impl(kOp, typed_kernel(subject, "typed"), {.key = "CPU"});
                at(subject, kOp, "CUDA", "boxed");

                const auto typed =
                    subject.dispatch().call(kOp, {probe(subject, "CPU")}, {.signature = kUnary});
                const auto boxed =
                    subject.dispatch().call(kOp, {probe(subject, "CUDA")}, {.signature = kUnary});

                expect_text(typed.labels(), "typed");
                expect_equal(typed.ran.at(0).boxed, false);
                expect_text(boxed.labels(), "boxed");
                expect_equal(boxed.ran.at(0).boxed, true);
              });

  conformance("the_kernel_gets_the_effective_set", {"DSP-601", "DSP-603", "DSP-208"},
              [](Session& subject) {
                const Layout layout = layout_of(subject);
                const auto def = defined(subject);
                at(subject, kOp, "CUDA");
                const auto x = probe(subject, {"CPU", "CUDA", "ADInplaceOrView", "AutocastCPU"});
                for (const auto& how : kWays) {
                  const auto called = subject.dispatch().call(kOp, {x}, how);
                  expect_text(called.ran.at(0).key, "CUDA");
                  expect_set(called.ran.at(0), layout.union_of({"CPU", "CUDA"}));
                }
              });

  conformance("tensors_come_back_as_the_objects_they_were", {"DSP-601"}, [](Session& subject) {
    const auto def = defined(subject);
    subject.dispatch().impl(kOp, typed_kernel(subject, "typed"), {.key = "CPU"});
    const auto x = probe(subject, "CPU");
    for (const auto& how : kWays) {
      const auto called = subject.dispatch().call(kOp, {x}, how);
      expect_equal(called.result, x);
    }
  });

  conformance("redispatch_takes_the_set_as_it_is", {"DSP-602"}, [](Session& subject) {
    const Layout layout = layout_of(subject);
    const auto def = defined(subject);
    for (const char* key : {"CPU", "CUDA", "Tracer"}) at(subject, kOp, key);
    const auto x = probe(subject, "CUDA");
    for (CallOptions how : kWays) {
      how.keys = KeySet("CPU");
      const auto called = subject.dispatch().call(kOp, {x}, how);
      expect_text(called.labels(), "CPU");
      expect_set(called.ran.at(0), layout.bits_of("CPU"));
    }
  });

  conformance("a_kernel_redispatches_with_another_set_than_its_own", {"DSP-602"},
              [](Session& subject) {
                const Layout layout = layout_of(subject);
                const auto def = defined(subject);
                for (const char* key : {"CPU", "CUDA"}) at(subject, kOp, key);
                subject.dispatch().impl(
                    kOp,
                    subject.dispatch().kernel(
                        {.behaviour = "redispatch", .label = "elsewhere", .keys = KeySet("CUDA")}),
                    {.key = "Tracer"});
                const auto x = probe(subject, {"CPU", "Tracer"});
                for (const auto& how : kWays) {
                  const auto called = subject.dispatch().call(kOp, {x}, how);
                  expect_text(called.labels(), "elsewhere CUDA");
                  expect_set(called.ran.at(1), layout.bits_of("CUDA"));
                }
              });

  conformance("redispatch_ignores_thread_local_sets", {"DSP-602"}, [](Session& subject) {
    const Layout layout = layout_of(subject);
    const auto def = defined(subject);
    for (const char* key : {"CPU", "CUDA", "Tracer"}) at(subject, kOp, key);
    const auto x = probe(subject, "CUDA");
    for (CallOptions how : kWays) {
      how.keys = KeySet("CPU");
      const auto replies = within(
          subject,
          [](Session& s) {
            s.dispatch().exclude("CPU");
            s.dispatch().include("Tracer");
          },
          [&](Session& s) { s.dispatch().call(kOp, {x}, how); });
      const auto called = called_from(replies.at(0));
      expect_text(called.labels(), "CPU");
      expect_set(called.ran.at(0), layout.bits_of("CPU"));
    }
  });

  conformance("redispatch_calls_the_highest_key_and_keeps_it", {"DSP-602"}, [](Session& subject) {
    const Layout layout = layout_of(subject);
    const auto def = defined(subject);
    for (const char* key : {"CPU", "Tracer"}) at(subject, kOp, key);
    const auto called = subject.dispatch().call(kOp, {probe(subject, "CPU")},
                                                {.boxed = true, .keys = KeySet{"CPU", "Tracer"}});
    expect_text(called.ran.at(0).key, "Tracer");
    expect_set(called.ran.at(0), layout.union_of({"CPU", "Tracer"}));
  });

  conformance("redispatch_applies_no_mask", {"DSP-602", "DSP-516"}, [](Session& subject) {
    const auto def = defined(subject);
    at(subject, kOp, "CPU");
    subject.dispatch().impl(kOp, fallthrough_kernel(subject), {.key = "Tracer"});
    const auto x = probe(subject, "CPU");
    for (CallOptions how : kWays) {
      how.keys = KeySet{"CPU", "Tracer"};
      expect_error([&] { subject.dispatch().call(kOp, {x}, how); }, ErrorKind::kInternal);
    }
  });

  conformance("redispatch_with_nothing_leads_to_the_entry_without_a_key", {"DSP-602", "DSP-703"},
              [](Session& subject) {
                const auto def = defined(subject);
                at(subject, kOp, "CPU");
                const auto x = probe(subject, "CPU");
                for (CallOptions how : kWays) {
                  how.keys = KeySet(KeyBits{0});
                  expect_error([&] { subject.dispatch().call(kOp, {x}, how); },
                               ErrorKind::kNotImplemented, {kOp});
                }
                at(subject, kOp, "CompositeExplicitAutograd", "composite");
                for (CallOptions how : kWays) {
                  how.keys = KeySet(KeyBits{0});
                  expect_text(subject.dispatch().call(kOp, {x}, how).labels(), "composite");
                }
              });

  for (const bool typed : {true, false}) {
    conformance(std::string("each_level_sees_the_keys_at_or_below_itself_when_") +
                    (typed ? "typed" : "boxed"),
                {"DSP-603", "DSP-602", "DSP-606"}, [typed](Session& subject) {
                  const Layout layout = layout_of(subject);
                  const auto def = defined(subject);
                  subject.dispatch().impl(kOp, passing(subject, "wrapper", typed),
                                          {.key = kWrapper});
                  subject.dispatch().impl(kOp, passing(subject, "autograd", !typed),
                                          {.key = "AutogradCPU"});
                  subject.dispatch().impl(kOp, typed_kernel(subject, "cpu"), {.key = "CPU"});
                  const auto x = probe(subject, {"CPU", "AutogradCPU", kWrapper});
                  for (const auto& how : kWays) {
                    const auto called = subject.dispatch().call(kOp, {x}, how);
                    expect_text(called.labels(), "wrapper autograd cpu");
                    expect_set(called.ran.at(0), layout.union_of({"CPU", "AutogradCPU", kWrapper}));
                    expect_set(called.ran.at(1), layout.union_of({"CPU", "AutogradCPU"}));
                    expect_set(called.ran.at(2), layout.bits_of("CPU"));
                    expect_equal(called.result, x);
                  }
                });
  }

  conformance("kernels_with_and_without_key_sets_mix", {"DSP-603"}, [](Session& subject) {
    const auto def = defined(subject);
    const auto plain =
        subject.dispatch().kernel({.label = "plain", .signature = kUnary, .takes_keys = false});
    subject.dispatch().impl(kOp, passing(subject, "with keys", true), {.key = "AutogradCPU"});
    subject.dispatch().impl(kOp, plain, {.key = "CPU"});
    for (const auto& how : kWays) {
      const auto called =
          subject.dispatch().call(kOp, {probe(subject, {"CPU", "AutogradCPU"})}, how);
      expect_text(called.labels(), "with keys plain");
    }
  });

  conformance("a_callback_kernel_gets_its_set_and_its_operator", {"DSP-603"}, [](Session& subject) {
    const auto def = defined(subject);
    at(subject, kOp, "CPU");
    const auto kernel = running_kernel(subject, "outer", [](Session& s) {
      s.send("dispatch.call", {{"op", Ref{"$op"}},
                               {"args", List{{Ref{"$0"}}}},
                               {"boxed", true},
                               {"keys", List{{"CPU"}}}});
      s.send("value", {{"value", Ref{"$0"}}});
    });
    subject.dispatch().impl(kOp, kernel, {.key = "CUDA"});

    const auto called =
        subject.dispatch().call(kOp, {probe(subject, {"CPU", "CUDA"})}, {.boxed = true});

    expect_text(called.labels(), "outer CPU");
  });
}

CASES("dispatch/call_boxed") {
  conformance("what_lies_below_the_arguments_stays", {"DSP-604", "CORE-17"}, [](Session& subject) {
    subject.dispatch().def("call::add1(Tensor a, int n) -> int");
    subject.dispatch().impl("call::add1", value_kernel(subject, "five", 5), {.key = "CPU"});

    const auto called =
        subject.dispatch().call("call::add1", {probe(subject, "CPU"), 4},
                                {.boxed = true, .below = std::vector<Value>{"below", 7}});

    expect_equal(called.result, 5);
    expect_equal(List{called.stack}, List{{"below", 7}});
  });

  conformance("typed_kernels_are_unboxed_for_and_their_results_boxed", {"DSP-604", "DSP-612"},
              [](Session& subject) {
                subject.dispatch().def("call::two(Tensor x) -> (int, Tensor)");
                const auto x = probe(subject, "CPU");
                subject.dispatch().impl(
                    "call::two",
                    subject.dispatch().kernel({.behaviour = "value",
                                               .label = "typed",
                                               .signature = "tuple<int64_t,Tensor>(const Tensor&)",
                                               .values = std::vector<Value>{41, x}}),
                    {.key = "CPU"});

                const auto called = subject.dispatch().call(
                    "call::two", {x}, {.boxed = true, .below = std::vector<Value>{"below"}});

                expect_equal(called.result, List{{41, x}});
                expect_equal(List{called.stack}, List{{"below"}});
              });

  conformance("an_operator_without_returns_leaves_nothing", {"DSP-604", "DSP-608"},
              [](Session& subject) {
                subject.dispatch().def("call::void(int n) -> ()");
                subject.dispatch().impl("call::void",
                                        subject.dispatch().kernel({.behaviour = "value",
                                                                   .label = "typed",
                                                                   .signature = "void(int64_t)",
                                                                   .values = std::vector<Value>{}}),
                                        {.key = "CompositeExplicitAutograd"});
                const auto called = subject.dispatch().call(
                    "call::void", {3}, {.boxed = true, .below = std::vector<Value>{"below"}});
                expect_true(called.result.is_none(), "nothing is returned");
                expect_equal(List{called.stack}, List{{"below"}});
              });

  conformance("a_call_for_a_key_takes_the_newest_kernel_there", {"DSP-605"}, [](Session& subject) {
    const Layout layout = layout_of(subject);
    const auto def = defined(subject);
    at(subject, kOp, "CPU");
    at(subject, kOp, "Tracer", "older");
    const auto newer = at(subject, kOp, "Tracer", "newer");
    const auto x = probe(subject, "CPU");

    const auto called = subject.dispatch().call(kOp, {x}, {.for_key = "Tracer"});
    expect_text(called.labels(), "newer");
    // The set equals that of an ordinary call.
    expect_set(called.ran.at(0), layout.bits_of("CPU"));

    newer.drop();
    expect_text(reached(subject, kOp, {x}, {.for_key = "Tracer"}), "older");
  });

  conformance("a_call_for_a_key_takes_an_alias_only_where_it_is_registered", {"DSP-605"},
              [](Session& subject) {
                const auto def = defined(subject);
                at(subject, kOp, "CompositeExplicitAutograd", "composite");
                const auto x = probe(subject, "CPU");

                expect_text(reached(subject, kOp, {x}, {.for_key = "CompositeExplicitAutograd"}),
                            "composite");
              });

  conformance("a_call_for_a_key_without_a_kernel_is_an_error", {"DSP-605"}, [](Session& subject) {
    const auto def = defined(subject);
    at(subject, kOp, "CompositeExplicitAutograd", "composite");
    const auto x = probe(subject, "CPU");

    for (const char* key : {"CPU", "CUDA", "Autograd"}) {
      expect_error([&] { subject.dispatch().call(kOp, {x}, {.for_key = key}); },
                   ErrorKind::kInternal);
    }
  });

  conformance("a_call_for_a_key_takes_the_fallback_of_the_key", {"DSP-605"}, [](Session& subject) {
    const auto def = defined(subject);
    const auto fallback =
        subject.dispatch().fallback(boxed_kernel(subject, "fallback"), {.key = "CUDA"});
    const auto x = probe(subject, "CPU");
    expect_text(reached(subject, kOp, {x}, {.for_key = "CUDA"}), "fallback");
    const auto own = at(subject, kOp, "CUDA");
    expect_text(reached(subject, kOp, {x}, {.for_key = "CUDA"}), "CUDA");
    own.drop();
    expect_text(reached(subject, kOp, {x}, {.for_key = "CUDA"}), "fallback");
  });

  conformance("a_fallback_can_wrap_every_operator_as_a_mode", {"DSP-606"}, [](Session& subject) {
    const auto def = defined(subject);
    subject.dispatch().def("call::g(Tensor x) -> Tensor");
    for (const std::string& op : {kOp, std::string("call::g")}) at(subject, op, "CPU", op);
    subject.dispatch().fallback(subject.dispatch().kernel({.behaviour = "call", .label = "mode"}),
                                {.key = kMode});
    const auto x = probe(subject, "CPU");

    const auto replies = within(
        subject, [](Session& s) { s.dispatch().include(kMode); },
        [&](Session& s) {
          s.dispatch().call(kOp, {x}, {.boxed = true});
          s.dispatch().call("call::g", {x}, {.signature = kUnary});
        });

    expect_text(called_from(replies.at(0)).labels(), "mode " + kOp);
    expect_text(called_from(replies.at(1)).labels(), "mode call::g");
    expect_text(reached(subject, kOp, {x}), kOp);
  });

  conformance("a_fallback_can_wrap_every_operator_by_redispatch", {"DSP-606", "DSP-603"},
              [](Session& subject) {
                const Layout layout = layout_of(subject);
                const auto def = defined(subject);
                subject.dispatch().impl(kOp, typed_kernel(subject, "cpu"), {.key = "CPU"});
                subject.dispatch().fallback(passing(subject, "wrapper", false), {.key = kWrapper});
                const auto x = probe(subject, {"CPU", kWrapper});
                for (const auto& how : kWays) {
                  const auto called = subject.dispatch().call(kOp, {x}, how);
                  expect_text(called.labels(), "wrapper cpu");
                  expect_set(called.ran.at(1), layout.bits_of("CPU"));
                }
              });

  conformance("boxed_redispatch_takes_the_set_as_it_is", {"DSP-606"}, [](Session& subject) {
    const auto def = defined(subject);
    subject.dispatch().impl(kOp, typed_kernel(subject, "cpu"), {.key = "CPU"});
    at(subject, kOp, "CUDA");
    const auto called = subject.dispatch().call(
        kOp, {probe(subject, "CUDA")},
        {.boxed = true, .keys = KeySet("CPU"), .below = std::vector<Value>{"below"}});
    expect_text(called.labels(), "cpu");
    expect_equal(List{called.stack}, List{{"below"}});
  });
}

}  // namespace assay::suites
