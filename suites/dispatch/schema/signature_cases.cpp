// The C++ signature of an operator: set by the first typed kernel, required for typed access.
#include "suites/dispatch/probing.hpp"

namespace assay::suites {
namespace {

const char* const kByValue = "void(int64_t)";
const char* const kByReference = "void(const int64_t&)";

DispatchObject nothing(Session& subject, const std::string& label, const std::string& signature) {
  return subject.dispatch().kernel({.behaviour = "value",
                                    .label = label,
                                    .signature = signature,
                                    .values = std::vector<Value>{}});
}

}  // namespace

CASES("dispatch/signature") {
  conformance(
      "typed_kernels_of_one_operator_have_one_signature", {"DSP-409"}, [](Session& subject) {
        const auto first =
            subject.dispatch().impl("s::f", nothing(subject, "by value", kByValue), {.key = "CPU"});
        const auto second = nothing(subject, "by reference", kByReference);

        expect_error([&] { subject.dispatch().impl("s::f", second, {.key = "CUDA"}); },
                     ErrorKind::kError, {"s::f", "CPU", "CUDA"});
        expect_false(subject.dispatch().has_kernel("s::f", "CUDA"), "CUDA has no kernel");
      });

  conformance("a_mismatch_names_the_catch_all", {"DSP-409"}, [](Session& subject) {
    const auto first = subject.dispatch().impl("s::f", nothing(subject, "by value", kByValue));
    const auto second = nothing(subject, "by reference", kByReference);

    expect_error([&] { subject.dispatch().impl("s::f", second, {.key = "CUDA"}); },
                 ErrorKind::kError, {"s::f", "catch all", "CUDA"});
  });

  conformance(
      "a_mismatch_names_where_both_kernels_were_registered", {"DSP-409"}, [](Session& subject) {
        const auto first = subject.dispatch().impl("s::f", nothing(subject, "first", kByValue),
                                                   {.key = "CPU", .at = "a.cpp:11"});
        const auto second = nothing(subject, "second", kByReference);

        expect_error(
            [&] { subject.dispatch().impl("s::f", second, {.key = "CUDA", .at = "b.cpp:22"}); },
            ErrorKind::kError, {"a.cpp:11", "b.cpp:22"});
      });

  conformance("the_signature_is_checked_before_the_schema", {"DSP-409"}, [](Session& subject) {
    const auto def = subject.dispatch().def("s::f(Tensor x) -> Tensor");
    const auto first = subject.dispatch().impl(
        "s::f", typed_kernel(subject, "cpu", "Tensor(const Tensor&)"), {.key = "CPU"});
    const auto wrong = nothing(subject, "wrong", kByValue);

    // Neither matches; the message about the signature names both keys, the other names neither.
    expect_error([&] { subject.dispatch().impl("s::f", wrong, {.key = "CUDA"}); },
                 ErrorKind::kError, {"s::f", "CPU", "CUDA"});
  });

  conformance("a_leading_key_set_is_no_part_of_the_signature", {"DSP-409"}, [](Session& subject) {
    const auto with_keys = subject.dispatch().kernel(
        {.label = "with", .signature = "Tensor(Tensor)", .takes_keys = true});
    const auto without = subject.dispatch().kernel(
        {.label = "without", .signature = "Tensor(Tensor)", .takes_keys = false});

    subject.dispatch().impl("s::f", with_keys, {.key = "CPU"});
    subject.dispatch().impl("s::f", without, {.key = "CUDA"});

    for (const auto& [key, label] : {std::pair{"CPU", "with"}, std::pair{"CUDA", "without"}}) {
      expect_text(
          reached(subject, "s::f", {probe(subject, {key})}, {.signature = "Tensor(Tensor)"}),
          label);
    }
  });

  conformance(
      "boxed_kernels_neither_set_nor_check_the_signature", {"DSP-409"}, [](Session& subject) {
        at(subject, "s::f", "XLA");
        subject.dispatch().impl("s::f", nothing(subject, "typed", kByValue), {.key = "CPU"});
        at(subject, "s::f", "CUDA");

        expect_true(subject.dispatch().has_kernel("s::f", "CUDA"), "CUDA has a kernel");
        expect_error(
            [&] {
              subject.dispatch().impl("s::f", nothing(subject, "other", kByReference),
                                      {.key = "HIP"});
            },
            ErrorKind::kError, {"s::f"});
      });

  conformance("the_signature_outlives_its_kernel", {"DSP-410"}, [](Session& subject) {
    const auto def = subject.dispatch().def("s::f(int n) -> ()");
    const auto first =
        subject.dispatch().impl("s::f", nothing(subject, "first", kByValue), {.key = "CPU"});
    first.drop();
    const auto other = nothing(subject, "other", kByReference);

    expect_error([&] { subject.dispatch().impl("s::f", other, {.key = "CPU"}); }, ErrorKind::kError,
                 {"s::f"});
    subject.dispatch().impl("s::f", nothing(subject, "same", kByValue), {.key = "CPU"});
  });

  conformance("the_signature_ends_with_the_operator", {"DSP-410"}, [](Session& subject) {
    const auto def = subject.dispatch().def("s::f(int n) -> ()");
    const auto first =
        subject.dispatch().impl("s::f", nothing(subject, "first", kByValue), {.key = "CPU"});
    def.drop();
    first.drop();

    subject.dispatch().def("s::f(int n) -> ()");
    subject.dispatch().impl("s::f", nothing(subject, "other", kByReference), {.key = "CPU"});

    expect_true(subject.dispatch().has_kernel("s::f", "CPU"), "the other signature is accepted");
  });

  conformance("a_refused_kernel_leaves_no_signature", {"DSP-410", "DSP-416"}, [](Session& subject) {
    const auto def = subject.dispatch().def("s::f(Tensor x, int n) -> Tensor");
    const auto wrong = typed_kernel(subject, "wrong", "Tensor(const Tensor&)");
    const auto right = typed_kernel(subject, "right", "Tensor(const Tensor&,int64_t)");

    expect_error([&] { subject.dispatch().impl("s::f", wrong, {.key = "CPU"}); }, ErrorKind::kError,
                 {"s::f"});
    subject.dispatch().impl("s::f", right, {.key = "CPU"});

    expect_text(reached(subject, "s::f", {probe(subject, "CPU"), 1}), "right");
  }).only(Deviations::kStrict);

  conformance("a_refused_kernel_leaves_its_signature_in_pytorch", {"DSP-410"},
              [](Session& subject) {
                const auto def = subject.dispatch().def("s::f(Tensor x, int n) -> Tensor");
                const auto wrong = typed_kernel(subject, "wrong", "Tensor(const Tensor&)");
                const auto right = typed_kernel(subject, "right", "Tensor(const Tensor&,int64_t)");

                expect_error([&] { subject.dispatch().impl("s::f", wrong, {.key = "CPU"}); },
                             ErrorKind::kError, {"s::f"});
                expect_error([&] { subject.dispatch().impl("s::f", right, {.key = "CPU"}); },
                             ErrorKind::kError, {"s::f"});
              })
      .only(Deviations::kCompat);

  conformance("a_kernel_must_fit_the_declared_types", {"DSP-416", "DSP-315"}, [](Session& subject) {
    const auto def = subject.dispatch().def("s::f(Tensor a, int b) -> Tensor");
    const auto kernel = typed_kernel(subject, "wrong", "Tensor(const Tensor&,double)");

    expect_error([&] { subject.dispatch().impl("s::f", kernel, {.key = "CPU"}); },
                 ErrorKind::kError, {"s::f", "argument 2", "int", "float"});
    expect_false(subject.dispatch().has_kernel("s::f", "CPU"), "it is not registered");
  });

  for (const bool def_first : {true, false}) {
    conformance(
        std::string("a_kernel_must_fit_the_number_of_arguments_") +
            (def_first ? "that_were_declared" : "that_are_declared_later"),
        {"DSP-416", "DSP-315"}, [def_first](Session& subject) {
          const auto kernel = typed_kernel(subject, "wrong", "Tensor(const Tensor&)");
          const auto define = [&] { subject.dispatch().def("s::f(Tensor a, int b) -> Tensor"); };
          const auto implement = [&] { subject.dispatch().impl("s::f", kernel, {.key = "CPU"}); };
          if (def_first) define();
          if (!def_first) implement();

          expect_error([&] { def_first ? implement() : define(); }, ErrorKind::kError,
                       {"s::f", "arguments", "2", "1"});
        });
  }

  conformance("typed_access_needs_the_very_signature", {"DSP-704"}, [](Session& subject) {
    const auto impl = subject.dispatch().impl("s::f", nothing(subject, "typed", kByValue),
                                              {.key = "CPU", .at = "kernels.cpp:5"});

    subject.dispatch().handle("s::f", kByValue);
    expect_error([&] { subject.dispatch().handle("s::f", kByReference); }, ErrorKind::kError,
                 {"s::f", "kernels.cpp:5"});
    expect_error([&] { subject.dispatch().call("s::f", {1}, {.signature = kByReference}); },
                 ErrorKind::kError, {"s::f"});
  });

  conformance("typed_access_before_any_typed_kernel_must_fit_the_schema", {"DSP-704"},
              [](Session& subject) {
                const auto def = subject.dispatch().def("s::f(Tensor x) -> Tensor");
                const auto impl = at(subject, "s::f", "CPU");

                subject.dispatch().handle("s::f", "Tensor(const Tensor&)");
                subject.dispatch().handle("s::f", "Tensor(Tensor)");
                expect_error([&] { subject.dispatch().handle("s::f", kByValue); },
                             ErrorKind::kError, {"s::f"});
              })
      .only(Deviations::kStrict);

  conformance("typed_access_before_any_typed_kernel_takes_any_signature", {"DSP-704"},
              [](Session& subject) {
                const auto def = subject.dispatch().def("s::f(Tensor x) -> Tensor");
                const auto impl = at(subject, "s::f", "CPU");

                const auto handle = subject.dispatch().handle("s::f", kByValue);

                expect_true(subject.dispatch().find(handle), "there is a handle");
              })
      .only(Deviations::kCompat);

  conformance("typed_access_without_schema_takes_any_signature", {"DSP-704"}, [](Session& subject) {
    const auto impl = at(subject, "s::f", "CPU");

    const auto handle = subject.dispatch().handle("s::f", "Tensor(const Tensor&)");

    expect_text(reached(subject, handle, {probe(subject, "CPU")}, {}), "CPU");
  });
}

}  // namespace assay::suites
