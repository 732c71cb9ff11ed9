// Printed schemas parse to the same schema.
#include <random>

#include "harness/suite/cases.hpp"
#include "suites/dispatch/schema/schemas.hpp"

namespace assay::suites {
namespace {

constexpr int kSchemas = 400;

/// Generates random schemas, determined by the seed.
class SchemaWriter {
 public:
  explicit SchemaWriter(std::uint32_t seed) : random_(seed) {}

  std::string schema() {
    std::string text = pick({"f", "ns::f", "ns::f.out", "_f1.A"}) + "(";
    const int positional = below(4);
    const int kwarg_only = below(3);
    for (int i = 0; i < positional; ++i) text += (i == 0 ? "" : ", ") + argument(false);
    if (kwarg_only > 0) text += positional == 0 ? "*" : ", *";
    for (int i = 0; i < kwarg_only; ++i) text += ", " + argument(true);
    return text + ") -> " + returns();
  }

 private:
  int below(int most) { return static_cast<int>(random_() % static_cast<std::uint32_t>(most)); }
  std::string pick(const std::vector<std::string>& texts) {
    return texts[static_cast<std::size_t>(below(static_cast<int>(texts.size())))];
  }

  std::string argument(bool may_default) {
    const std::string name = " a" + std::to_string(count_++);
    if (may_default && below(2) == 0) return with_default(name);
    return type() + name;
  }

  std::string with_default(const std::string& name) {
    return pick({"int" + name + "=-7", "float" + name + "=1e-5", "float" + name + "=2",
                 "bool" + name + "=True", "str" + name + "=\"a\\\"b\"", "Scalar" + name + "=1.5",
                 "int[2]" + name + "=1", "int[2]" + name + "=[1, 2]", "int[]" + name + "=[]",
                 "Tensor?" + name + "=None", "ScalarType" + name + "=float",
                 "complex" + name + "=-1.5j", "float" + name + "=-0.0",
                 "Device" + name + "=\"cuda:1\"", "float[]" + name + "=[1, .5]"});
  }

  std::string type() {
    switch (below(5)) {
      case 0:
        return pick({"Tensor(a)", "Tensor(b!)", "Tensor(c -> d|e)", "Tensor(*)", "Tensor!"});
      case 1:
        return pick({"Tensor(a)[]", "Tensor[](b!)", "Tensor(a)[](b)", "Tensor(a!)[2]", "Tensor(a)?",
                     "Tensor(a)?[]"});
      case 2:
        return pick({"Dict(str, Tensor)", "(int, (float, str))", "Future(Tensor)", "int[3]?",
                     "Tensor?[]", "int[][]", "NoneType"});
      default:
        return pick({"Tensor", "int", "float", "bool", "str", "Scalar", "SymInt", "Device",
                     "Generator?", "ScalarType", "Layout?", "int[]", "Tensor[]", "Any"});
    }
  }

  std::string returns() {
    switch (below(4)) {
      case 0:
        return pick({"()", "...", "(Tensor, ...)", "((Tensor, int))"});
      case 1:
        return type();
      case 2:
        return "(" + type() + ")";
      default:
        return "(" + type() + " r" + std::to_string(count_++) + ", " + type() + ")";
    }
  }

  std::mt19937 random_;
  int count_ = 0;
};

void expect_same_arguments(const std::vector<SchemaArgumentInfo>& left,
                           const std::vector<SchemaArgumentInfo>& right) {
  expect_equal(static_cast<std::int64_t>(left.size()), static_cast<std::int64_t>(right.size()));
  for (std::size_t i = 0; i < left.size(); ++i) {
    expect_equal(left[i].name, right[i].name);
    expect_equal(left[i].type, right[i].type);
    expect_equal(left[i].size.value_or(-1), right[i].size.value_or(-1));
    expect_equal(left[i].kwarg_only, right[i].kwarg_only);
    expect_equal(left[i].alias, right[i].alias);
    expect_bits(left[i].default_value.value_or(Opaque{"absent"}),
                right[i].default_value.value_or(Opaque{"absent"}));
  }
}

void expect_round_trip(Session& subject, const std::string& text) {
  const ScopedTrace at{"'" + text + "'"};
  const ParsedSchema first = subject.dispatch().parse(text);
  const ParsedSchema second = subject.dispatch().parse(first.text);

  expect_equal(second.text, first.text);
  expect_equal(second.is_mutable, first.is_mutable);
  expect_same_arguments(second.arguments, first.arguments);
  expect_same_arguments(second.returns, first.returns);
}

}  // namespace

CASES("dispatch/schema_round_trip") {
  conformance("what_is_printed_reads_back_as_the_same", {"DSP-309"}, [](Session& subject) {
    SchemaWriter writer(20221);
    for (int i = 0; i < kSchemas; ++i) expect_round_trip(subject, writer.schema());
  }).only(Deviations::kStrict);

  conformance("seventeen_digits_tell_all_floats_apart", {"DSP-309"}, [](Session& subject) {
    for (const double value : {1e-5, 0.1, 1.0 / 3, 2.0 / 3, 1e22, 3.141592653589793, 5e-300}) {
      char buffer[40];
      std::snprintf(buffer, sizeof buffer, "%.17g", value);
      const std::string text = std::string("foo(float x=") + buffer + ") -> ()";
      const ScopedTrace at{text};
      const ParsedSchema again = subject.dispatch().parse(subject.dispatch().parse(text).text);

      expect_bits(again.arguments.at(0).default_value.value_or(None{}), value);
    }
  });

  conformance("in_pytorch_some_things_do_not_read_back", {"DSP-309"}, [](Session& subject) {
    for (const char* text :
         {"foo(Device x=\"cpu\") -> ()", "foo(complex x=1j) -> ()", "foo(Tensor! x) -> ()"}) {
      const ScopedTrace at{text};
      const std::string printed = subject.dispatch().parse(text).text;

      expect_error([&] { subject.dispatch().parse(printed); }, ErrorKind::kError);
    }
  }).only(Deviations::kCompat);
}

}  // namespace assay::suites
