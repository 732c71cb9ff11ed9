// Fallthrough: keys that an operator skips, for all or some backends.
#include "harness/suite/reading.hpp"
#include "suites/dispatch/layout.hpp"
#include "suites/dispatch/probing.hpp"

namespace assay::suites {
namespace {

const std::string kOp = "ft::f";
const std::string kTwo = "ft::two";

void define(Session& subject) {
  subject.dispatch().def(kOp + "(Tensor x) -> Tensor");
  subject.dispatch().def(kTwo + "(Tensor x, Tensor y) -> Tensor");
}

DispatchObject fall(Session& subject, const std::string& op, const std::string& key) {
  return subject.dispatch().impl(op, fallthrough_kernel(subject), {.key = key});
}

std::string on(Session& subject, const KeySet& keys) {
  return reached(subject, kOp, {probe(subject, keys)});
}

std::string on_two(Session& subject, const KeySet& left, const KeySet& right) {
  return reached(subject, kTwo, {probe(subject, left), probe(subject, right)});
}

/// The kernel reached by an operator without tensors under these thread-local sets.
std::string within_included(Session& subject, const std::string& op, const std::vector<Value>& args,
                            const KeySet& included) {
  const auto replies = within(
      subject, [&](Session& s) { s.dispatch().include(included); },
      [&](Session& s) { s.dispatch().call(op, args, {.boxed = true}); });
  return last_of(called_from(replies.at(0)).ran).kernel;
}

}  // namespace

CASES("dispatch/fallthrough") {
  conformance("a_plain_key_that_falls_through_is_not_seen", {"DSP-513"}, [](Session& subject) {
    define(subject);
    at(subject, kOp, "CPU");
    const auto tracer = fall(subject, kOp, "Tracer");
    expect_text(on(subject, {"CPU", "Tracer"}), "CPU");
    expect_text(on(subject, {"CUDA", "Tracer"}), "not_implemented");
    tracer.drop();
    at(subject, kOp, "Tracer");
    expect_text(on(subject, {"CPU", "Tracer"}), "Tracer");
  });

  conformance("the_set_that_a_kernel_gets_has_no_masked_keys", {"DSP-513", "DSP-208"},
              [](Session& subject) {
                const Layout layout = layout_of(subject);
                define(subject);
                at(subject, kOp, "CPU");
                at(subject, kOp, "Tracer", "tracer");
                fall(subject, kOp, "Negative");
                const auto called = subject.dispatch().call(
                    kOp, {probe(subject, {"CPU", "Negative", "Tracer"})}, {.boxed = true});

                expect_text(called.ran.at(0).kernel, "tracer");
                expect_equal(static_cast<std::int64_t>(called.ran.at(0).keys.get()),
                             static_cast<std::int64_t>(layout.union_of({"CPU", "Tracer"})));
              });

  conformance(
      "a_runtime_key_is_masked_for_its_backend_alone", {"DSP-513", "DSP-514"},
      [](Session& subject) {
        define(subject);
        for (const char* key : {"CPU", "CUDA", "AutogradCPU"}) {
          at(subject, kOp, key);
          at(subject, kTwo, key);
        }
        fall(subject, kOp, "AutogradCUDA");
        fall(subject, kTwo, "AutogradCUDA");

        expect_text(on(subject, {"CPU", "AutogradCPU"}), "AutogradCPU");
        expect_text(on(subject, {"CUDA", "AutogradCUDA"}), "CUDA");
        expect_text(on_two(subject, {"CPU", "AutogradCPU"}, {"CUDA", "AutogradCUDA"}), "CUDA");
      });

  conformance("the_mask_of_one_backend_is_no_other_s", {"DSP-513"}, [](Session& subject) {
    const auto backends = layout_of(subject).backends();
    define(subject);
    for (const std::string& backend : backends) at(subject, kOp, backend);
    for (const std::string& masked : {backends.at(0), backends.at(1), last_of(backends)}) {
      const ScopedTrace row("masked for " + masked);
      const auto falls = fall(subject, kOp, "Sparse" + masked);
      for (const std::string& backend : backends) {
        const auto kernel = at(subject, kOp, "Sparse" + backend, "sparse " + backend);
        expect_text(on(subject, {backend, "Sparse" + backend}), "sparse " + backend);
        kernel.drop();
        const std::string without = backend == masked ? backend : "not_implemented";
        expect_text(on(subject, {backend, "Sparse" + backend}), without);
      }
      falls.drop();
    }
  });

  conformance("a_masked_backend_does_not_fall_to_the_kernel_of_another", {"DSP-514"},
              [](Session& subject) {
                define(subject);
                for (const std::string& op : {kOp, kTwo}) {
                  at(subject, op, "CPU");
                  at(subject, op, "QuantizedCUDA");
                  fall(subject, op, "CUDA");
                }
                const auto cuda = probe(subject, "CUDA");

                expect_error([&] { subject.dispatch().call(kOp, {cuda}, {.boxed = true}); },
                             ErrorKind::kNotImplemented, {kOp});
                expect_text(on(subject, "CPU"), "CPU");
                expect_text(on_two(subject, "CPU", "CUDA"), "not_implemented");
                expect_text(on_two(subject, "CUDA", "CPU"), "not_implemented");
                expect_text(on_two(subject, "CUDA", "QuantizedCUDA"), "QuantizedCUDA");
              });

  conformance(
      "excluding_and_masking_leave_backend_bits", {"DSP-514", "DSP-703"}, [](Session& subject) {
        define(subject);
        at(subject, kOp, "CPU");
        at(subject, kOp, "Tracer", "tracer");
        fall(subject, kOp, "CUDA");
        const Layout layout = layout_of(subject);
        const auto called =
            subject.dispatch().call(kOp, {probe(subject, {"CUDA", "Tracer"})}, {.boxed = true});

        expect_equal(static_cast<std::int64_t>(called.ran.at(0).keys.get()),
                     static_cast<std::int64_t>(layout.bits_of("Tracer") |
                                               (layout.bits_of("CUDA") & layout.backend_bits())));
      });

  conformance("the_mask_is_that_of_the_backend_of_all_keys", {"DSP-513"}, [](Session& subject) {
    subject.dispatch().def("ft::none(int n) -> int");
    at(subject, "ft::none", "CUDA");
    at(subject, "ft::none", "AutogradCUDA");
    fall(subject, "ft::none", "AutogradCPU");

    expect_text(within_included(subject, "ft::none", {3}, {"CUDA", "AutogradCUDA"}),
                "AutogradCUDA");
  }).since(Release::k2_11);

  conformance(
      "the_mask_was_that_of_the_backend_of_the_arguments", {"DSP-513"},
      [](Session& subject) {
        subject.dispatch().def("ft::none(int n) -> int");
        at(subject, "ft::none", "CUDA");
        at(subject, "ft::none", "AutogradCUDA");
        fall(subject, "ft::none", "AutogradCPU");

        expect_text(within_included(subject, "ft::none", {3}, {"CUDA", "AutogradCUDA"}), "CUDA");
      })
      .until(Release::k2_4);

  conformance("an_included_backend_brings_its_own_mask", {"DSP-513"}, [](Session& subject) {
    define(subject);
    at(subject, kOp, "Meta");
    fall(subject, kOp, "CPU");

    expect_text(within_included(subject, kOp, {probe(subject, "CPU")}, "Meta"), "Meta");
  }).since(Release::k2_11);

  conformance("an_operator_overrides_a_fallthrough_fallback", {"DSP-515"}, [](Session& subject) {
    define(subject);
    subject.dispatch().fallback(fallthrough_kernel(subject), {.key = "Tracer"});
    for (const std::string& op : {kOp, kTwo}) at(subject, op, "CPU");
    expect_text(on(subject, {"CPU", "Tracer"}), "CPU");
    const auto own = at(subject, kOp, "Tracer", "own");
    expect_text(on(subject, {"CPU", "Tracer"}), "own");
    expect_text(on_two(subject, {"CPU", "Tracer"}, "CPU"), "CPU");

    own.drop();

    expect_text(on(subject, {"CPU", "Tracer"}), "CPU");
  }).only(Deviations::kStrict);

  conformance("an_operator_sees_a_key_that_falls_through_for_all", {"DSP-515"},
              [](Session& subject) {
                define(subject);
                for (const std::string& op : {kOp, kTwo}) at(subject, op, "CPU");
                const KeySet keys{"CPU", "ADInplaceOrView", "AutocastCPU"};
                expect_text(on(subject, keys), "CPU");
                const auto own = at(subject, kOp, "ADInplaceOrView", "own");
                expect_text(on(subject, keys), "own");
                expect_text(on_two(subject, keys, keys), "CPU");
                own.drop();
                expect_text(on(subject, keys), "CPU");
              });

  conformance("an_operator_hides_a_key_that_has_a_fallback", {"DSP-515"}, [](Session& subject) {
    define(subject);
    subject.dispatch().fallback(boxed_kernel(subject, "fallback"),
                                {.key = "TESTING_ONLY_GenericMode"});
    for (const std::string& op : {kOp, kTwo}) at(subject, op, "CPU");
    const KeySet keys{"CPU", "TESTING_ONLY_GenericMode"};
    expect_text(on(subject, keys), "fallback");

    const auto hidden = fall(subject, kOp, "TESTING_ONLY_GenericMode");

    expect_text(on(subject, keys), "CPU");
    expect_text(on_two(subject, keys, "CPU"), "fallback");
    hidden.drop();
    expect_text(on(subject, keys), "fallback");
  });

  conformance("a_call_does_not_fix_the_mask", {"DSP-515", "DSP-513"}, [](Session& subject) {
    define(subject);
    at(subject, kOp, "CPU");
    const auto hidden = fall(subject, kOp, "Tracer");
    const auto handle = subject.dispatch().handle(kOp, "Tensor(const Tensor&)");
    const auto x = probe(subject, {"CPU", "Tracer"});
    expect_text(reached(subject, handle, {x}, {}), "CPU");

    const auto real = at(subject, kOp, "Tracer", "tracer");
    expect_text(reached(subject, handle, {x}, {}), "tracer");
    real.drop();
    expect_text(reached(subject, handle, {x}, {}), "CPU");
  });

  conformance("redispatching_to_a_fallthrough_is_an_error", {"DSP-516"}, [](Session& subject) {
    define(subject);
    at(subject, kOp, "CPU");
    fall(subject, kOp, "AutogradCPU");
    const auto x = probe(subject, "CPU");
    for (const bool boxed : {true, false}) {
      CallOptions how{.keys = KeySet{"CPU", "AutogradCPU"}};
      if (boxed) how.boxed = true;
      if (!boxed) how.signature = "Tensor(const Tensor&)";
      expect_error([&] { subject.dispatch().call(kOp, {x}, how); }, ErrorKind::kInternal);
    }
  });

  conformance("a_composite_that_falls_through_cannot_be_run", {"DSP-516"}, [](Session& subject) {
    subject.dispatch().def("ft::none(int n) -> int");
    fall(subject, "ft::none", "CompositeImplicitAutograd");
    expect_error([&] { subject.dispatch().call("ft::none", {3}, {.boxed = true}); },
                 ErrorKind::kInternal);
  });
}

}  // namespace assay::suites
