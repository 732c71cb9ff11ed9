// The lifetime of registrations and operator handles.
#include "suites/dispatch/probing.hpp"

namespace assay::suites {
namespace {

DispatchObject defined(Session& subject) {
  return subject.dispatch().def("h::f(Tensor x) -> Tensor");
}

std::string on_cpu(Session& subject, const Value& op) {
  return reached(subject, op, {probe(subject, "CPU")});
}

}  // namespace

CASES("dispatch/handle") {
  conformance("a_registration_ends_with_its_handle", {"DSP-417"}, [](Session& subject) {
    const auto def = defined(subject);
    const auto impl = at(subject, "h::f", "CPU");
    const auto fallback =
        subject.dispatch().fallback(boxed_kernel(subject, "fallback"), {.key = "CUDA"});
    expect_text(on_cpu(subject, "h::f"), "CPU");

    impl.drop();
    fallback.drop();

    expect_text(on_cpu(subject, "h::f"), "not_implemented");
    expect_false(subject.dispatch().has_kernel("h::f", "CPU"), "CPU has no kernel");
    expect_false(subject.dispatch().has_fallback("CUDA"), "CUDA has no fallback");
  });

  conformance("assigning_to_a_registration_ends_it_first", {"DSP-417"}, [](Session& subject) {
    const auto def = defined(subject);
    const auto held = at(subject, "h::f", "CPU", "k1");
    const auto other = at(subject, "h::f", "CPU", "k2");

    subject.dispatch().assign(held, other);
    expect_text(on_cpu(subject, "h::f"), "k2");
    other.drop();
    expect_text(on_cpu(subject, "h::f"), "k2");
    held.drop();

    expect_text(on_cpu(subject, "h::f"), "not_implemented");
  }).only(Deviations::kStrict);

  conformance("assigning_to_a_registration_forgets_it_in_pytorch", {"DSP-417"},
              [](Session& subject) {
                // A separate namespace, because the remaining registration cannot be removed.
                const auto def = subject.dispatch().def("forgotten::f(Tensor x) -> Tensor");
                const auto held = at(subject, "forgotten::f", "CPU", "k1");
                const auto other = at(subject, "forgotten::f", "CPU", "k2");

                subject.dispatch().assign(held, other);
                expect_text(on_cpu(subject, "forgotten::f"), "k2");
                held.drop();

                expect_text(on_cpu(subject, "forgotten::f"), "k1");
              })
      .only(Deviations::kCompat);

  conformance("what_was_moved_from_ends_nothing", {"DSP-417"}, [](Session& subject) {
    const auto def = defined(subject);
    const auto unrelated = at(subject, "h::f", "CUDA");
    const auto impl = at(subject, "h::f", "CPU");
    subject.dispatch().assign(unrelated, impl);

    impl.drop();

    expect_text(on_cpu(subject, "h::f"), "CPU");
    unrelated.drop();
    expect_text(on_cpu(subject, "h::f"), "not_implemented");
  });

  conformance("a_call_on_a_dead_operator_is_an_error", {"DSP-419"}, [](Session& subject) {
    const auto def = defined(subject);
    const auto impl = at(subject, "h::f", "CPU");
    const auto plain = subject.dispatch().handle("h::f");
    const auto typed = subject.dispatch().handle("h::f", "Tensor(const Tensor&)");
    const auto x = probe(subject, "CPU");
    impl.drop();
    def.drop();

    expect_error([&] { subject.dispatch().call(plain, {x}, {.boxed = true}); }, ErrorKind::kError,
                 {"h::f"});
    expect_error([&] { subject.dispatch().call(typed, {x}); }, ErrorKind::kError, {"h::f"});
    expect_error([&] { subject.dispatch().call(plain, {x}, {.keys = KeySet("CPU")}); },
                 ErrorKind::kError, {"h::f"});
    expect_error([&] { subject.dispatch().call(plain, {x}, {.for_key = "CPU"}); },
                 ErrorKind::kError, {"h::f"});
  }).only(Deviations::kStrict);

  conformance("an_old_handle_never_mixes_two_operators", {"DSP-419"}, [](Session& subject) {
    const auto def = defined(subject);
    const auto impl = at(subject, "h::f", "CPU", "old");
    const auto handle = subject.dispatch().handle("h::f");
    impl.drop();
    def.drop();
    subject.dispatch().def("h::f(int n) -> int");
    at(subject, "h::f", "CompositeExplicitAutograd", "new");

    // Either the old operator, which is dead, or the complete new one.
    const auto x = probe(subject, "CPU");
    const std::string answer = reached(subject, handle, {x});

    expect_true(answer == "new" || answer == "error", "it is dead or the new one: " + answer);
    expect_text(reached(subject, "h::f", {3}), "new");
  }).only(Deviations::kStrict);

  conformance("a_dead_operator_is_gone_from_every_list", {"DSP-419", "DSP-418"},
              [](Session& subject) {
                const auto def = defined(subject);
                const auto impl = at(subject, "h::f", "CPU");
                const auto handle = subject.dispatch().handle("h::f");
                impl.drop();
                def.drop();

                expect_false(subject.dispatch().find("h::f"), "it is not found");
                expect_texts(subject.dispatch().ops("h"), {});
                expect_texts(subject.dispatch().registrations("CPU", "h"), {});
                expect_texts(subject.dispatch().dangling(), {});
              })
      .only(Deviations::kStrict);

  for (const bool typed : {false, true}) {
    conformance(std::string("a_null_kernel_is_refused_") + (typed ? "typed" : "boxed"), {"DSP-421"},
                [typed](Session& subject) {
                  const auto def = defined(subject);
                  const auto make = [&] {
                    KernelOptions options{.behaviour = "null"};
                    if (typed) options.signature = "Tensor(const Tensor&)";
                    const auto kernel = subject.dispatch().kernel(options);
                    subject.dispatch().impl("h::f", kernel, {.key = "CPU"});
                  };

                  expect_error(make, ErrorKind::kInternal, {"null"});

                  expect_false(subject.dispatch().has_kernel("h::f", "CPU"), "CPU has no kernel");
                });
  }

  conformance("handles_are_copied_and_mean_one_operator", {"DSP-616"}, [](Session& subject) {
    const auto def = defined(subject);
    const auto impl = at(subject, "h::f", "CPU", "first");
    const auto one = subject.dispatch().handle("h::f");
    const auto two = subject.dispatch().find_or_throw("h::f", "");
    const auto typed = subject.dispatch().handle("h::f", "Tensor(const Tensor&)");
    one.drop();
    expect_text(on_cpu(subject, two), "first");
    expect_text(reached(subject, typed, {probe(subject, "CPU")}, {}), "first");

    at(subject, "h::f", "CPU", "second");

    expect_text(on_cpu(subject, two), "second");
    expect_text(reached(subject, typed, {probe(subject, "CPU")}, {}), "second");
  });

  conformance("a_typed_handle_is_checked_when_it_is_made", {"DSP-616", "DSP-704"},
              [](Session& subject) {
                const auto def = defined(subject);
                subject.dispatch().impl("h::f", typed_kernel(subject, "cpu"), {.key = "CPU"});

                const auto typed = subject.dispatch().handle("h::f", "Tensor(const Tensor&)");
                expect_error([&] { subject.dispatch().handle("h::f", "Tensor(Tensor)"); },
                             ErrorKind::kError, {"h::f"});

                expect_text(reached(subject, typed, {probe(subject, "CPU")}, {}), "cpu");
              });
}

}  // namespace assay::suites
