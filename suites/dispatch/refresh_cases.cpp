// Dispatch tables after registration and removal: refreshed entries, and those that PyTorch misses.
#include "harness/suite/mistake.hpp"
#include "suites/dispatch/probing.hpp"

namespace assay::suites {
namespace {

const std::string kOp = "table::f";
const char* const kCia = "CompositeImplicitAutograd";
const char* const kCea = "CompositeExplicitAutograd";
const char* const kCeaNonFunctional = "CompositeExplicitAutogradNonFunctional";

DispatchObject defined(Session& subject) {
  return subject.dispatch().def(kOp + "(Tensor x) -> Tensor");
}

/// Calls use the live table; a description computes the table anew. Both have the same entries, and
/// the subject finds no difference either.
void expect_whole_table(Session& subject) {
  subject.dispatch().check(kOp);
  const std::string computed = "\n" + subject.dispatch().describe(kOp).table;
  for (const char* key : {"CPU", "CUDA", "QuantizedCPU", "SparseCUDA", "NestedTensorCPU", "FPGA",
                          "AutogradCPU", "AutogradOther", "AutogradNestedTensor"}) {
    const ScopedTrace at(key);
    expect_equal(subject.dispatch().has_computed_kernel(kOp, key),
                 computed.find(std::string("\n") + key + ":") != std::string::npos);
  }
}

}  // namespace

CASES("dispatch/refresh") {
  conformance("an_explicit_composite_after_an_implicit_one", {"DSP-509", "DSP-510"},
              [](Session& subject) {
                const auto def = defined(subject);
                at(subject, kOp, kCia);
                at(subject, kOp, kCea);
                expect_text(reached(subject, kOp, {device_tensor(subject, "cpu")}), kCea);
              })
      .only(Deviations::kStrict);

  conformance("an_explicit_composite_after_an_implicit_one_is_late_in_pytorch", {"DSP-509"},
              [](Session& subject) {
                const auto def = defined(subject);
                at(subject, kOp, kCia);
                at(subject, kOp, kCea);
                expect_text(reached(subject, kOp, {device_tensor(subject, "cpu")}), kCia);
                shows_mistake(
                    "an explicit composite kernel that is registered after an implicit one is not "
                    "called for tensors with gradients, so that an extension's results depend on "
                    "the order in which its libraries are loaded");
              })
      .only(Deviations::kCompat);

  conformance("an_implicit_composite_after_an_explicit_one", {"DSP-509"}, [](Session& subject) {
    const auto def = defined(subject);
    at(subject, kOp, kCea);
    at(subject, kOp, kCia);
    expect_text(reached(subject, kOp, {device_tensor(subject, "cpu")}), kCea);
  });

  for (const bool strict : {true, false}) {
    conformance(std::string("an_explicit_composite_after_the_autograd_kernel") +
                    (strict ? "" : "_is_late_in_pytorch"),
                {"DSP-509"},
                [strict](Session& subject) {
                  const auto def = defined(subject);
                  for (const char* key : {kCia, "Autograd", kCea}) at(subject, kOp, key);
                  expect_text(reached(subject, kOp, {device_tensor(subject, "cpu")}),
                              strict ? "Autograd" : kCia);
                })
        .only(strict ? Deviations::kStrict : Deviations::kCompat);

    conformance(std::string("a_quantised_kernel_after_the_composite") +
                    (strict ? "" : "_is_late_in_pytorch"),
                {"DSP-509", "DSP-504"},
                [strict](Session& subject) {
                  const auto def = defined(subject);
                  at(subject, kOp, kCia);
                  const auto late = at(subject, kOp, "QuantizedCPU");
                  const auto x = probe(subject, {"MkldnnCPU", "AutogradOther"});
                  expect_text(reached(subject, kOp, {x}), strict ? "internal" : kCia);
                  late.drop();
                  expect_text(reached(subject, kOp, {x}), kCia);
                })
        .only(strict ? Deviations::kStrict : Deviations::kCompat);

    conformance(std::string("removing_an_explicit_composite_uncovers_the_implicit_one") +
                    (strict ? "" : "_late_in_pytorch"),
                {"DSP-509", "DSP-510"},
                [strict](Session& subject) {
                  const auto def = defined(subject);
                  const auto explicit_one = at(subject, kOp, kCea);
                  at(subject, kOp, kCia);
                  explicit_one.drop();
                  const auto x = probe(subject, {"PrivateUse2", "AutogradPrivateUse2"});
                  expect_text(reached(subject, kOp, {x}), strict ? kCia : "internal");
                })
        .only(strict ? Deviations::kStrict : Deviations::kCompat);
  }

  conformance("the_table_is_whole_after_every_step", {"DSP-509", "DSP-510"}, [](Session& subject) {
    const auto def = defined(subject);
    std::vector<DispatchObject> kernels;
    for (const char* key :
         {kCia, kCea, "QuantizedCPU", "SparseCUDA", "NestedTensorCPU", "CPU", "Autograd", "FPGA"}) {
      kernels.push_back(at(subject, kOp, key));
      expect_whole_table(subject);
    }
    for (const DispatchObject& kernel : kernels) {
      kernel.drop();
      expect_whole_table(subject);
    }
    subject.dispatch().check();
  }).only(Deviations::kStrict);

  conformance("a_stale_table_is_a_broken_invariant", {"DSP-509"}, [](Session& subject) {
    const auto def = defined(subject);
    at(subject, kOp, kCia);
    subject.dispatch().check(kOp);
    at(subject, kOp, kCea);
    expect_error([&] { subject.dispatch().check(kOp); }, ErrorKind::kInternal);
  }).only(Deviations::kCompat);

  conformance("a_backend_kernel_moves_its_autograd_entry", {"DSP-510"}, [](Session& subject) {
    const auto def = defined(subject);
    at(subject, kOp, kCia, "composite");
    for (const char* backend : {"CPU", "CUDA", "Meta", "PrivateUse3"}) {
      const ScopedTrace row(backend);
      const std::string autograd = std::string("Autograd") + backend;
      const auto x = probe(subject, {backend, autograd});
      expect_text(reached(subject, kOp, {x}), "composite");
      const auto graded = at(subject, kOp, "Autograd", "graded");
      const auto kernel = at(subject, kOp, backend);
      expect_text(reached(subject, kOp, {x}), "graded");
      kernel.drop();
      expect_text(reached(subject, kOp, {x}), "composite");
      graded.drop();
    }
  });

  conformance("composites_move_the_entry_without_a_key", {"DSP-510", "DSP-505"},
              [](Session& subject) {
                const auto def = defined(subject);
                for (const char* key : {kCia, kCea, kCeaNonFunctional}) {
                  const auto kernel = at(subject, kOp, key);
                  expect_text(reached_at(subject, kOp, "Undefined"), key);
                  kernel.drop();
                  expect_text(reached_at(subject, kOp, "Undefined"), "not_implemented");
                }
              });
}

}  // namespace assay::suites
