// Operator descriptions, and the registrations that they stand for.
#include "harness/suite/reading.hpp"
#include "suites/dispatch/probing.hpp"

namespace assay::suites {
namespace {

Entry entry(Session& subject, EntryOptions options) { return subject.dispatch().entry(options); }

}  // namespace

CASES("dispatch/entry") {
  conformance("an_entry_without_a_list_is_one_composite_kernel", {"DSP-422"}, [](Session& subject) {
    const auto made = entry(subject, {.func = "entry::f(Tensor x) -> Tensor"});
    expect_texts(made.ops, {"entry::f@CompositeImplicitAutograd"});
    expect_true(subject.dispatch().find("entry::f", true), "it is defined");
  });

  conformance("the_list_names_a_kernel_for_each_key", {"DSP-422"}, [](Session& subject) {
    const auto made = entry(subject, {.func = "entry::zero_(Tensor(a!) self) -> Tensor(a!)",
                                      .variants = "method, function",
                                      .dispatch = {{"CPU, CUDA", "zero_"},
                                                   {"Meta", "zero_meta_"},
                                                   {"SparseCPU, SparseCUDA", "zero_sparse_"},
                                                   {"MkldnnCPU", "mkldnn_zero_"}}});
    expect_texts(made.ops,
                 {"entry::zero_@CPU", "entry::zero_@CUDA", "entry::zero_@Meta",
                  "entry::zero_@MkldnnCPU", "entry::zero_@SparseCPU", "entry::zero_@SparseCUDA"});
    for (const char* key : {"CPU", "CUDA", "Meta", "SparseCPU", "SparseCUDA", "MkldnnCPU"}) {
      expect_true(subject.dispatch().has_kernel("entry::zero_", key),
                  std::string(key) + " has a kernel");
    }
    expect_false(subject.dispatch().has_kernel("entry::zero_", "XLA"), "XLA has no kernel");
    expect_false(subject.dispatch().has_kernel("entry::zero_", "CompositeImplicitAutograd"),
                 "CompositeImplicitAutograd has no kernel");
  });

  conformance("a_structured_out_form_has_meta_and_no_composite", {"DSP-422"}, [](Session& subject) {
    const auto made = entry(
        subject, {.func = "entry::sub.out(Tensor self, Tensor other, *, Tensor(a!) out) -> "
                          "Tensor(a!)",
                  .dispatch = {{"CPU, CUDA", "sub_out"}, {"SparseCPU, SparseCUDA", "sub_sparse"}},
                  .structured = true});
    expect_texts(made.ops, {"entry::sub.out@CPU", "entry::sub.out@CUDA", "entry::sub.out@Meta",
                            "entry::sub.out@SparseCPU", "entry::sub.out@SparseCUDA"});
  });

  conformance(
      "delegates_take_kernels_and_shape_rule_from_the_out_form", {"DSP-422"}, [](Session& subject) {
        entry(subject, {.func = "entry::sub.out(Tensor self, Tensor other, *, Tensor(a!) out) -> "
                                "Tensor(a!)",
                        .dispatch = {{"CPU, CUDA", "sub_out"}},
                        .structured = true});
        const auto functional =
            entry(subject, {.func = "entry::sub.Tensor(Tensor self, Tensor other) -> Tensor",
                            .structured_delegate = "sub.out"});
        const auto in_place =
            entry(subject, {.func = "entry::sub_.Tensor(Tensor(a!) self, Tensor other) -> "
                                    "Tensor(a!)",
                            .structured_delegate = "sub.out"});
        for (const auto& [ops, name] : {std::pair{functional.ops, "entry::sub.Tensor"},
                                        {in_place.ops, "entry::sub_.Tensor"}}) {
          const std::string op = name;
          expect_texts(ops, {op + "@CPU", op + "@CUDA",
                             op + "@CompositeExplicitAutogradNonFunctional", op + "@Meta"});
        }
      });

  conformance("an_entry_ends_with_its_handle", {"DSP-422", "DSP-417"}, [](Session& subject) {
    const auto made =
        entry(subject, {.func = "entry::f(Tensor x) -> Tensor", .dispatch = {{"CPU", "f_cpu"}}});
    expect_true(subject.dispatch().find("entry::f"), "it is there");
    made.registrations.drop();
    expect_false(subject.dispatch().find("entry::f"), "it is gone");
  });

  conformance(
      "an_entry_checks_that_its_tensors_share_a_device", {"DSP-422", "DSP-219"},
      [](Session& subject) {
        const auto cpu = device_tensor(subject, "cpu");
        const auto cuda = device_tensor(subject, "cuda");
        entry(subject, {.func = "entry::two(Tensor x, Tensor other) -> Tensor",
                        .dispatch = {{"CPU, CUDA", "two"}}});
        entry(subject, {.func = "entry::free(Tensor x, Tensor other) -> Tensor",
                        .dispatch = {{"CPU, CUDA", "free"}},
                        .device_check = "NoCheck"});
        expect_error(
            [&] {
              subject.dispatch().call("entry::two", {cpu, cuda}, {.boxed = true});
            },
            ErrorKind::kError, {"cpu", "cuda", "other"});
        const auto called = subject.dispatch().call("entry::free", {cpu, cuda}, {.boxed = true});
        expect_text(last_of(called.ran).key, "CUDA");
        subject.dispatch().call("entry::two", {cuda, cuda}, {.boxed = true});
      })
      .only(DeviceRules::kCuda);
}

}  // namespace assay::suites
