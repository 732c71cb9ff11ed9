// Definitions: once per name, with or without kernels, before or after the kernels.
#include "suites/dispatch/probing.hpp"

namespace assay::suites {
namespace {

const char* const kUnary = "Tensor(const Tensor&)";

std::string on_key(Session& subject, const std::string& op, const std::string& key) {
  return reached(subject, op, {probe(subject, {key})});
}

std::string typed_on(Session& subject, const std::string& op, const std::string& key) {
  return reached(subject, op, {probe(subject, {key})}, {.signature = kUnary});
}

}  // namespace

CASES("dispatch/def") {
  conformance("an_operator_is_defined_once", {"DSP-406"}, [](Session& subject) {
    const auto first = subject.dispatch().def("d::f(Tensor x) -> Tensor", {.at = "first.cpp:11"});

    for (const char* schema : {"d::f(Tensor x) -> Tensor", "d::f(Tensor x, int n) -> Tensor"}) {
      expect_error([&] { subject.dispatch().def(schema, {.at = "second.cpp:22"}); },
                   ErrorKind::kError, {"d::f", "first.cpp:11", "second.cpp:22"});
    }
    expect_error(
        [&] {
          subject.dispatch().def("d::f(Tensor x) -> Tensor", {.alias_kind = "PURE_FUNCTION"});
        },
        ErrorKind::kError, {"d::f"});
    expect_text(subject.dispatch().describe("d::f").alias_kind, "FROM_SCHEMA");
  });

  conformance(
      "a_refused_definition_does_not_end_the_first", {"DSP-406", "DSP-416"}, [](Session& subject) {
        const auto first = subject.dispatch().def("d::f(Tensor x) -> Tensor");
        expect_error([&] { subject.dispatch().def("d::f(int n) -> int"); }, ErrorKind::kError,
                     {"d::f"});
        expect_equal(*subject.dispatch().describe("d::f").schema, "d::f(Tensor x) -> Tensor");

        first.drop();

        expect_false(subject.dispatch().find("d::f"), "d::f is not there");
        subject.dispatch().def("d::f(int n) -> int");
      });

  conformance("overloads_are_operators_of_their_own", {"DSP-406", "DSP-701"}, [](Session& subject) {
    const auto plain = subject.dispatch().def("d::f(Tensor x) -> Tensor");
    const auto other = subject.dispatch().def("d::f.ov(Tensor y) -> Tensor");
    const auto kernel = at(subject, "d::f.ov", "CPU", "ov");

    expect_texts(subject.dispatch().ops("d"), {"d::f", "d::f.ov"});
    expect_text(on_key(subject, "d::f.ov", "CPU"), "ov");
    expect_text(on_key(subject, "d::f", "CPU"), "not_implemented");
    plain.drop();
    expect_true(subject.dispatch().find("d::f.ov"), "the overload outlives the other");
  });

  conformance("def_with_a_function_is_def_and_impl_at_every_key", {"DSP-407"},
              [](Session& subject) {
                const auto def = subject.dispatch().def("d::f(Tensor x) -> Tensor",
                                                        {.kernel = boxed_kernel(subject, "all")});

                expect_text(on_key(subject, "d::f", "CPU"), "all");
                expect_text(on_key(subject, "d::f", "AutogradCUDA"), "all");
                expect_true(subject.dispatch().has_kernel("d::f", "CompositeImplicitAutograd"),
                            "the kernel is composite");
                def.drop();
                expect_false(subject.dispatch().find("d::f"),
                             "dropping the registration removes the definition and the kernel");
              });

  conformance("def_with_a_function_and_a_key_registers_there", {"DSP-407"}, [](Session& subject) {
    const auto def = subject.dispatch().def("d::f(Tensor x) -> Tensor",
                                            {.kernel = boxed_kernel(subject, "cpu"), .key = "CPU"});

    expect_text(on_key(subject, "d::f", "CPU"), "cpu");
    expect_text(on_key(subject, "d::f", "CUDA"), "not_implemented");
  });

  conformance("def_of_a_bare_name_infers_the_schema", {"DSP-407", "DSP-313"}, [](Session& subject) {
    const auto kernel = typed_kernel(subject, "all", "Tensor(const Tensor&,int64_t)");
    const auto def = subject.dispatch().def("d::f", {.kernel = kernel});

    const OpInfo info = subject.dispatch().describe("d::f");
    expect_equal(*info.schema, "d::f(Tensor _0, int _1) -> Tensor _0");
    expect_text(info.alias_kind, "CONSERVATIVE");
    expect_text(reached(subject, "d::f", {probe(subject, "CPU"), 3}), "all");
  });

  conformance("nothing_can_be_inferred_from_a_boxed_function", {"DSP-407"}, [](Session& subject) {
    for (const auto& kernel : {boxed_kernel(subject, "all"), fallthrough_kernel(subject)}) {
      expect_error([&] { subject.dispatch().def("d::f", {.kernel = kernel}); }, ErrorKind::kError,
                   {"d::f", "schema"});
    }
    expect_false(subject.dispatch().find("d::f"), "d::f is not there");
  });

  conformance("a_def_whose_function_does_not_fit_is_undone", {"DSP-407", "DSP-416"},
              [](Session& subject) {
                const auto library = subject.dispatch().library({.kind = "DEF", .ns = "d"});
                const auto wrong = typed_kernel(subject, "wrong", "Tensor(const Tensor&,int64_t)");

                expect_error(
                    [&] {
                      subject.dispatch().def("f(Tensor x) -> Tensor",
                                             {.library = library, .kernel = wrong});
                    },
                    ErrorKind::kError, {"d::f"});

                expect_false(subject.dispatch().find("d::f"), "d::f is not there");
                subject.dispatch().def("f(Tensor x) -> Tensor", {.library = library});
              })
      .only(Deviations::kStrict);

  conformance("a_def_whose_function_does_not_fit_stays_with_its_block", {"DSP-407"},
              [](Session& subject) {
                const auto library = subject.dispatch().library({.kind = "DEF", .ns = "d"});
                const auto wrong = typed_kernel(subject, "wrong", "Tensor(const Tensor&,int64_t)");

                expect_error(
                    [&] {
                      subject.dispatch().def("f(Tensor x) -> Tensor",
                                             {.library = library, .kernel = wrong});
                    },
                    ErrorKind::kError, {"d::f"});

                expect_true(subject.dispatch().find("d::f", true), "d::f has its schema");
                library.drop();
                expect_false(subject.dispatch().find("d::f"), "d::f is not there");
              })
      .only(Deviations::kCompat);

  conformance("kernels_may_come_before_the_definition", {"DSP-408"}, [](Session& subject) {
    const auto impl = at(subject, "d::f", "CPU");
    const auto def = subject.dispatch().def("d::f(Tensor x) -> Tensor");

    expect_text(on_key(subject, "d::f", "CPU"), "CPU");
    expect_text(typed_on(subject, "d::f", "CPU"), "CPU");
  });

  conformance("an_operator_without_schema_is_found_and_dangles", {"DSP-408", "DSP-701"},
              [](Session& subject) {
                const auto impl = at(subject, "d::f", "CPU");

                expect_true(subject.dispatch().find("d::f"), "it is found");
                expect_false(subject.dispatch().find("d::f", true), "it has no schema");
                expect_texts(subject.dispatch().dangling(), {"d::f"});
                expect_false(subject.dispatch().describe("d::f").has_schema, "it has no schema");
                const auto def = subject.dispatch().def("d::f(Tensor x) -> Tensor");
                expect_texts(subject.dispatch().dangling(), {});
              });

  conformance("without_schema_typed_calls_see_tensors_and_boxed_ones_do_not", {"DSP-408"},
              [](Session& subject) {
                const auto impl = at(subject, "d::f", "CPU");
                const auto x = probe(subject, "CPU");

                expect_text(typed_on(subject, "d::f", "CPU"), "CPU");
                expect_error([&] { subject.dispatch().call("d::f", {x}, {.boxed = true}); },
                             ErrorKind::kNotImplemented, {"d::f"});
              });

  conformance("the_schema_goes_with_its_definition_and_the_kernels_stay", {"DSP-418"},
              [](Session& subject) {
                const auto def = subject.dispatch().def("d::f(Tensor x) -> Tensor");
                const auto impl = at(subject, "d::f", "CPU");
                expect_text(on_key(subject, "d::f", "CPU"), "CPU");

                def.drop();

                expect_true(subject.dispatch().find("d::f"), "the operator stays");
                expect_false(subject.dispatch().find("d::f", true), "it has no schema");
                expect_text(typed_on(subject, "d::f", "CPU"), "CPU");
                // The set of dispatched arguments was removed with the definition.
                expect_text(on_key(subject, "d::f", "CPU"), "not_implemented");
              });

  conformance(
      "an_operator_may_be_defined_again_while_its_kernels_live", {"DSP-418"}, [](Session& subject) {
        const auto impl = at(subject, "d::f", "CPU");
        const auto def = subject.dispatch().def("d::f(Tensor x) -> Tensor");
        def.drop();
        const auto again = subject.dispatch().def("d::f(Tensor y) -> Tensor");

        expect_equal(*subject.dispatch().describe("d::f").schema, "d::f(Tensor y) -> Tensor");
        expect_text(on_key(subject, "d::f", "CPU"), "CPU");
      });

  conformance("the_last_registration_takes_the_operator_along", {"DSP-418"}, [](Session& subject) {
    const auto def = subject.dispatch().def("d::f(Tensor x) -> Tensor");
    const auto impl = at(subject, "d::f", "CPU");
    def.drop();
    impl.drop();

    expect_false(subject.dispatch().find("d::f"), "d::f is not there");
    expect_texts(subject.dispatch().ops("d"), {});
    expect_texts(subject.dispatch().dangling(), {});
  });

  conformance("tags_are_returned_as_they_were_given", {"DSP-707"}, [](Session& subject) {
    const std::vector<std::string> tags{"pt2_compliant_tag", "core"};
    subject.dispatch().def("d::f(Tensor x) -> Tensor", {.tags = tags});
    const auto def = subject.dispatch().def("d::g(Tensor x) -> Tensor", {.tags = tags});

    expect_texts(subject.dispatch().describe("d::g").tags, tags);
  }).since(Release::k2_4);
}

}  // namespace assay::suites
