// Conversions between typed and boxed: every signature of the menu, in both directions; values and
// the identity of tensors are preserved.
#include "harness/check/compare.hpp"
#include "harness/suite/reading.hpp"
#include "suites/dispatch/probing.hpp"

namespace assay::suites {
namespace {

const std::string kOp = "menu::f";

/// The tensors used as arguments, distinguishable by dtype.
struct Tensors {
  DispatchObject x;
  DispatchObject y;
  DispatchObject z;
};

Tensors make_tensors(Session& subject) {
  const auto make = [&](Dtype dtype) {
    return subject.dispatch().tensor({.device = "cpu", .dtype = dtype});
  };
  return {make(Dtype::kFloat32), make(Dtype::kFloat16), make(Dtype::kFloat64)};
}

/// A signature: its schema, arguments, their form in `ran`, and the index of the first argument
/// that a kernel returns, or -1 if it returns `value`.
struct Row {
  const char* signature;
  const char* schema;
  std::vector<Value> (*arguments)(const Tensors&);
  int returned = 0;
  int returns = 1;
  /// For kernels that return values of their own.
  std::vector<Value> (*values)(const Tensors&) = nullptr;
};

Value list(std::vector<Value> items) { return List{std::move(items)}; }

Value generator() { return Generator{.device = {"cpu", -1}, .seed = 7}; }

std::vector<Value> x_only(const Tensors& t) { return {t.x}; }
std::vector<Value> xy(const Tensors& t) { return {t.x, t.y}; }
std::vector<Value> many(const Tensors& t) {
  return {t.x, None{}, list({t.y, t.z}), 5, 0.25, true, -7, "text"};
}
std::vector<Value> most(const Tensors& t) {
  auto all = many(t);
  all[1] = t.z;
  for (const Value& value :
       {list({1, 2, 3}), list({0.5, 1.5}), Value(Device{"cuda", 1}), Value(Dtype::kBfloat16)}) {
    all.push_back(value);
  }
  return all;
}

const std::vector<Row> kMenu{
    {"void(int64_t)", "(int n) -> ()", [](const Tensors&) { return std::vector<Value>{-3}; }, -1,
     0},
    {"void(const int64_t&)", "(int n) -> ()", [](const Tensors&) { return std::vector<Value>{4}; },
     -1, 0},
    {"Tensor(Tensor)", "(Tensor x) -> Tensor", x_only},
    {"Tensor(const Tensor&)", "(Tensor x) -> Tensor", x_only},
    {"Tensor(Tensor,Tensor)", "(Tensor x, Tensor y) -> Tensor", xy, 1},
    {"Tensor(const Tensor&,const Tensor&)", "(Tensor x, Tensor y) -> Tensor", xy, 1},
    {"Tensor(optional<Tensor>)", "(Tensor? x) -> Tensor", x_only},
    {"Tensor(const optional<Tensor>&)", "(Tensor? x) -> Tensor", x_only},
    {"Tensor(const Tensor&,int64_t)", "(Tensor x, int n) -> Tensor",
     [](const Tensors& t) {
       return std::vector<Value>{t.x, -9};
     }},
    {"Tensor(const Tensor&,double)", "(Tensor x, float a) -> Tensor",
     [](const Tensors& t) {
       return std::vector<Value>{t.x, 0.1};
     }},
    {"Tensor(const Tensor&,bool)", "(Tensor x, bool b) -> Tensor",
     [](const Tensors& t) {
       return std::vector<Value>{t.x, true};
     }},
    {"Tensor(const Tensor&,string)", "(Tensor x, str s) -> Tensor",
     [](const Tensors& t) {
       return std::vector<Value>{t.x, "a text"};
     }},
    {"Tensor(const Tensor&,const Scalar&)", "(Tensor x, Scalar s) -> Tensor",
     [](const Tensors& t) {
       return std::vector<Value>{t.x, 3.5};
     }},
    {"Tensor(const Tensor&,const Scalar&)", "(Tensor x, Scalar s) -> Tensor",
     [](const Tensors& t) {
       return std::vector<Value>{t.x, 3};
     }},
    {"Tensor(const Tensor&,const Scalar&)", "(Tensor x, Scalar s) -> Tensor",
     [](const Tensors& t) {
       return std::vector<Value>{t.x, true};
     }},
    {"Tensor(const Tensor&,Device)", "(Tensor x, Device d) -> Tensor",
     [](const Tensors& t) {
       return std::vector<Value>{t.x, Device{"cuda", 1}};
     }},
    {"Tensor(const Tensor&,ScalarType)", "(Tensor x, ScalarType d) -> Tensor",
     [](const Tensors& t) {
       return std::vector<Value>{t.x, Dtype::kFloat16};
     }},
    {"Tensor(const Tensor&,optional<ScalarType>)", "(Tensor x, ScalarType? d) -> Tensor",
     [](const Tensors& t) {
       return std::vector<Value>{t.x, None{}};
     }},
    {"Tensor(const Tensor&,IntList,optional<int64_t>)", "(Tensor x, int[] l, int? n) -> Tensor",
     [](const Tensors& t) {
       return std::vector<Value>{t.x, list({1, -2, 3}), 5};
     }},
    {"Tensor(const Tensor&,IntList,optional<int64_t>)", "(Tensor x, int[] l, int? n) -> Tensor",
     [](const Tensors& t) {
       return std::vector<Value>{t.x, list({}), None{}};
     }},
    {"Tensor&(Tensor&)", "(Tensor(a!) x) -> Tensor(a!)", x_only},
    {"Tensor&(Tensor&,int64_t)", "(Tensor(a!) x, int n) -> Tensor(a!)",
     [](const Tensors& t) {
       return std::vector<Value>{t.x, 2};
     }},
    {"const Tensor&(const Tensor&)", "(Tensor x) -> Tensor", x_only},
    {"Tensor&(const Tensor&,Tensor&)", "(Tensor x, *, Tensor(a!) out) -> Tensor(a!)", xy, 1},
    {"tuple<Tensor&,Tensor&>(const Tensor&,Tensor&,Tensor&)",
     "(Tensor x, *, Tensor(a!) out1, Tensor(b!) out2) -> (Tensor(a!), Tensor(b!))",
     [](const Tensors& t) {
       return std::vector<Value>{t.x, t.y, t.z};
     },
     1, 2},
    {"Tensor(const Tensor&,optional<Tensor>,TensorList,int64_t,double,bool,const "
     "Scalar&,string,IntList,FloatList,Device,ScalarType)",
     "(Tensor x, Tensor? o, Tensor[] l, int n, float a, bool b, Scalar s, str t, int[] i, "
     "float[] f, Device d, ScalarType e) -> Tensor",
     most},
};

/// Signatures that cannot return their first argument; they return `y`.
const std::vector<Row> kContainers{
    {"Tensor()", "() -> Tensor", [](const Tensors&) { return std::vector<Value>{}; }, -1},
    {"Tensor(optional<Tensor>)", "(Tensor? x) -> Tensor",
     [](const Tensors&) { return std::vector<Value>{None{}}; }, -1},
    {"Tensor(TensorList)", "(Tensor[] l) -> Tensor",
     [](const Tensors& t) {
       return std::vector<Value>{list({t.x, t.z})};
     },
     -1},
    {"Tensor(TensorList)", "(Tensor[] l) -> Tensor",
     [](const Tensors&) { return std::vector<Value>{list({})}; }, -1},
    {"Tensor(List<optional<Tensor>>)", "(Tensor?[] l) -> Tensor",
     [](const Tensors& t) {
       return std::vector<Value>{list({t.z, None{}, t.x})};
     },
     -1},
    {"Tensor(optional<TensorList>)", "(Tensor[]? l) -> Tensor",
     [](const Tensors& t) { return std::vector<Value>{list({t.x})}; }, -1},
    {"Tensor(optional<TensorList>)", "(Tensor[]? l) -> Tensor",
     [](const Tensors&) { return std::vector<Value>{None{}}; }, -1},
    {"Tensor(array<Tensor,2>)", "(Tensor[2] l) -> Tensor",
     [](const Tensors& t) {
       return std::vector<Value>{list({t.z, t.x})};
     },
     -1},
    {"Tensor(Dict<string,Tensor>)", "(Dict(str, Tensor) d) -> Tensor",
     [](const Tensors& t) {
       return std::vector<Value>{Dict{{{Value("k"), Value(t.x)}}}};
     },
     -1},
    {"Tensor(Generator)", "(Generator? g) -> Tensor",
     [](const Tensors&) { return std::vector<Value>{generator()}; }, -1},
    {"Tensor(optional<Generator>)", "(Generator? g) -> Tensor",
     [](const Tensors&) { return std::vector<Value>{None{}}; }, -1},
};

/// Several return values, and none.
const std::vector<Row> kReturns{
    {"void()", "() -> ()", [](const Tensors&) { return std::vector<Value>{}; }, -1, 0},
    {"int64_t()", "() -> int", [](const Tensors&) { return std::vector<Value>{}; }, -1, 1,
     [](const Tensors&) { return std::vector<Value>{42}; }},
    {"tuple<Tensor,Tensor>(const Tensor&)", "(Tensor x) -> (Tensor, Tensor)", x_only, -1, 2,
     [](const Tensors& t) {
       return std::vector<Value>{t.z, t.y};
     }},
    {"tuple<Tensor,Tensor,int64_t>(const Tensor&)", "(Tensor x) -> (Tensor, Tensor, int)", x_only,
     -1, 3,
     [](const Tensors& t) {
       return std::vector<Value>{t.y, t.x, -5};
     }},
    {"tuple<int64_t,Tensor>(const Tensor&)", "(Tensor x) -> (int, Tensor)", x_only, -1, 2,
     [](const Tensors& t) {
       return std::vector<Value>{11, t.y};
     }},
    {"tuple<Tensor,Tensor,int64_t>(const Tensor&,optional<Tensor>,TensorList,int64_t,double,bool,"
     "const Scalar&,string)",
     "(Tensor x, Tensor? o, Tensor[] l, int n, float a, bool b, Scalar s, str t) -> (Tensor, "
     "Tensor, int)",
     many, -1, 3,
     [](const Tensors& t) {
       return std::vector<Value>{t.x, t.z, 9};
     }},
};

/// The form of an argument in `ran`, or nothing if only its kind is shown.
std::optional<Value> shown(const Value& argument, const Tensors& t) {
  const auto dtype_of = [&](const std::string& name) {
    if (name == t.x.name()) return Dtype::kFloat32;
    return name == t.y.name() ? Dtype::kFloat16 : Dtype::kFloat64;
  };
  if (const Ref* tensor = argument.get_if<Ref>()) return dtype_of(tensor->name);
  if (argument.is<Generator>() || argument.is<Dict>()) return std::nullopt;
  // Boxed values are plain numbers, so both forms are valid.
  if (argument.is<Dtype>() || argument.is<Device>()) return std::nullopt;
  const List* items = argument.get_if<List>();
  if (items == nullptr) return argument;
  List all;
  for (const Value& item : items->items) all.items.push_back(*shown(item, t));
  return all;
}

void expect_arguments(const Called& called, const std::vector<Value>& sent, const Tensors& t) {
  expect_false(called.ran.empty(), "a kernel runs");
  const std::vector<Value>& got = last_of(called.ran).arguments;
  expect_equal(static_cast<std::int64_t>(got.size()), static_cast<std::int64_t>(sent.size()));
  for (std::size_t i = 0; i < sent.size(); ++i) {
    const ScopedTrace argument("argument " + std::to_string(i));
    if (const auto wanted = shown(sent[i], t)) expect_equal(got[i], *wanted);
  }
}

KernelOptions kernel_for(const Row& row, const Tensors& t, bool typed) {
  KernelOptions options{.label = typed ? "typed" : "boxed"};
  if (typed) options.signature = row.signature;
  if (row.returned >= 0) options.argument = row.returned;
  if (row.returned < 0) {
    options.behaviour = "value";
    options.values = row.returns == 0 ? std::vector<Value>{} : std::vector<Value>{t.y};
    if (row.values != nullptr) options.values = row.values(t);
  }
  return options;
}

Value wanted_result(const Row& row, const std::vector<Value>& sent, const Tensors& t) {
  if (row.returns == 0) return None{};
  if (row.values != nullptr) {
    const std::vector<Value> values = row.values(t);
    return row.returns == 1 ? values[0] : Value(List{values});
  }
  if (row.returned < 0) return t.y;
  const auto first = static_cast<std::size_t>(row.returned);
  if (row.returns == 1) return sent[first];
  return List{{sent[first], sent[first + 1]}};
}

/// A typed or boxed kernel, called typed and boxed.
void round_trip(Session& subject, const Row& row, bool typed_kernel) {
  const Tensors t = make_tensors(subject);
  const auto def = subject.dispatch().def(kOp + row.schema);
  const auto impl =
      subject.dispatch().impl(kOp, subject.dispatch().kernel(kernel_for(row, t, typed_kernel)),
                              {.key = "CompositeExplicitAutograd"});
  const std::vector<Value> sent = row.arguments(t);
  for (const bool boxed : {false, true}) {
    const ScopedTrace way(boxed ? "called boxed" : "called typed");
    CallOptions how;
    if (boxed) how.boxed = true;
    if (!boxed) how.signature = row.signature;
    const auto called = subject.dispatch().call(kOp, sent, how);
    expect_arguments(called, sent, t);
    expect_equal(called.result, wanted_result(row, sent, t));
  }
}

std::string case_name(const char* kernel, const Row& row, std::size_t number) {
  std::string name = std::string(kernel) + "_" + std::to_string(number) + "_";
  for (const char* c = row.signature; *c != 0; ++c) {
    const bool letter = std::isalnum(static_cast<unsigned char>(*c)) != 0;
    if (letter) name += *c;
    if (!letter && !name.ends_with('_')) name += '_';
  }
  return name.substr(0, 72);
}

void register_cases(const std::vector<Row>& rows, std::size_t first) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Row& row = rows[i];
    for (const bool typed : {true, false}) {
      conformance(case_name(typed ? "typed" : "boxed", row, first + i), {"DSP-612", "DSP-607"},
                  [&row, typed](Session& subject) { round_trip(subject, row, typed); });
    }
  }
}

}  // namespace

CASES("dispatch/menu") {
  register_cases(kMenu, 0);
  register_cases(kContainers, kMenu.size());
  register_cases(kReturns, kMenu.size() + kContainers.size());
}

}  // namespace assay::suites
