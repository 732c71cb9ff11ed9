// Alias annotations in schemas.
#include "harness/suite/cases.hpp"
#include "suites/dispatch/schema/schemas.hpp"

namespace assay::suites {
namespace {

SchemaArgumentInfo first_argument(Session& subject, const std::string& type) {
  return subject.dispatch().parse("foo(" + type + " x) -> ()").arguments.at(0);
}

void expect_alias(Session& subject, const std::string& type, const Value& wanted,
                  Where where = Where::current()) {
  const ScopedTrace at{type};
  expect_equal(first_argument(subject, type).alias, wanted, where);
}

}  // namespace

CASES("dispatch/schema_alias") {
  conformance("an_annotation_names_sets_before_and_after", {"DSP-307"}, [](Session& subject) {
    expect_alias(subject, "Tensor", None{});
    expect_alias(subject, "Tensor(a)", alias_of(false, {"a"}, {"a"}));
    expect_alias(subject, "Tensor(a!)", alias_of(true, {"a"}, {"a"}));
    expect_alias(subject, "Tensor(a|b)", alias_of(false, {"a", "b"}, {"a", "b"}));
    expect_alias(subject, "Tensor(a -> b)", alias_of(false, {"a"}, {"b"}));
    expect_alias(subject, "Tensor(a! -> a|b)", alias_of(true, {"a"}, {"a", "b"}));
    expect_alias(subject, "Tensor(*)", alias_of(false, {"*"}, {"*"}));
    expect_alias(subject, "Tensor(a -> *)", alias_of(false, {"a"}, {"*"}));
    expect_alias(subject, "int(a!)", alias_of(true, {"a"}, {"a"}));
  });

  conformance("a_list_and_its_elements_are_annotated_apart", {"DSP-307"}, [](Session& subject) {
    const Value element = alias_of(false, {"a"}, {"a"});
    const Value written = alias_of(true, {"a"}, {"a"});

    expect_alias(subject, "Tensor(a)[]", alias_of(false, {}, {}, element));
    expect_alias(subject, "Tensor[](a!)", written);
    expect_alias(subject, "Tensor(a)[](b!)", alias_of(true, {"b"}, {"b"}, element));
    expect_alias(subject, "Tensor(a!)[2]", alias_of(true, {}, {}, written));
    expect_alias(subject, "Tensor(a)?", element);
  });

  conformance("a_write_in_an_element_is_one_of_the_list", {"DSP-307"}, [](Session& subject) {
    const Value written = alias_of(true, {"a"}, {"a"});

    expect_alias(subject, "Tensor(a!)[]", alias_of(true, {}, {}, written));
    expect_true(subject.dispatch().parse("foo(Tensor(a!)[] x) -> ()").is_mutable,
                "the list is written");
  });

  conformance("a_schema_that_writes_an_argument_is_mutable", {"DSP-307"}, [](Session& subject) {
    const auto is_mutable = [&](const char* text) {
      return subject.dispatch().parse(text).is_mutable;
    };
    expect_true(is_mutable("foo_(Tensor(a!) self) -> Tensor(a!)"), "self is written");
    expect_false(is_mutable("foo(Tensor(a) self) -> Tensor(a)"), "self is not written");
    expect_false(is_mutable("foo(Tensor self) -> Tensor(a!)"), "a return is no argument");
  });

  conformance("an_exclamation_mark_alone_is_a_set_of_its_own", {"DSP-307"}, [](Session& subject) {
    const ParsedSchema schema = subject.dispatch().parse("foo(Tensor! x, Tensor! y) -> ()");

    expect_equal(schema.arguments.at(0).alias, alias_of(true, {"$0"}, {"$0"}));
    expect_equal(schema.arguments.at(1).alias, alias_of(true, {"$1"}, {"$1"}));
  }).only(Deviations::kStrict);

  conformance("in_pytorch_that_set_is_empty_afterwards", {"DSP-307"}, [](Session& subject) {
    const ParsedSchema schema = subject.dispatch().parse("foo(Tensor! x, Tensor! y) -> ()");

    expect_equal(schema.arguments.at(0).alias, alias_of(true, {"$0"}, {}));
    expect_equal(schema.arguments.at(1).alias, alias_of(true, {"$1"}, {}));
    expect_equal(schema.text, "foo(Tensor($0! -> ) x, Tensor($1! -> ) y) -> ()");
  }).only(Deviations::kCompat);

  conformance("annotations_are_well_formed", {"DSP-307"}, [](Session& subject) {
    expect_refused_rows(subject, {{"foo(Tensor() x) -> ()", {"expected ident", "')'"}},
                                  {"foo(Tensor(!) x) -> ()", {"expected ident", "'!'"}},
                                  {"foo(Tensor(a|) x) -> ()", {"expected ident", "')'"}},
                                  {"foo(Tensor(a x) -> ()", {"expected )", "'ident'"}},
                                  {"foo(Tensor?(a) x) -> ()", {"expected ident", "'('"}}});
  });
}

}  // namespace assay::suites
