// The key that a call reaches, and the set that its kernel receives.
#include "harness/suite/cases.hpp"
#include "harness/suite/clients/core.hpp"
#include "harness/suite/reading.hpp"
#include "suites/dispatch/scopes.hpp"

namespace assay::suites {
namespace {

/// An operator with kernels for several backends and one for all others, none for autograd.
class Operator {
 public:
  /// `schema` is `keys::NAME(…)` and returns one tensor.
  Operator(Session& subject, const std::string& schema)
      : subject_(&subject), name_(schema.substr(0, schema.find('('))) {
    DispatchClient dispatch = subject.dispatch();
    kept_.push_back(dispatch.def(schema));
    for (const char* key :
         {"CPU", "CUDA", "XLA", "SparseCPU", "QuantizedCPU", "CompositeExplicitAutograd"}) {
      const DispatchObject kernel = dispatch.kernel({.behaviour = "value",
                                                     .label = std::string(key),
                                                     .values = std::vector<Value>{f32({0})}});
      kept_.push_back(dispatch.impl(name_, kernel, {.key = key}));
      kept_.push_back(kernel);
    }
  }

  const std::string& name() const { return name_; }
  Called typed(std::vector<Value> args, const std::string& signature) const {
    return subject_->dispatch().call(name_, std::move(args), {.signature = signature});
  }
  Called boxed(std::vector<Value> args) const {
    return subject_->dispatch().call(name_, std::move(args), {.boxed = true});
  }

