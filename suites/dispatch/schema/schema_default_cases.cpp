// Default values in schemas: parsing, values, printing, and errors.
#include "harness/suite/cases.hpp"
#include "suites/dispatch/schema/schemas.hpp"

namespace assay::suites {
namespace {

/// The argument `TYPE x=DEFAULT`, its value, and the printed default.
struct DefaultRow {
  const char* type;
  const char* given;
  Value value;
  const char* printed;
};

List ints(std::vector<std::int64_t> items) {
  List list;
  for (const std::int64_t item : items) list.items.emplace_back(item);
  return list;
}

std::string schema_with(const std::string& type, const std::string& given) {
  return "foo(" + type + " x=" + given + ") -> ()";
}

void expect_rows(Session& subject, const std::vector<DefaultRow>& rows) {
  for (const DefaultRow& row : rows) {
    const std::string text = schema_with(row.type, row.given);
    const ScopedTrace at{text};
    const ParsedSchema schema = subject.dispatch().parse(text);

    expect_equal(schema.arguments.at(0).default_value.value_or(Opaque{"absent"}), row.value);
    expect_equal(schema.text, schema_with(row.type, row.printed));
  }
}

std::vector<DefaultRow> rows_of_numbers() {
  return {{"int", "1", 1, "1"},
          {"int", "-1", -1, "-1"},
          {"int", "- 1", -1, "-1"},
          {"int", "007", 7, "7"},
          {"SymInt", "3", 3, "3"},
          {"float", "1", 1.0, "1."},
          {"float", "-1.5", -1.5, "-1.5"},
          {"float", "1e-5", 1e-5, "1.0000000000000001e-05"},
          {"float", "0.1", 0.1, "0.10000000000000001"},
          {"float", ".5", 0.5, "0.5"},
          {"float", "1E5", 1e5, "100000."},
          {"float", "1e300", 1e300, "1.0000000000000001e+300"},
          {"complex", "1j", Complex{0, 1}, "0.+1.j"},
          {"complex", "-1.5j", Complex{0, -1.5}, "0.-1.5j"},
          {"Scalar", "1", 1, "1"},
          {"Scalar", "1.5", 1.5, "1.5"},
          {"Scalar", "True", true, "True"},
          {"bool", "True", true, "True"},
          {"bool", "False", false, "False"}};
}

std::vector<DefaultRow> rows_of_lists() {
  return {{"int[2]", "1", ints({1, 1}), "1"},
          {"int[3]", "[1,1,1]", ints({1, 1, 1}), "1"},
          {"int[2]", "[1,2]", ints({1, 2}), "[1, 2]"},
          {"int[1]", "1", ints({1}), "[1]"},
          {"int[]", "[]", ints({}), "[]"},
          {"int[]", "[1, -2]", ints({1, -2}), "[1, -2]"},
          {"float[]", "[1.0, 2]", List{{1.0, 2.0}}, "[1., 2.]"},
          {"float[2]", "1", List{{1.0, 1.0}}, "[1., 1.]"},
          {"bool[2]", "True", List{{true, true}}, "[True, True]"},
          {"SymInt[2]", "1", ints({1, 1}), "[1, 1]"},
          {"complex[]", "[1j]", List{{Complex{0, 1}}}, "[0.+1.j]"}};
}

std::vector<DefaultRow> rows_of_words() {
  return {{"ScalarType", "float", 6, "6"},
          {"ScalarType", "long", 4, "4"},
          {"ScalarType?", "complex", 9, "9"},
          {"Layout", "strided", 0, "0"},
          {"MemoryFormat", "contiguous_format", 0, "0"},
          {"int", "Mean", 1, "1"},
          {"int", "float", 6, "6"},
          {"ScalarType", "6", 6, "6"},
          {"str", "\"a\"", "a", "\"a\""},
          {"str", "'a'", "a", "\"a\""},
          {"str", "'a\"b'", "a\"b", "\"a\\\"b\""},
          {"str", "\"a\\nb\"", "a\nb", "\"a\\nb\""},
          {"str", "\"\"", "", "\"\""}};
}

std::vector<DefaultRow> rows_of_none() {
  return {{"Tensor?", "None", None{}, "None"},     {"int?", "None", None{}, "None"},
          {"Generator?", "None", None{}, "None"},  {"Scalar?", "None", None{}, "None"},
          {"ScalarType?", "None", None{}, "None"}, {"Tensor[]?", "None", None{}, "None"},
          {"int[2]?", "None", None{}, "None"},     {"Device?", "None", None{}, "None"}};
}

void expect_defaults_refused(Session& subject, const std::string& type,
                             const std::vector<std::string>& given) {
  for (const std::string& text : given) expect_refused(subject, schema_with(type, text), {});
}

/// PyTorch accepts all of these (DSP-311).
struct LenientRow {
  const char* type;
  const char* given;
};
constexpr LenientRow kLenient[] = {
    {"int", "1.5"},        {"int", "True"},    {"int", "None"},   {"bool", "1"},
    {"bool", "None"},      {"float", "None"},  {"float", "True"}, {"str", "1"},
    {"int[2]", "[1,2,3]"}, {"int", "0x10"},    {"int", "\"a\""},  {"Tensor?", "1"},
    {"Generator?", "1"},   {"Layout", "None"}, {"int", "1j"},
};

struct DefaultText {
  const char* type;
  const char* given;
};

/// Defaults that are parsed but do not fit the list type.
constexpr DefaultText kUnfitLists[] = {
    {"int[2]", "None"},   {"int[]", "[None]"},     {"int[]", "[1, True]"}, {"int[2]", "1.5"},
    {"float[]", "[2j]"},  {"float[2]", "[True]"},  {"bool[2]", "1"},       {"bool[]", "[None]"},
    {"int[]", "[\"a\"]"}, {"complex[]", "[None]"},
};

}  // namespace

CASES("dispatch/schema_default") {
  conformance("numbers_are_read_as_the_type_wants_them", {"DSP-308"},
              [](Session& subject) { expect_rows(subject, rows_of_numbers()); });

  conformance("a_value_fills_a_list_of_fixed_length", {"DSP-308"},
              [](Session& subject) { expect_rows(subject, rows_of_lists()); });

  conformance("words_stand_for_numbers", {"DSP-308"},
              [](Session& subject) { expect_rows(subject, rows_of_words()); });

  conformance("strings_have_tabs", {"DSP-308"}, [](Session& subject) {
    expect_rows(subject, {{"str", "\"a\\tb\"", "a\tb", "\"a\\tb\""}});
  });

  conformance("what_is_optional_may_be_none", {"DSP-308"},
              [](Session& subject) { expect_rows(subject, rows_of_none()); });

  conformance("newer_releases_know_every_dtype", {"DSP-308"}, [](Session& subject) {
    expect_rows(subject, {{"ScalarType", "half", 5, "5"},
                          {"ScalarType", "bfloat16", 15, "15"},
                          {"ScalarType?", "double", 7, "7"},
                          {"ScalarType", "int64", 4, "4"},
                          {"ScalarType", "uint8", 0, "0"},
                          {"ScalarType", "float8_e4m3fn", 24, "24"}});
    expect_defaults_refused(subject, "ScalarType", {"nope", "Half", "byte"});
    expect_defaults_refused(subject, "int", {"half"});
  }).since(Release::k2_11);

  conformance("older_releases_know_three_dtypes", {"DSP-308"}, [](Session& subject) {
    for (const char* dtype : {"half", "bfloat16", "double", "int64"}) {
      expect_refused(subject, schema_with("ScalarType", dtype), {"invalid numeric default value"});
    }
  }).until(Release::k2_4);

  conformance("a_device_is_written_as_a_string", {"DSP-308"}, [](Session& subject) {
    const Value value = subject.dispatch()
                            .parse(schema_with("Device", "\"cuda:1\""))
                            .arguments.at(0)
                            .default_value.value_or(None{});

    expect_equal(value, Device{"cuda", 1});
    expect_refused(subject, schema_with("Device", "\"nope\""), {"nope"}, ErrorKind::kError);
    expect_refused(subject, schema_with("Device", "1"), {"string_literal"});
    expect_refused(subject, schema_with("int[2]", "long"), {"None", "ident"});
  });

  conformance("no_number_is_written_like_these", {"DSP-308"}, [](Session& subject) {
    for (const char* word : {"inf", "nan", "Sum", "half", "true"}) {
      expect_refused(subject, schema_with("int", word), {"invalid numeric default value"});
    }
    expect_defaults_refused(subject, "int", {"+1", "--1", "-", "1_000", "1L", "0b1"});
  });

  conformance("some_types_have_no_such_default", {"DSP-308"}, [](Session& subject) {
    for (const char* type : {"Tensor[]", "str[]", "Scalar[]"}) {
      expect_refused(subject, schema_with(type, "[]"),
                     {"lists are only supported for float, int and complex types"});
    }
    expect_refused(subject, schema_with("Tensor", "1"), {"expected None"});
    expect_refused(subject, schema_with("Generator", "1"), {"expected None"});
    expect_refused(subject, schema_with("int[]", "1"), {"expected [ but found 'number'"});
  });

  conformance("a_positional_argument_after_a_default_needs_one", {"DSP-310"}, [](Session& subject) {
    expect_refused(subject, "foo(int x=1, int y) -> Tensor", {"y", "default"});
    expect_refused(subject, "foo(int x=1, int z=2, Tensor? last) -> Tensor", {"last", "default"});
  }).only(Deviations::kStrict);

  conformance("pytorch_calls_that_an_internal_error", {"DSP-310"},
              [](Session& subject) {
                expect_refused(subject, "foo(int x=1, int y) -> Tensor",
                               {"y", "follows default argument"}, ErrorKind::kInternal);
              })
      .only(Deviations::kCompat)
      .since(Release::k2_4);

  conformance("lists_and_kwarg_only_arguments_may_follow_a_default", {"DSP-310"},
              [](Session& subject) {
                for (const std::string text :
                     {"foo(int x=1, int[] y) -> ()", "foo(int x=1, *, int y) -> ()",
                      "foo(int x=1, Tensor[] y, *, str z) -> ()"}) {
                  expect_printed(subject, text, text);
                }
              });

  conformance("a_default_of_another_type_is_refused", {"DSP-311"}, [](Session& subject) {
    for (const LenientRow& row : kLenient) {
      expect_refused(subject, schema_with(row.type, row.given), {});
    }
    expect_refused(subject, "foo(Tensor x, int x) -> ()", {"x"});
  }).only(Deviations::kStrict);

  conformance("a_list_of_other_elements_is_an_internal_error_of_pytorch", {"DSP-311"},
              [](Session& subject) {
                for (const DefaultText& row : kUnfitLists) {
                  expect_refused(subject, schema_with(row.type, row.given), {},
                                 ErrorKind::kInternal);
                }
              })
      .only(Deviations::kCompat);

  conformance("pytorch_takes_the_last_letter_of_a_complex_default_for_its_j", {"DSP-308"},
              [](Session& subject) {
                expect_rows(subject, {{"complex", "1.5", Complex{0, 1}, "0.+1.j"},
                                      {"complex", "12", Complex{0, 1}, "0.+1.j"},
                                      {"complex", "-2.5", Complex{0, -2}, "0.-2.j"}});
                expect_refused(subject, "foo(complex x=1) -> ()", {"stod"}, ErrorKind::kValue);
              })
      .only(Deviations::kCompat);

  conformance("pytorch_quotes_a_string_where_the_type_is_str", {"DSP-311"}, [](Session& subject) {
    expect_rows(subject, {{"str", "\"a\"", "a", "\"a\""},
                          {"str?", "\"a\"", "a", "\"a\""},
                          {"int", "\"a\"", "a", "a"},
                          {"Scalar?", "\"a\"", "a", "a"},
                          {"Device?", "\"cpu\"", "cpu", "cpu"},
                          {"Device?", "1", 1, "1"}});
  }).only(Deviations::kCompat);

  conformance("an_int_beyond_64_bits_is_refused_where_it_stands", {"DSP-311", "DSP-312"},
              [](Session& subject) {
                for (const char* text :
                     {"9223372036854775808", "-9223372036854775809", "99999999999999999999"}) {
                  expect_refused(subject, schema_with("int", text), {"range", "~"});
                }
                expect_printed(subject, schema_with("int", "9223372036854775807"),
                               schema_with("int", "9223372036854775807"));
                expect_printed(subject, schema_with("int", "-9223372036854775808"),
                               schema_with("int", "-9223372036854775808"));
              })
      .only(Deviations::kStrict);

  conformance("in_pytorch_the_librarys_exception_gets_out", {"DSP-311"}, [](Session& subject) {
    for (const char* text : {"9223372036854775808", "99999999999999999999"}) {
      expect_refused(subject, schema_with("int", text), {"stoll"}, ErrorKind::kIndex);
    }
  }).only(Deviations::kCompat);
}

}  // namespace assay::suites
