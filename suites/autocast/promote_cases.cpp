// The promote policy: how the dtype is determined, and when an error is raised.
#include "suites/autocast/casting.hpp"

namespace assay::suites {
namespace {

const std::vector<std::string> kUnexpected = {"unexpected floating"};

/// Arguments of a promote operator with tensors of these dtypes; `-` stands for an absent one.
std::vector<Value> arguments_of(const Target& target, const std::string& op,
                                std::string_view letters) {
  const auto tensor = [&](std::size_t at, std::vector<std::int64_t> shape) -> Value {
    if (letters[at] == '-') return {};
    return of_shape(target, dtype_of_letter(letters[at]), std::move(shape));
  };
  const Value index = on(i64({0}), target.device);
  if (op == "aten::atan2" || op == "aten::dot") return {tensor(0, {1}), tensor(1, {1})};
  if (op == "aten::addcmul") return {tensor(0, {1}), tensor(1, {1}), tensor(2, {1})};
  if (op == "aten::index_put") return {tensor(0, {1}), List{{index}}, tensor(1, {1})};
  if (op == "aten::scatter_add") return {tensor(0, {1}), 0, index, tensor(1, {1})};
  if (op == "aten::tensordot") return {tensor(0, {1}), tensor(1, {1}), List{{0}}, List{{0}}};
  if (op == "aten::bilinear") {
    return {tensor(0, {1, 1}), tensor(1, {1, 1}), tensor(2, {1, 1, 1}), tensor(3, {1})};
  }
  if (op == "aten::index_copy") return {tensor(0, {1}), 0, index, tensor(1, {1})};
  List list;
  for (std::size_t i = 0; i < letters.size(); ++i) list.items.push_back(tensor(i, {1}));
  return {list, 0};
}

struct Row {
  const char* op;
  const char* inputs;
  /// The result's dtype; `E` for an error. 0: not checked, because the operator determines it.
  char result;
  const char* reached;  ///< floating dtypes that its kernel received, in order
};

std::string floats_of(const std::string& letters) {
  std::string floats;
  for (const char letter : letters) {
    if (letter != 'i') floats += letter;
  }
  return floats;
}

void expect_row(Session& subject, const Target& target, const Row& row) {
  const ScopedTrace at(std::string(row.op) + "(" + row.inputs + ")");
  const std::vector<Value> args = arguments_of(target, row.op, row.inputs);
  if (row.result == 'E') {
    expect_error([&] { call(subject, row.op, args); }, ErrorKind::kError, kUnexpected);
    return;
  }
  const Called called = call(subject, row.op, args);
  if (called.kernel()) expect_equal(floats_of(called.reached()), row.reached);
  if (row.result != 0) expect_equal(letters_of({called.dtype()}), std::string(1, row.result));
}

void expect_rows(Session& subject, const Target& target, const std::vector<Row>& rows) {
  inside(subject, target, [&] {
    for (const Row& row : rows) expect_row(subject, target, row);
  });
}

}  // namespace

CASES("autocast/promote") {
  conformance("takes_the_widest_of_float32_and_low", {"CAST-408"}, [](Session& subject) {
    expect_rows(subject, target_of(subject),
                {{"aten::atan2", "ff", 'f', "ff"},
                 {"aten::atan2", "hh", 'h', "hh"},
                 {"aten::atan2", "fh", 'f', "ff"},
                 {"aten::atan2", "hf", 'f', "ff"},
                 {"aten::atan2", "ih", 'h', "h"},
                 {"aten::atan2", "if", 'f', "f"},
                 {"aten::addcmul", "fhb", 'f', "fff"},
                 {"aten::index_put", "fh", 'f', "ff"},
                 {"aten::index_put", "hf", 'f', "ff"},
                 {"aten::scatter_add", "fh", 'f', "ff"},
                 {"aten::dot", "hf", 'f', "ff"},
                 {"aten::tensordot", "fh", 'f', "ff"},
                 {"aten::cat", "hf", 'f', "hf"}});
  }).only(DeviceRules::kCuda);

  conformance("takes_the_widest_of_float32_and_low_on_the_cpu", {"CAST-408"}, [](Session& subject) {
    expect_rows(subject, cpu_target(),
                {{"aten::stack", "bf", 'f', "ff"},
                 {"aten::stack", "fh", 'f', "ff"},
                 {"aten::stack", "fb", 'f', "ff"},
                 {"aten::stack", "bb", 'b', "bb"},
                 {"aten::stack", "bd", 'd', "bd"},
                 {"aten::stack", "dd", 'd', "dd"},
                 {"aten::stack", "ii", 'i', ""},
                 {"aten::stack", "ib", 'b', "b"},
                 {"aten::index_copy", "fb", 'f', "ff"},
                 {"aten::index_copy", "bf", 'f', "ff"}});
  });

  conformance("refuses_another_low_type_before_float32", {"CAST-409"}, [](Session& subject) {
    expect_rows(subject, target_of(subject),
                {{"aten::atan2", "bb", 'E', ""},
                 {"aten::atan2", "bf", 'E', ""},
                 {"aten::atan2", "hb", 'E', ""},
                 {"aten::atan2", "bh", 'E', ""},
                 {"aten::addcmul", "bbf", 'E', ""},
                 {"aten::addcmul", "bfb", 'E', ""},
                 {"aten::addcmul", "hbf", 'E', ""},
                 {"aten::addcmul", "dbf", 'E', ""}});
  }).only(DeviceRules::kCuda);

  conformance("refuses_another_low_type_before_float32_on_the_cpu", {"CAST-409"},
              [](Session& subject) {
                expect_rows(subject, cpu_target(),
                            {{"aten::stack", "hh", 'E', ""},
                             {"aten::stack", "hb", 'E', ""},
                             {"aten::stack", "hf", 'E', ""},
                             {"aten::index_copy", "hh", 'E', ""}});
              });

  conformance("after_float32_nothing_is_refused", {"CAST-408", "CAST-409"}, [](Session& subject) {
    expect_rows(subject, target_of(subject),
                {{"aten::atan2", "fb", 'f', "ff"},
                 {"aten::addcmul", "fbb", 'f', "fff"},
                 {"aten::addcmul", "fhb", 'f', "fff"}});
  }).only(DeviceRules::kCuda);

  conformance("float64_is_passed_over", {"CAST-408"}, [](Session& subject) {
    expect_rows(subject, target_of(subject),
                {{"aten::atan2", "dh", 'd', "dh"},
                 {"aten::atan2", "hd", 'd', "hd"},
                 {"aten::atan2", "df", 'd', "df"},
                 {"aten::atan2", "dd", 'd', "dd"},
                 {"aten::addcmul", "hdh", 'd', "hdh"}});
  }).only(DeviceRules::kCuda);

  conformance("an_optional_tensor_is_cast_and_does_not_vote", {"CAST-411"}, [](Session& subject) {
    expect_rows(subject, target_of(subject),
                {{"aten::bilinear", "hhh-", 'h', "hhh"},
                 {"aten::bilinear", "hhhf", 'h', "hhhh"},
                 {"aten::bilinear", "hhhb", 'h', "hhhh"},
                 {"aten::bilinear", "fhhh", 'f', "ffff"}});
  }).only(DeviceRules::kCuda);

  conformance("other_low_types", {"CAST-408", "CAST-409", "CAST-410"}, [](Session& subject) {
    const Target target = target_of(subject);
    inside(subject, target, [&] {
      subject.autocast().set_dtype(Dtype::kBfloat16, target.type);
      expect_row(subject, target, {"aten::atan2", "hh", 'E', ""});
      expect_row(subject, target, {"aten::atan2", "bb", 'b', "bb"});
      expect_row(subject, target, {"aten::atan2", "fh", 'f', "ff"});
      subject.autocast().set_dtype(Dtype::kFloat32, target.type);
      expect_row(subject, target, {"aten::atan2", "hb", 'f', "ff"});
    });
  }).only(DeviceRules::kCuda);

  conformance(
      "a_low_type_of_float64_is_refused_at_the_first_tensor", {"CAST-410"},
      [](Session& subject) {
        const Target target = target_of(subject);
        subject.autocast().set_dtype(Dtype::kFloat64, target.type);
        subject.autocast().set_enabled(true, target.type);
        for (const char* letters : {"ff", "ii", "dd"}) {
          const ScopedTrace at(letters);
          expect_error(
              [&] { call(subject, "aten::atan2", arguments_of(target, "aten::atan2", letters)); },
              ErrorKind::kError, {"promote type is double"});
        }
      })
      .only(DeviceRules::kCuda);

  conformance("an_empty_list_is_no_first_tensor", {"CAST-410"}, [](Session& subject) {
    const Target target = target_of(subject);
    const AutocastClient autocast = subject.autocast();

    expect_equal(autocast.prioritize(Dtype::kFloat64, List{}, target.type), Dtype::kFloat64);
    expect_error(
        [&] {
          autocast.prioritize(Dtype::kFloat64, List{{matrix(target, Dtype::kInt64)}}, target.type);
        },
        ErrorKind::kError, {"promote type is double"});
  });

  conformance("float64_on_the_cpu_is_refused_too", {"CAST-410"}, [](Session& subject) {
    const Target cpu = cpu_target();
    subject.autocast().set_dtype(Dtype::kFloat64, "cpu");
    subject.autocast().set_enabled(true, "cpu");
    expect_error(
        [&] {
          call(subject, "aten::stack", {List{operands(cpu, "ff")}, 0});
        },
        ErrorKind::kError, {"promote type is double"});
  }).since(Release::k2_4);

  conformance("the_decision_alone", {"CAST-408", "CAST-409"}, [](Session& subject) {
    const Target target = target_of(subject);
    const Dtype low = target.low;
    const auto decided = [&](const std::vector<Dtype>& types) {
      std::vector<Value> args;
      for (const Dtype type : types) args.emplace_back(matrix(target, type));
      return subject.autocast().promote_type(low, target.type, args);
    };

    expect_equal(decided({}), low);
    expect_equal(decided({low, low}), low);
    expect_equal(decided({low, Dtype::kFloat32}), Dtype::kFloat32);
    expect_equal(decided({Dtype::kFloat32, target.other}), Dtype::kFloat32);
    expect_equal(decided({Dtype::kFloat64, Dtype::kInt64}), low);
    expect_error([&] { decided({target.other, Dtype::kFloat32}); }, ErrorKind::kError, kUnexpected);
  });

  conformance("the_decision_passes_over_what_is_no_tensor", {"CAST-408"}, [](Session& subject) {
    const Target target = target_of(subject);
    const Value wide = matrix(target, Dtype::kFloat32);

    expect_equal(subject.autocast().promote_type(
                     target.low, target.type,
                     {7, "text", Dtype::kFloat32, List{{matrix(target, target.low)}}}),
                 target.low);
    expect_equal(subject.autocast().promote_type(target.low, target.type, {7, List{{wide}}, true}),
                 Dtype::kFloat32);
  });

  conformance("its_conversions_are_not_cached", {"CAST-518"}, [](Session& subject) {
    const Target target = target_of(subject);
    const Ref leaf = subject.core().leaf(of_shape(target, target.low, {1}));
    const Value wide = of_shape(target, Dtype::kFloat32, {1});
    const bool cpu = target.type == "cpu";
    const auto use = [&] {
      return conversions(subject, [&] {
        if (cpu) {
          call(subject, "aten::stack", {List{{wide, leaf}}, 0});
        } else {
          call(subject, "aten::dot", {wide, leaf});
        }
      });
    };
    inside(subject, target, [&] {
      expect_equal(use(), 1);
      expect_equal(use(), 1);
    });
  });
}

}  // namespace assay::suites
