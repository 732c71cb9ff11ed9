// Arguments and results between typed and boxed calls: returned values, and checks.
#include "harness/suite/clients/core.hpp"
#include "harness/suite/reading.hpp"
#include "suites/dispatch/probing.hpp"

namespace assay::suites {
namespace {

const std::string kOp = "box::f";
const char* const kEverywhere = "CompositeExplicitAutograd";

DispatchObject define(Session& subject, const std::string& schema) {
  return subject.dispatch().def(kOp + schema);
}

/// A boxed kernel that returns these values.
DispatchObject pushing(Session& subject, std::vector<Value> values) {
  return subject.dispatch().kernel(
      {.behaviour = "value", .label = "pushing", .values = std::move(values)});
}

DispatchObject implement(Session& subject, const DispatchObject& kernel) {
  return subject.dispatch().impl(kOp, kernel, {.key = kEverywhere});
}

DispatchObject tensor(Session& subject) { return probe(subject, "CPU"); }

}  // namespace

CASES("dispatch/boxing") {
  conformance("a_boxed_kernel_sees_every_kind_of_argument", {"DSP-607"}, [](Session& subject) {
    define(subject,
           "(Tensor x, Tensor? o, Tensor[] l, int n, float a, bool b, Scalar s, str t, int[] i, "
           "float[] f, Device d, ScalarType e) -> Tensor");
    implement(subject, boxed_kernel(subject, "boxed"));
    const auto x = device_tensor(subject, "cpu");
    const std::vector<Value> args{x,
                                  None{},
                                  List{{x}},
                                  3,
                                  1.5,
                                  true,
                                  3.5,
                                  "text",
                                  List{{1, 2}},
                                  List{{0.5}},
                                  Device{"cuda", 1},
                                  Dtype::kFloat16};

    const auto called = subject.dispatch().call(
        kOp, args,
        {.signature = "Tensor(const Tensor&,optional<Tensor>,TensorList,int64_t,double,bool,const "
                      "Scalar&,string,IntList,FloatList,Device,ScalarType)"});

    const auto& got = last_of(called.ran).arguments;
    const List wanted{{Dtype::kFloat32, None{}, List{{Dtype::kFloat32}}, 3, 1.5, true, 3.5, "text",
                       List{{1, 2}}, List{{0.5}}}};
    for (std::size_t i = 0; i < wanted.items.size(); ++i) {
      const ScopedTrace argument("argument " + std::to_string(i));
      expect_equal(got.at(i), wanted.items[i]);
    }
    // A boxed dtype is its number (CORE-15).
    const bool number = got.at(11).is<std::int64_t>() || got.at(11).is<Opaque>() ||
                        got.at(11).is<std::string>() || got.at(11).is<Dtype>();
    expect_true(number, "the type arrives as the number that it is in a box");
  });

  conformance("what_was_boxed_is_unboxed_as_it_was", {"DSP-607", "DSP-606"}, [](Session& subject) {
    struct Row {
      const char* type;
      const char* signature;
      Value value;
    };
    const std::vector<Row> rows{{"bool", "Tensor(const Tensor&,bool)", true},
                                {"int", "Tensor(const Tensor&,int64_t)", 3},
                                {"float", "Tensor(const Tensor&,double)", 2.0},
                                {"str", "Tensor(const Tensor&,string)", "text"}};
    for (const Row& row : rows) {
      const ScopedTrace place(row.type);
      const auto def = define(subject, std::string("(Tensor x, ") + row.type + " a) -> Tensor");
      const auto wrapper = subject.dispatch().impl(
          kOp, subject.dispatch().kernel({.behaviour = "redispatch", .label = "boxed"}),
          {.key = "AutogradCPU"});
      const auto typed = subject.dispatch().impl(kOp, typed_kernel(subject, "typed", row.signature),
                                                 {.key = "CPU"});
      const auto called = subject.dispatch().call(
          kOp, {probe(subject, {"CPU", "AutogradCPU"}), row.value}, {.signature = row.signature});
      expect_text(called.labels(), "boxed typed");
      expect_equal(last_of(called.ran).arguments.at(1), row.value);
      for (const DispatchObject& one : {wrapper, typed, def}) one.drop();
    }
  });

  conformance("each_number_keeps_its_kind", {"DSP-607", "DSP-610"}, [](Session& subject) {
    define(subject, "(Tensor x, Scalar s) -> Tensor");
    const auto x = tensor(subject);
    const char* const signature = "Tensor(const Tensor&,const Scalar&)";
    for (const bool typed_first : {true, false}) {
      const auto impl = implement(subject, typed_first ? typed_kernel(subject, "k", signature)
                                                       : boxed_kernel(subject, "k"));
      for (const Value& number : {Value(true), Value(1), Value(1.0), Value(-0.0)}) {
        CallOptions boxed{.boxed = true};
        CallOptions typed{.signature = signature};
        for (const auto& how : {boxed, typed}) {
          const auto called = subject.dispatch().call(kOp, {x, number}, how);
          expect_equal(last_of(called.ran).arguments.at(1), number);
        }
      }
      impl.drop();
    }
  });

  conformance("a_value_is_what_the_kernel_pushed", {"DSP-608"}, [](Session& subject) {
    define(subject, "(Tensor x) -> Tensor");
    const auto other = tensor(subject);
    implement(subject, pushing(subject, {other}));
    const auto x = tensor(subject);
    for (const CallOptions& how :
         {CallOptions{.signature = "Tensor(const Tensor&)"}, CallOptions{.boxed = true}}) {
      expect_equal(subject.dispatch().call(kOp, {x}, how).result, other);
    }
  });

  conformance(
      "several_values_come_in_the_order_they_were_pushed", {"DSP-608"}, [](Session& subject) {
        define(subject, "(Tensor x) -> (Tensor, Tensor, int)");
        const auto first = tensor(subject);
        const auto second = tensor(subject);
        implement(subject, pushing(subject, {first, second, 3}));
        const auto x = tensor(subject);
        for (const CallOptions& how :
             {CallOptions{.signature = "tuple<Tensor,Tensor,int64_t>(const Tensor&)"},
              CallOptions{.boxed = true}}) {
          expect_equal(subject.dispatch().call(kOp, {x}, how).result, List{{first, second, 3}});
        }
      });

  struct Convention {
    const char* name;
    const char* schema;
    const char* signature;
    std::size_t arguments;
    std::vector<std::size_t> returned;
  };
  static const std::vector<Convention> conventions{
      {"in_place", "(Tensor(a!) x) -> Tensor(a!)", "Tensor&(Tensor&)", 1, {0}},
      {"a_constant_reference", "(Tensor x) -> Tensor", "const Tensor&(const Tensor&)", 1, {0}},
      {"an_out_variant",
       "(Tensor x, *, Tensor(a!) out) -> Tensor(a!)",
       "Tensor&(const Tensor&,Tensor&)",
       2,
       {1}},
      {"several_outs",
       "(Tensor x, *, Tensor(a!) o, Tensor(b!) p) -> (Tensor(a!), Tensor(b!))",
       "tuple<Tensor&,Tensor&>(const Tensor&,Tensor&,Tensor&)",
       3,
       {1, 2}},
  };
  for (const Convention& one : conventions) {
    conformance(std::string(one.name) + "_returns_its_argument_typed_and_what_was_pushed_boxed",
                {"DSP-608"}, [&one](Session& subject) {
                  define(subject, one.schema);
                  std::vector<Value> sent;
                  std::vector<Value> pushed;
                  for (std::size_t i = 0; i < one.arguments; ++i) {
                    sent.emplace_back(tensor(subject));
                  }
                  for (std::size_t i = 0; i < one.returned.size(); ++i) {
                    pushed.emplace_back(tensor(subject));
                  }
                  implement(subject, pushing(subject, pushed));
                  std::vector<Value> references;
                  for (const std::size_t index : one.returned) references.push_back(sent[index]);
                  const auto one_or_list = [](const std::vector<Value>& values) {
                    return values.size() == 1 ? values[0] : Value(List{values});
                  };

                  expect_equal(
                      subject.dispatch().call(kOp, sent, {.signature = one.signature}).result,
                      one_or_list(references));
                  expect_equal(subject.dispatch().call(kOp, sent, {.boxed = true}).result,
                               one_or_list(pushed));
                });
  }

  conformance("in_place_with_more_arguments_returns_the_first", {"DSP-608"}, [](Session& subject) {
    define(subject, "(Tensor(a!) x, int n) -> Tensor(a!)");
    implement(subject, pushing(subject, {tensor(subject)}));
    const auto x = tensor(subject);
    expect_equal(
        subject.dispatch().call(kOp, {x, 2}, {.signature = "Tensor&(Tensor&,int64_t)"}).result, x);
  });

  conformance("the_number_of_results_is_checked", {"DSP-609"}, [](Session& subject) {
    define(subject, "(Tensor x) -> (Tensor, Tensor)");
    const auto x = tensor(subject);
    const auto other = tensor(subject);
    const char* const signature = "tuple<Tensor,Tensor>(const Tensor&)";
    for (const std::vector<Value>& pushed : {std::vector<Value>{}, std::vector<Value>{other},
                                             std::vector<Value>{other, other, other}}) {
      const ScopedTrace row("pushed " + std::to_string(pushed.size()));
      const auto impl = implement(subject, pushing(subject, pushed));
      expect_error([&] { subject.dispatch().call(kOp, {x}, {.signature = signature}); },
                   ErrorKind::kInternal, {"2", std::to_string(pushed.size())});
      impl.drop();
    }
  }).only(Deviations::kStrict);

  conformance("the_number_of_results_is_checked_in_place_too", {"DSP-609"}, [](Session& subject) {
    define(subject, "(Tensor(a!) x) -> Tensor(a!)");
    const auto x = tensor(subject);
    implement(subject, pushing(subject, {}));
    expect_error([&] { subject.dispatch().call(kOp, {x}, {.signature = "Tensor&(Tensor&)"}); },
                 ErrorKind::kInternal, {"1", "0"});
  }).only(Deviations::kStrict);

  conformance("pytorch_does_not_count_the_results_of_an_in_place_kernel", {"DSP-609"},
              [](Session& subject) {
                define(subject, "(Tensor(a!) x) -> Tensor(a!)");
                const auto x = tensor(subject);
                implement(subject, pushing(subject, {}));
                expect_equal(
                    subject.dispatch().call(kOp, {x}, {.signature = "Tensor&(Tensor&)"}).result, x);
              })
      .only(Deviations::kCompat);

  conformance("a_result_of_a_wrong_kind_is_an_error", {"DSP-609"}, [](Session& subject) {
    define(subject, "(Tensor x) -> Tensor");
    implement(subject, pushing(subject, {3}));
    const auto x = tensor(subject);
    expect_error([&] { subject.dispatch().call(kOp, {x}, {.signature = "Tensor(const Tensor&)"}); },
                 ErrorKind::kInternal);
  });

  conformance("unboxing_converts_no_int_to_float", {"DSP-610"}, [](Session& subject) {
    define(subject, "(Tensor x, float a) -> Tensor");
    implement(subject, typed_kernel(subject, "typed", "Tensor(const Tensor&,double)"));
    const auto x = tensor(subject);
    expect_error(
        [&] {
          subject.dispatch().call(kOp, {x, 1}, {.boxed = true});
        },
        ErrorKind::kInternal);
    expect_text(reached(subject, kOp, {x, 1.0}), "typed");
  });

  conformance("unboxing_fills_in_no_defaults", {"DSP-610"}, [](Session& subject) {
    define(subject, "(Tensor x, int n=1) -> Tensor");
    implement(subject, typed_kernel(subject, "typed", "Tensor(const Tensor&,int64_t)"));
    const auto x = tensor(subject);
    expect_error(
        [&] {
          subject.dispatch().call(kOp, {x, None{}}, {.boxed = true});
        },
        ErrorKind::kInternal);
  });

  conformance("a_tensor_is_not_read_from_a_number", {"DSP-610"}, [](Session& subject) {
    define(subject, "(Tensor x, int n) -> Tensor");
    implement(subject, typed_kernel(subject, "typed", "Tensor(const Tensor&,int64_t)"));
    expect_error(
        [&] {
          subject.dispatch().call(kOp, {3, 4}, {.boxed = true});
        },
        ErrorKind::kInternal);
  });

  conformance("a_generator_is_not_read_from_none", {"DSP-610"}, [](Session& subject) {
    define(subject, "(Generator? g) -> Tensor");
    implement(subject, typed_kernel(subject, "typed", "Tensor(Generator)"));
    expect_error([&] { subject.dispatch().call(kOp, {None{}}, {.boxed = true}); },
                 ErrorKind::kInternal);
  });

  conformance("a_stack_that_is_too_short_is_an_error", {"DSP-610"}, [](Session& subject) {
    define(subject, "(Tensor x, int n) -> Tensor");
    implement(subject, typed_kernel(subject, "typed", "Tensor(const Tensor&,int64_t)"));
    const auto x = tensor(subject);
    for (const int depth : {0, 1}) {
      expect_error(
          [&] {
            subject.dispatch().call(kOp, {x, 4}, {.boxed = true, .depth = depth});
          },
          ErrorKind::kError, {kOp, "2", std::to_string(depth)});
    }
  }).only(Deviations::kStrict);

  conformance("exactly_the_declared_arguments_are_taken_from_the_top", {"DSP-610", "DSP-604"},
              [](Session& subject) {
                define(subject, "(Tensor x, int n) -> Tensor");
                implement(subject, typed_kernel(subject, "typed", "Tensor(const Tensor&,int64_t)"));
                const auto below = tensor(subject);
                const auto x = tensor(subject);
                const auto called = subject.dispatch().call(
                    kOp, {x, 4}, {.boxed = true, .below = std::vector<Value>{below, 9}});
                expect_equal(called.result, x);
                expect_equal(last_of(called.ran).arguments.at(1), 4);
                expect_equal(List{called.stack}, List{{below, 9}});
              });

  conformance(
      "what_a_kernel_took_by_value_is_gone_when_it_raises", {"DSP-611"}, [](Session& subject) {
        for (const auto& [signature, left] :
             {std::pair{"Tensor(Tensor)", true}, {"Tensor(const Tensor&)", false}}) {
          const ScopedTrace row(signature);
          const auto def = define(subject, "(Tensor a) -> Tensor");
          const auto kernel = subject.dispatch().kernel({.behaviour = "raise",
                                                         .signature = signature,
                                                         .kind = "value",
                                                         .message = "by the kernel"});
          const auto impl = implement(subject, kernel);
          const auto x = tensor(subject);
          const auto stack = subject.core().ivalue(List{{"below"}}).ref;

          expect_error([&] { subject.dispatch().call(kOp, {x}, {.boxed = true, .stack = stack}); },
                       ErrorKind::kValue);

          expect_equal(subject.core().ivalue_to(stack, "List"),
                       List{{"below", left ? Value() : Value(x)}});
          impl.drop();
          def.drop();
        }
      });
}

}  // namespace assay::suites