 private:
  Session* subject_;
  std::string name_;
  std::vector<DispatchObject> kept_;
};

/// The last kernel is the operator's own; the kernels before it are the runtime's.
void expect_reached(Session& subject, const Called& called, const std::string& key,
                    const KeySet& keys, Where where = Where::current()) {
  expect_true(!called.ran.empty(), "a kernel has run", where);
  expect_equal(last_of(called.ran).key, key, where);
  expect_bits_equal(last_of(called.ran).keys, subject.dispatch().set(keys).set, where);
}

const KeySet kNothing = KeySet(KeyBits{0});
constexpr const char* kOneTensor = "Tensor(const Tensor&)";
constexpr const char* kTwoTensors = "Tensor(const Tensor&,const Tensor&)";

DispatchObject probe(Session& subject, const char* device) {
  return subject.dispatch().tensor({.device = device});
}
DispatchObject sparse(Session& subject) {
  return subject.dispatch().tensor({.device = "cpu", .layout = "sparse"});
}
DispatchObject quantised(Session& subject) {
  return subject.dispatch().tensor({.device = "cpu", .dtype = Dtype::kQint8});
}

/// The same call, boxed and typed.
void expect_both(Session& subject, const Operator& op, const std::vector<Value>& args,
                 const std::string& signature, const std::string& key, const KeySet& keys,
                 Where where = Where::current()) {
  {
    const ScopedTrace at{"typed"};
    expect_reached(subject, op.typed(args, signature), key, keys, where);
  }
  const ScopedTrace at{"boxed"};
  expect_reached(subject, op.boxed(args), key, keys, where);
}

/// The call inside guards.
Called called_within(Session& subject, const Program& enter, const Operator& op,
                     const std::vector<Value>& args) {
  const auto replies =
      within(subject, enter, [&](DispatchClient d) { d.call(op.name(), args, {.boxed = true}); });
  return called_from(replies.at(0));
}

}  // namespace

CASES("dispatch/key_computation") {
  conformance("a_tensor_brings_its_keys", {"DSP-204", "DSP-205", "DSP-208"}, [](Session& subject) {
    const Operator op(subject, "keys::t(Tensor a) -> Tensor");

    expect_both(subject, op, {probe(subject, "cpu")}, kOneTensor, "CPU", "CPU");
    expect_both(subject, op, {probe(subject, "cuda")}, kOneTensor, "CUDA", "CUDA");
  });

  conformance("the_undefined_tensor_reaches_the_slot_of_no_key", {"DSP-204", "DSP-205", "DSP-218"},
              [](Session& subject) {
                const Operator op(subject, "keys::t(Tensor a) -> Tensor");
                const Ref nothing = subject.core().undefined();

                expect_both(subject, op, {nothing}, kOneTensor, "Undefined", kNothing);
                expect_reached(subject, op.boxed({None{}}), "Undefined", kNothing);
              });

  conformance("an_optional_tensor_brings_keys_when_it_is_there", {"DSP-204", "DSP-205"},
              [](Session& subject) {
                const Operator op(subject, "keys::o(Tensor? a) -> Tensor");
                const char* signature = "Tensor(optional<Tensor>)";

                expect_both(subject, op, {None{}}, signature, "Undefined", kNothing);
                expect_both(subject, op, {probe(subject, "cuda")}, signature, "CUDA", "CUDA");
              });

  conformance("a_list_brings_the_keys_of_its_tensors", {"DSP-204", "DSP-205"},
              [](Session& subject) {
                const Operator op(subject, "keys::l(Tensor[] a) -> Tensor");
                const char* signature = "Tensor(TensorList)";
                const DispatchObject cpu = probe(subject, "cpu");
                const DispatchObject cuda = probe(subject, "cuda");

                expect_both(subject, op, {List{}}, signature, "Undefined", kNothing);
                expect_both(subject, op, {List{{cpu, cuda}}}, signature, "CUDA", {"CPU", "CUDA"});
                expect_both(subject, op, {List{{subject.core().undefined(), cuda}}}, signature,
                            "CUDA", "CUDA");
              });

  conformance("a_list_of_optionals_brings_the_keys_of_those_that_are_there", {"DSP-204", "DSP-205"},
              [](Session& subject) {
                const Operator op(subject, "keys::ol(Tensor?[] a) -> Tensor");
                const char* signature = "Tensor(List<optional<Tensor>>)";
                const DispatchObject cuda = probe(subject, "cuda");

                expect_both(subject, op, {List{{None{}, cuda}}}, signature, "CUDA", "CUDA");
                expect_both(subject, op, {List{{cuda, None{}}}}, signature, "CUDA", "CUDA");
                expect_both(subject, op, {List{{None{}}}}, signature, "Undefined", kNothing);
              });

  conformance("an_optional_list_and_a_dict_bring_nothing", {"DSP-204", "DSP-205"},
              [](Session& subject) {
                const DispatchObject cuda = probe(subject, "cuda");
                const Operator lists(subject, "keys::lo(Tensor[]? a) -> Tensor");
                const Operator dicts(subject, "keys::d(Dict(str, Tensor) a) -> Tensor");

                expect_both(subject, lists, {List{{cuda}}}, "Tensor(optional<TensorList>)",
                            "Undefined", kNothing);
                expect_both(subject, dicts, {Dict{{{"a", cuda}}}}, "Tensor(Dict<string,Tensor>)",
                            "Undefined", kNothing);
              });

  conformance("tuples_and_numbers_bring_nothing", {"DSP-205"}, [](Session& subject) {
    const Operator tuples(subject, "keys::tu((Tensor, int) a) -> Tensor");
    const Operator numbers(subject, "keys::n(int a) -> Tensor");

    expect_reached(subject, tuples.boxed({Tuple{{probe(subject, "cuda"), 1}}}), "Undefined",
                   kNothing);
    expect_reached(subject, numbers.boxed({1}), "Undefined", kNothing);
  });

  conformance("two_tensors_unite_in_either_order", {"DSP-204", "DSP-219"}, [](Session& subject) {
    const Operator op(subject, "keys::two(Tensor a, Tensor b) -> Tensor");
    const DispatchObject cpu = probe(subject, "cpu");
    const DispatchObject cuda = probe(subject, "cuda");
    const DispatchObject xla = probe(subject, "xla");

    expect_both(subject, op, {cpu, cuda}, kTwoTensors, "CUDA", {"CPU", "CUDA"});
    expect_both(subject, op, {cuda, cpu}, kTwoTensors, "CUDA", {"CPU", "CUDA"});
    expect_both(subject, op, {xla, cuda}, kTwoTensors, "XLA", {"XLA", "CUDA"});
    expect_both(subject, op, {subject.core().undefined(), cpu}, kTwoTensors, "CPU", "CPU");
  });

  conformance("functionalities_and_backends_unite_apart", {"DSP-219", "DSP-208"},
              [](Session& subject) {
                const Operator op(subject, "keys::two(Tensor a, Tensor b) -> Tensor");

                expect_both(subject, op, {probe(subject, "cpu"), sparse(subject)}, kTwoTensors,
                            "SparseCPU", {"CPU", "SparseCPU"});
                expect_both(subject, op, {probe(subject, "cuda"), sparse(subject)}, kTwoTensors,
                            "SparseCUDA", {"CPU", "CUDA", "SparseCPU"});
                expect_both(subject, op, {quantised(subject), sparse(subject)}, kTwoTensors,
                            "SparseCPU", {"QuantizedCPU", "SparseCPU"});
              });

  conformance(
      "a_generator_counts_in_typed_calls_alone", {"DSP-206", "CORE-18"}, [](Session& subject) {
        const Operator op(subject, "keys::g(Generator? a) -> Tensor");
        const Generator cpu{{"cpu", -1}, 1};

        expect_reached(subject, op.typed({cpu}, "Tensor(optional<Generator>)"), "CPU", "CPU");
        expect_reached(subject, op.boxed({cpu}), "Undefined", kNothing);
        expect_reached(subject, op.typed({None{}}, "Tensor(optional<Generator>)"), "Undefined",
                       kNothing);
      });

  conformance("an_array_of_tensors_counts_both_ways", {"DSP-206"}, [](Session& subject) {
    const Operator op(subject, "keys::a(Tensor[2] a) -> Tensor");
    const List pair{{probe(subject, "cuda"), probe(subject, "cpu")}};

    expect_both(subject, op, {pair}, "Tensor(array<Tensor,2>)", "CUDA", {"CPU", "CUDA"});
  }).only(Deviations::kStrict);

  conformance("in_pytorch_an_array_counts_in_boxed_calls_alone", {"DSP-206"}, [](Session& subject) {
    const Operator op(subject, "keys::a(Tensor[2] a) -> Tensor");
    const List pair{{probe(subject, "cuda"), probe(subject, "cpu")}};

    expect_reached(subject, op.boxed({pair}), "CUDA", {"CPU", "CUDA"});
    expect_reached(subject, op.typed({pair}, "Tensor(array<Tensor,2>)"), "Undefined", kNothing);
  }).only(Deviations::kCompat);

  conformance(
      "excluding_one_backend_excludes_dense_kernels_of_all", {"DSP-213", "DSP-208"},
      [](Session& subject) {
        const Operator one(subject, "keys::t(Tensor a) -> Tensor");
        const Operator two(subject, "keys::two(Tensor a, Tensor b) -> Tensor");
        const Program exclude = [](DispatchClient d) { d.exclude("CPU"); };
        const DispatchObject cpu = probe(subject, "cpu");

        expect_reached(subject, called_within(subject, exclude, one, {cpu}), "Undefined",
                       KeySet(KeyBits{1}));
        expect_reached(subject, called_within(subject, exclude, one, {probe(subject, "cuda")}),
                       "Undefined", KeySet(KeyBits{2}));
        expect_reached(subject, called_within(subject, exclude, two, {cpu, sparse(subject)}),
                       "SparseCPU", "SparseCPU");
      });

  conformance("including_a_backend_redirects_calls", {"DSP-214", "DSP-208"}, [](Session& subject) {
    const Operator one(subject, "keys::t(Tensor a) -> Tensor");
    const Operator number(subject, "keys::n(int a) -> Tensor");
    const Program include = [](DispatchClient d) { d.include("CUDA"); };

    expect_reached(subject, called_within(subject, include, one, {probe(subject, "cpu")}), "CUDA",
                   {"CPU", "CUDA"});
    expect_reached(subject, called_within(subject, include, number, {1}), "CUDA", "CUDA");
  });

  conformance("what_is_included_and_excluded_is_excluded", {"DSP-208"}, [](Session& subject) {
    const Operator op(subject, "keys::t(Tensor a) -> Tensor");
    const Program enter = [](DispatchClient d) {
      d.include("SparseCPU");
      d.exclude("SparseCPU");
    };

    expect_reached(subject, called_within(subject, enter, op, {probe(subject, "cpu")}), "CPU",
                   "CPU");
  });

  conformance("sixty_four_arguments_are_the_most", {"DSP-207"}, [](Session& subject) {
    const auto schema = [](int count) {
      std::string text = "keys::many(";
      for (int i = 0; i < count; ++i) text += (i == 0 ? "int a" : ", int a") + std::to_string(i);
      return text + ") -> ()";
    };
    const DispatchObject most = subject.dispatch().def(schema(64));
    expect_true(subject.dispatch().find("keys::many", true), "64 arguments are accepted");
    most.drop();

    expect_error([&] { subject.dispatch().def(schema(65)); }, ErrorKind::kError, {"65", "64"});
  });

  conformance("a_failed_definition_leaves_no_trace", {"DSP-207"}, [](Session& subject) {
    std::string schema = "keys::many(int a";
    for (int i = 1; i < 65; ++i) schema += ", int a" + std::to_string(i);
    expect_error([&] { subject.dispatch().def(schema + ") -> ()"); }, ErrorKind::kError, {"65"});

    expect_false(subject.dispatch().find("keys::many"), "the refused operator is not defined");
    const DispatchObject good = subject.dispatch().def("keys::many(int a) -> ()");
    expect_true(subject.dispatch().find("keys::many", true), "a valid definition succeeds");
  }).only(Deviations::kStrict);
}

CASES("dispatch/stack") {
  conformance("a_callee_pops_its_arguments_and_nothing_below", {"CORE-17"}, [](Session& subject) {
    const DispatchObject def = subject.dispatch().def("keys::two(Tensor a, int b) -> (int, str)");
    const DispatchObject kernel = subject.dispatch().kernel(
        {.behaviour = "value", .values = std::vector<Value>{5, "second"}});
    const DispatchObject impl = subject.dispatch().impl("keys::two", kernel, {.key = "CPU"});

    const Called called = subject.dispatch().call(
        "keys::two", {f32({1}), 4}, {.boxed = true, .below = std::vector<Value>{"below", 7}});

    expect_equal(called.result, List{{5, "second"}});
    expect_equal(Value(List{called.stack}), List{{"below", 7}});
  }).only(DeviceRules::kCpu);

  conformance("arguments_come_from_the_left", {"CORE-17"}, [](Session& subject) {
    const DispatchObject def =
        subject.dispatch().def("keys::three(Tensor a, int b, str c) -> Tensor");
    const DispatchObject kernel =
        subject.dispatch().kernel({.behaviour = "value", .values = std::vector<Value>{f32({0})}});
    const DispatchObject impl =
        subject.dispatch().impl("keys::three", kernel, {.key = "CompositeExplicitAutograd"});

    const Called called =
        subject.dispatch().call("keys::three", {f32({1}), 4, "c"}, {.boxed = true});

    const std::vector<Value>& arguments = last_of(called.ran).arguments;
    expect_equal(static_cast<std::int64_t>(arguments.size()), 3);
    expect_equal(arguments.at(1), 4);
    expect_equal(arguments.at(2), "c");
    expect_equal(Value(List{called.stack}), List{});
  });
}

}  // namespace assay::suites
