// Schemas inferred from C++ functions, and comparison with declared ones.
#include "harness/suite/cases.hpp"
#include "suites/dispatch/schema/schemas.hpp"

namespace assay::suites {
namespace {

struct InferRow {
  const char* signature;
  const char* schema;
};

constexpr InferRow kInferred[] = {
    {"void()", "f() -> ()"},
    {"int64_t()", "f() -> int _0"},
    {"void(int64_t)", "f(int _0) -> ()"},
    {"void(const int64_t&)", "f(int _0) -> ()"},
    {"Tensor(Tensor)", "f(Tensor _0) -> Tensor _0"},
    {"Tensor(const Tensor&)", "f(Tensor _0) -> Tensor _0"},
    {"Tensor&(Tensor&)", "f(Tensor _0) -> Tensor _0"},
    {"Tensor(optional<Tensor>)", "f(Tensor? _0) -> Tensor _0"},
    {"Tensor(const optional<Tensor>&)", "f(Tensor? _0) -> Tensor _0"},
    {"Tensor(TensorList)", "f(Tensor[] _0) -> Tensor _0"},
    {"Tensor(List<optional<Tensor>>)", "f(Tensor?[] _0) -> Tensor _0"},
    {"Tensor(optional<TensorList>)", "f(Tensor[]? _0) -> Tensor _0"},
    {"Tensor(array<Tensor,2>)", "f(Tensor[] _0) -> Tensor _0"},
    {"Tensor(Dict<string,Tensor>)", "f(Dict(str, Tensor) _0) -> Tensor _0"},
    {"Tensor(Generator)", "f(Generator? _0) -> Tensor _0"},
    {"Tensor(optional<Generator>)", "f(Generator? _0) -> Tensor _0"},
    {"Tensor(const Tensor&,double)", "f(Tensor _0, float _1) -> Tensor _0"},
    {"Tensor(const Tensor&,bool)", "f(Tensor _0, bool _1) -> Tensor _0"},
    {"Tensor(const Tensor&,string)", "f(Tensor _0, str _1) -> Tensor _0"},
    {"Tensor(const Tensor&,const Scalar&)", "f(Tensor _0, Scalar _1) -> Tensor _0"},
    {"Tensor(const Tensor&,Device)", "f(Tensor _0, Device _1) -> Tensor _0"},
    {"Tensor(const Tensor&,ScalarType)", "f(Tensor _0, ScalarType _1) -> Tensor _0"},
    {"Tensor(const Tensor&,IntList,optional<int64_t>)",
     "f(Tensor _0, int[] _1, int? _2) -> Tensor _0"},
    {"tuple<Tensor,Tensor>(const Tensor&)", "f(Tensor _0) -> (Tensor _0, Tensor _1)"},
    {"tuple<int64_t,Tensor>(const Tensor&)", "f(Tensor _0) -> (int _0, Tensor _1)"},
    {"tuple<Tensor&,Tensor&>(const Tensor&,Tensor&,Tensor&)",
     "f(Tensor _0, Tensor _1, Tensor _2) -> (Tensor _0, Tensor _1)"},
};

struct DifferenceRow {
  const char* declared;
  const char* inferred;
  const char* reason;  ///< empty where they fit
};

constexpr DifferenceRow kDifferences[] = {
    {"f(Tensor a, int b) -> ()", "f(Tensor _0) -> ()",
     "The number of arguments is different. 2 vs 1"},
    {"f(Tensor a) -> (int, int)", "f(Tensor _0) -> int",
     "The number of returns is different. 2 vs 1"},
    {"f(Tensor a, int b) -> ()", "f(Tensor _0, float _1) -> ()",
     "Type mismatch in argument 2: int vs float"},
    {"f(Tensor a) -> int", "f(Tensor _0) -> Tensor", "Type mismatch in return 1: int vs Tensor"},
    {"f(Tensor? a) -> ()", "f(Tensor _0) -> ()", "Type mismatch in argument 1: Tensor? vs Tensor"},
    {"f(Tensor[] a) -> ()", "f(Tensor?[] _0) -> ()",
     "Type mismatch in argument 1: Tensor[] vs Tensor?[]"},
    // Reports the first difference: counts before types, arguments before returns.
    {"f(int a) -> (int, int)", "f(float _0) -> int", "The number of returns is different. 2 vs 1"},
    {"f(int a, int b) -> (int, int)", "f(float _0) -> int",
     "The number of arguments is different. 2 vs 1"},
    {"f(int a) -> int", "f(float _0) -> float", "Type mismatch in argument 1: int vs float"},
    // None of these differences counts.
    {"f(Tensor a) -> ()", "f(Tensor _0) -> ()", ""},
    {"f(int a=1) -> ()", "f(int _0) -> ()", ""},
    {"f(*, int a) -> ()", "f(int _0) -> ()", ""},
    {"f(Tensor(a!) a) -> Tensor(a!)", "f(Tensor _0) -> Tensor", ""},
    {"f(int[2] a) -> ()", "f(int[] _0) -> ()", ""},
    {"f(int a) -> int b", "g.x(int _0) -> int _0", ""},
};

/// Types that kernels may not have (DSP-313); in C++ they do not compile.
constexpr const char* kNotInferable[] = {
    "void(float)",
    "void(int)",
    "void(uint64_t)",
    "void(const char*)",
    "void(vector<bool>)",
    "void(List<Scalar>)",
    "void(Dict<string,Scalar>)",
    "void(Dict<Tensor,int64_t>)",
    "float(const Tensor&)",
};

}  // namespace

CASES("dispatch/inference") {
  conformance("a_signature_has_a_schema", {"DSP-313"}, [](Session& subject) {
    for (const InferRow& row : kInferred) {
      const ScopedTrace at{row.signature};

      expect_equal(subject.dispatch().infer(row.signature, "f").text, row.schema);
    }
  });

  conformance("a_long_signature_has_a_schema", {"DSP-313"}, [](Session& subject) {
    const InferredSchema inferred = subject.dispatch().infer(
        "tuple<Tensor,Tensor,int64_t>(const Tensor&,optional<Tensor>,TensorList,int64_t,double,"
        "bool,const Scalar&,string)",
        "ns1::f");

    expect_equal(inferred.text,
                 "ns1::f(Tensor _0, Tensor? _1, Tensor[] _2, int _3, float _4, bool _5, Scalar "
                 "_6, str _7) -> (Tensor _0, Tensor _1, int _2)");
    expect_equal(inferred.alias_kind, "CONSERVATIVE");
  });

  conformance("kernels_took_names_of_dimensions", {"DSP-313"}, [](Session& subject) {
    expect_equal(subject.dispatch().infer("void(Dimname,vector<Dimname>)", "f").text,
                 "f(str _0, str[] _1) -> ()");
  }).until(Release::k2_12);

  conformance("no_kernel_takes_the_name_of_a_dimension", {"DSP-313"}, [](Session& subject) {
    expect_error([&] { subject.dispatch().infer("void(Dimname)", "f"); }, ErrorKind::kError);
  }).since(Release::k2_13);

  conformance("some_types_are_in_no_kernels_signature", {"DSP-313"}, [](Session& subject) {
    for (const char* signature : kNotInferable) {
      const ScopedTrace at{signature};

      expect_error([&] { subject.dispatch().infer(signature, "f"); }, ErrorKind::kError);
    }
  });

  conformance("schemas_are_compared_by_counts_and_types", {"DSP-314"}, [](Session& subject) {
    for (const DifferenceRow& row : kDifferences) {
      const ScopedTrace at{std::string(row.declared) + " | " + row.inferred};

      expect_difference(subject, row.declared, row.inferred, row.reason);
    }
  });
}

}  // namespace assay::suites
