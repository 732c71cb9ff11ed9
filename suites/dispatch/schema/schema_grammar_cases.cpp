// Valid schemas: names, types, arguments, returns, and their printed form.
#include "harness/suite/cases.hpp"
#include "suites/dispatch/schema/schemas.hpp"

namespace assay::suites {
namespace {

constexpr PrintRow kForms[] = {
    {"foo(Tensor x) -> (Tensor)", "foo(Tensor x) -> Tensor"},
    {"foo()->()", "foo() -> ()"},
    {"  foo  (  Tensor   x ,int y )  ->   Tensor  ", "foo(Tensor x, int y) -> Tensor"},
    {"foo(Tensor x,\n\tTensor y\n) -> Tensor\n\n", "foo(Tensor x, Tensor y) -> Tensor"},
    {"# first\nfoo(Tensor x # second\n) -> () # third", "foo(Tensor x) -> ()"},
    {"ns :: foo . ov(Tensor x) -> ()", "ns::foo.ov(Tensor x) -> ()"},
    {"foo(Tensor (a) x) -> Tensor (a)", "foo(Tensor(a) x) -> Tensor(a)"},
};

/// Printed as written.
constexpr const char* kTypes[] = {
    "Tensor",
    "Scalar",
    "int",
    "float",
    "bool",
    "str",
    "complex",
    "SymInt",
    "Device",
    "Generator",
    "ScalarType",
    "Layout",
    "MemoryFormat",
    "QScheme",
    "Storage",
    "Stream",
    "Any",
    "Tensor?",
    "Tensor[]",
    "Tensor?[]",
    "Tensor[]?",
    "int[]",
    "int[][]",
    "int?[]?",
    "Dict(str, Tensor)",
    "(int, float)",
    "((int, str), Any)",
    "Future(Tensor)",
    "RRef(int)",
    "Dict(int, Tensor[])",
};

constexpr const char* kKwargOnly = "foo(Tensor a, *, int b, int c=1) -> ()";

}  // namespace

CASES("dispatch/schema_grammar") {
  conformance("space_lines_and_comments_mean_nothing", {"DSP-301"}, [](Session& subject) {
    for (const PrintRow& row : kForms) expect_printed(subject, row.text, row.printed);
  });

  conformance("an_out_variant_is_read_whole", {"DSP-301", "DSP-305", "DSP-307"},
              [](Session& subject) {
                const std::string text =
                    "aten::sub.out(Tensor self, Tensor other, *, Scalar alpha=1, Tensor(a!) out) "
                    "-> Tensor(a!)";
                const ParsedSchema schema = subject.dispatch().parse(text);

                expect_equal(schema.text, text);
                expect_equal(schema.name, "aten::sub");
                expect_equal(schema.overload, "out");
                expect_true(schema.arguments.at(3).kwarg_only, "out is kwarg-only");
                expect_false(schema.arguments.at(1).kwarg_only, "other is not kwarg-only");
                expect_true(schema.is_mutable, "out is written");
                expect_equal(schema.arguments.at(3).alias, alias_of(true, {"a"}, {"a"}));
              });

  conformance("names_may_have_a_namespace_and_an_overload", {"DSP-302"}, [](Session& subject) {
    const auto expect_name = [&](const char* text, const char* name, const char* overload) {
      const ScopedTrace at{text};
      const ParsedSchema parsed = subject.dispatch().parse(text, "name");
      expect_equal(parsed.name, name);
      expect_equal(parsed.overload, overload);
      expect_equal(parsed.text, text);
    };
    expect_name("f", "f", "");
    expect_name("ns::f", "ns::f", "");
    expect_name("f.ov", "f", "ov");
    expect_name("ns::f.ov", "ns::f", "ov");
    expect_name("ns::f._x", "ns::f", "_x");
    expect_name("from", "from", "");
    expect_name("_f1", "_f1", "");
  });

  conformance("some_overloads_are_not_legal", {"DSP-302"}, [](Session& subject) {
    for (const char* overload : {"default", "__x", "__", "__a__"}) {
      const std::string text = std::string("ns::foo.") + overload + "(Tensor x) -> Tensor";
      expect_refused(subject, text, {overload, "not a legal overload name"}, ErrorKind::kError);
    }
  });

  conformance("reserved_words_and_digits_are_no_names", {"DSP-302"}, [](Session& subject) {
    for (const char* word : {"def", "class", "for", "in", "if", "else", "while", "return", "and",
                             "not", "None", "True", "import", "as", "with", "del", "raise"}) {
      const std::string found = std::string("'") + word + "'";
      expect_refused(subject, std::string(word) + "(Tensor x) -> ()", {"expected ident", found});
      expect_refused(subject, std::string("foo(Tensor ") + word + ") -> ()",
                     {"expected ident", found});
    }
    expect_refused_rows(subject, {{"1foo(Tensor x) -> ()", {"expected ident", "'number'"}},
                                  {"foo.(Tensor x) -> ()", {"expected ident", "'('"}},
                                  {"::foo(Tensor x) -> ()", {"expected ident", "':'"}},
                                  {"a::b::c(Tensor x) -> Tensor", {"expected eof", "':'"}}});
  });

  conformance("every_type_is_printed_as_it_is_written", {"DSP-303"}, [](Session& subject) {
    for (const std::string type : kTypes) {
      const std::string text = "foo(" + type + " x) -> (" + type + ", " + type + ")";
      expect_printed(subject, text, text);
    }
  });

  conformance("types_have_these_names", {"DSP-303"}, [](Session& subject) {
    if (subject.contract().release < Release::k2_13) {
      expect_printed(subject, "foo(Dimname x) -> Dimname[]?", "foo(str x) -> str[]?");
    }
    expect_printed(subject, "foo(None x) -> None", "foo(NoneType x) -> NoneType");
    expect_printed(subject, "foo(int?? x) -> ()", "foo(int? x) -> ()");
  });

  conformance("dimensions_have_no_names", {"DSP-303"}, [](Session& subject) {
    expect_refused(subject, "foo(Dimname x) -> ()", {"unknown type specifier"});
    expect_refused(subject, "foo(Tensor x) -> Dimname[]?", {"unknown type specifier"});
  }).since(Release::k2_13);

  conformance("types_that_no_kernel_has_are_read", {"DSP-303"}, [](Session& subject) {
    for (const char* text : {"foo(Capsule x) -> ()", "foo(Quantizer x) -> ()",
                             "foo(AnyClassType x) -> AnyEnumType", "foo(() x) -> (())"}) {
      expect_printed(subject, text, text);
    }
    expect_printed(subject, "foo(ConstQuantizerPtr x) -> ()", "foo(int x) -> ()");
  });

  conformance("a_future_may_be_awaited", {"DSP-303"}, [](Session& subject) {
    expect_printed(subject, "foo(Await(int) x, DeviceIndex y) -> ()",
                   "foo(Await(int) x, int y) -> ()");
  }).since(Release::k2_4);

  conformance("truth_may_be_symbolic", {"DSP-303"}, [](Session& subject) {
    expect_printed(subject, "foo(SymBool x) -> SymBool", "foo(SymBool x) -> SymBool");
  }).since(Release::k2_11);

  conformance("newer_types_are_unknown_before", {"DSP-303"}, [](Session& subject) {
    expect_refused(subject, "foo(SymBool x) -> ()", {"unknown type specifier"});
    if (subject.contract().release != Release::k1_13) return;
    expect_refused(subject, "foo(Await(int) x) -> ()", {"unknown type specifier"});
    expect_refused(subject, "foo(DeviceIndex x) -> ()", {"unknown type specifier"});
  }).until(Release::k2_4);

  conformance("unknown_types_are_refused", {"DSP-303"}, [](Session& subject) {
    expect_refused(subject, "foo(Foo x) -> ()", {"unknown type specifier"});
    expect_refused(subject, "foo(__torch__.torch.classes.a.B x) -> ()",
                   {"unknown custom class type"}, ErrorKind::kError);
  });

  conformance("an_unknown_lower_case_type_is_refused", {"DSP-303"}, [](Session& subject) {
    expect_refused(subject, "foo(tensor x) -> ()", {"unknown type specifier"});
    expect_refused(subject, "foo(t[] x) -> t", {"unknown type specifier"});
  }).only(Deviations::kStrict);

  conformance("an_unknown_lower_case_type_is_a_variable", {"DSP-303"}, [](Session& subject) {
    expect_printed(subject, "foo(tensor x) -> t[]", "foo(tensor x) -> t[]");
    expect_printed(subject, "foo(t x) -> (t, t?)", "foo(t x) -> (t, t?)");
  }).only(Deviations::kCompat);

  conformance("only_pytorchs_own_operators_are_defined_with_variables", {"DSP-303"},
              [](Session& subject) {
                expect_error([&] { subject.dispatch().def("dsp303::f(t[] x) -> ()"); },
                             ErrorKind::kSchema, {"unknown type specifier"});
                expect_error([&] { subject.dispatch().def("dsp303::f(Tensor x) -> (int, t)"); },
                             ErrorKind::kSchema, {"unknown type specifier"});
                subject.dispatch().def("aten::assay_dsp303(t x) -> t");
                expect_true(subject.dispatch().find("aten::assay_dsp303"), "it is there");
              })
      .only(Deviations::kCompat)
      .since(Release::k2_4);

  conformance("any_operator_is_defined_with_variables_in_1_13", {"DSP-303"},
              [](Session& subject) {
                subject.dispatch().def("dsp303::f(t[] x) -> t");
                expect_true(subject.dispatch().find("dsp303::f"), "it is there");
              })
      .only(Deviations::kCompat)
      .until(Release::k1_13);

  conformance("pytorch_prints_an_elements_annotation_behind_it", {"DSP-309"}, [](Session& subject) {
    expect_printed(subject, "foo(Tensor(a!)?[] x) -> ()", "foo(Tensor?(a!)[] x) -> ()");
    expect_printed(subject, "foo(Tensor(a)? x) -> ()", "foo(Tensor(a)? x) -> ()");
    expect_printed(subject, "foo(Tensor x) -> Tensor(a)?[]", "foo(Tensor x) -> Tensor?(a)[]");
  }).only(Deviations::kCompat);

  conformance("integer_like_types_are_told_apart", {"DSP-304"}, [](Session& subject) {
    for (const std::string type : {"ScalarType", "Layout", "MemoryFormat"}) {
      const ScopedTrace at{type};
      const std::string declared = "foo(" + type + " x) -> ()";

      expect_difference(subject, declared, "foo(int x) -> ()",
                        "Type mismatch in argument 1: " + type + " vs int");
      expect_difference(subject, "foo(int x) -> ()", declared,
                        "Type mismatch in argument 1: int vs " + type);
      const Value value = subject.dispatch()
                              .parse("foo(" + type + " x=1) -> ()")
                              .arguments.at(0)
                              .default_value.value_or(None{});
      expect_equal(value, 1);
    }
  });

  conformance("what_follows_a_star_is_kwarg_only", {"DSP-305"}, [](Session& subject) {
    const ParsedSchema schema = subject.dispatch().parse(kKwargOnly);

    expect_equal(schema.text, kKwargOnly);
    expect_equal(static_cast<std::int64_t>(schema.arguments.size()), 3);
    expect_false(schema.arguments.at(0).kwarg_only, "a is not kwarg-only");
    expect_true(schema.arguments.at(1).kwarg_only, "b is kwarg-only");
    expect_true(schema.arguments.at(2).kwarg_only, "c is kwarg-only");
  });

  conformance("stars_may_be_first_last_and_repeated", {"DSP-305"}, [](Session& subject) {
    expect_printed(subject, "foo(*, Tensor x) -> ()", "foo(*, Tensor x) -> ()");
    expect_printed(subject, "foo(Tensor x, *) -> Tensor", "foo(Tensor x) -> Tensor");
    expect_printed(subject, "foo(Tensor x, *, *, int y) -> Tensor",
                   "foo(Tensor x, *, int y) -> Tensor");
  });

  conformance("dots_are_the_last_of_a_list", {"DSP-305"}, [](Session& subject) {
    const ParsedSchema schema = subject.dispatch().parse("foo(Tensor x, ...) -> (int, ...)");
    expect_true(schema.vararg, "more arguments are allowed");
    expect_true(schema.varret, "more returns are allowed");
    expect_equal(schema.text, "foo(Tensor x, ...) -> (int, ...)");
    expect_printed(subject, "foo(...) -> (...)", "foo(...) -> ...");

    expect_refused_rows(
        subject, {{"foo(..., Tensor x) -> Tensor", {"must be the last element of the argument"}},
                  {"foo(..., ...) -> Tensor", {"must be the last element of the argument"}},
                  {"foo() -> (..., Tensor)", {"must be the last element of the return"}},
                  {"foo(int x=1, ...) -> Tensor", {"can't have default value args"}}});
  });

  conformance("returns_are_printed_bare_or_in_parentheses", {"DSP-306"}, [](Session& subject) {
    expect_printed(subject, "foo() -> ( )", "foo() -> ()");
    expect_printed(subject, "foo() -> (Tensor y)", "foo() -> Tensor y");
    expect_printed(subject, "foo() -> Tensor y", "foo() -> Tensor y");
    expect_printed(subject, "foo() -> (Tensor a, int b)", "foo() -> (Tensor a, int b)");
    expect_printed(subject, "foo() -> (Tensor, int)", "foo() -> (Tensor, int)");
  });

  conformance("a_tuple_is_one_return_in_double_parentheses", {"DSP-306"}, [](Session& subject) {
    const ParsedSchema one = subject.dispatch().parse("foo(Tensor x) -> ((Tensor, int))");
    const ParsedSchema two = subject.dispatch().parse("foo(Tensor x) -> (Tensor, int)");

    expect_equal(static_cast<std::int64_t>(one.returns.size()), 1);
    expect_equal(static_cast<std::int64_t>(two.returns.size()), 2);
    expect_equal(one.text, "foo(Tensor x) -> ((Tensor, int))");
  });

  conformance("returns_are_not_left_out", {"DSP-306"}, [](Session& subject) {
    expect_refused(subject, "foo(Tensor x)", {"expected arrow", "'eof'"});
    expect_refused(subject, "foo(Tensor x) ->", {"expected ident", "'eof'"});
    expect_refused(subject, "foo(Tensor x) - > Tensor", {"expected arrow", "'-'"});
  });
}

}  // namespace assay::suites
