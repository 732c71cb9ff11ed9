// Backward: gradients of operators, on values that are exact in any order of summation;
// accumulation; hooks; freed graphs.
#include "suites/autograd/graph.hpp"

namespace assay::suites::graph {
namespace {

struct Operand {
  std::vector<std::int64_t> shape;
  std::vector<double> elements;
  std::vector<double> gradient;  ///< expected
};

struct Row {
  const char* op;
  std::vector<Operand> operands;
  std::vector<std::int64_t> shape;
  std::vector<double> incoming;  ///< gradient of the result
  std::vector<Value> more = {};
  bool list = false;  ///< the operands are a single list argument
};

const std::vector<double> kA = {1, 2, 3, 4};
const std::vector<double> kB = {5, 6, 7, 8};

std::vector<Row> rows() {
  return {
      {"aten::mm", {{{2, 2}, kA, {17, 23, 39, 53}}, {{2, 2}, kB, {10, 14, 14, 20}}}, {2, 2}, kA},
      {"aten::addmm",
       {{{2, 2}, kB, kA}, {{2, 2}, kA, {17, 23, 39, 53}}, {{2, 2}, kB, {10, 14, 14, 20}}},
       {2, 2},
       kA},
      {"aten::linear",
       {{{2, 2}, kA, {19, 22, 43, 50}}, {{2, 2}, kB, {10, 14, 14, 20}}, {{2}, {1, 2}, {4, 6}}},
       {2, 2},
       kA},
      {"aten::bmm",
       {{{1, 2, 2}, kA, {17, 23, 39, 53}}, {{1, 2, 2}, kB, {10, 14, 14, 20}}},
       {1, 2, 2},
       kA},
      {"aten::mv", {{{2, 2}, kA, {5, 6, 10, 12}}, {{2}, {5, 6}, {7, 10}}}, {2}, {1, 2}},
      {"aten::dot", {{{2}, {1, 2}, {15, 20}}, {{2}, {3, 4}, {5, 10}}}, {}, {5}},
      {"aten::matmul", {{{2, 2}, kA, {5, 6, 10, 12}}, {{2}, {5, 6}, {7, 10}}}, {2}, {1, 2}},
      {"aten::add.Tensor", {{{2, 2}, kA, kA}, {{2, 2}, kB, kA}}, {2, 2}, kA},
      {"aten::add.Tensor", {{{2, 2}, kB, kA}, {{2}, {1, 2}, {4, 6}}}, {2, 2}, kA},
      {"aten::sub.Tensor", {{{2}, {1, 2}, {3, 4}}, {{2}, {5, 6}, {-3, -4}}}, {2}, {3, 4}},
      {"aten::mul.Tensor", {{{2}, {1, 2}, {15, 24}}, {{2}, {3, 4}, {5, 12}}}, {2}, {5, 6}},
      {"aten::div.Tensor", {{{2}, {8, 6}, {1, 1}}, {{2}, {4, 2}, {-2, -3}}}, {2}, {4, 2}},
      {"aten::neg", {{{2}, {1, 2}, {-3, -4}}}, {2}, {3, 4}},
      {"aten::relu", {{{3}, {-1, 0, 2}, {0, 0, 7}}}, {3}, {5, 6, 7}},
      {"aten::sum", {{{2, 2}, kA, {3, 3, 3, 3}}}, {}, {3}},
      {"aten::mean", {{{2, 2}, kA, {2, 2, 2, 2}}}, {}, {8}},
      {"aten::mse_loss", {{{2}, {1, 5}, {-2, 2}}, {{2}, {3, 3}, {2, -2}}}, {}, {1}},
      {"aten::norm.Scalar", {{{2}, {3, 4}, {3, 4}}}, {}, {5}, {2}},
      {"aten::cat", {{{2}, {1, 2}, {5, 6}}, {{1}, {3}, {7}}}, {3}, {5, 6, 7}, {0}, true},
      {"aten::stack", {{{2}, {1, 2}, {5, 6}}, {{2}, {3, 4}, {7, 8}}}, {2, 2}, kB, {0}, true},
  };
}

void expect_row(Session& subject, const Row& row, Dtype dtype) {
  std::vector<Ref> leaves;
  List tensors;
  for (const Operand& operand : row.operands) {
    leaves.push_back(leaf(subject, values(dtype, operand.shape, operand.elements)));
    tensors.items.emplace_back(leaves.back());
  }
  std::vector<Value> args = row.list ? std::vector<Value>{tensors} : tensors.items;
  args.insert(args.end(), row.more.begin(), row.more.end());

  const Ref out = call(subject, row.op, args);
  subject.autograd().backward(out, values(dtype, row.shape, row.incoming));

  for (std::size_t i = 0; i < leaves.size(); ++i) {
    const Operand& operand = row.operands[i];
    expect_grad(subject, leaves[i], values(dtype, operand.shape, operand.gradient));
  }
}

/// An operator on a leaf of two elements, and whether it saves something for its backward.
struct Use {
  const char* op;
  std::vector<Value> before;  ///< arguments on the left of the leaf
  std::vector<Value> behind;
  bool saves = true;
};

const std::vector<Use>& uses() {
  static const std::vector<Use> all = {
      {"mul", {}, {f32({1, 2})}}, {"mul", {}, {2.0}},        {"mul", {2.0}, {}},
      {"div", {}, {f32({1, 2})}}, {"div", {}, {2.0}},        {"div", {2.0}, {}},
      {"relu", {}, {}},           {"norm", {}, {}},          {"softmax", {}, {0}},
      {"dot", {}, {f32({1, 2})}}, {"add", {}, {2.0}, false}, {"add", {2.0}, {}, false},
      {"sub", {}, {2.0}, false},  {"sub", {2.0}, {}, false}, {"neg", {}, {}, false},
      {"sum", {}, {}, false},     {"mean", {}, {}, false},   {"layer_norm", {}, {List{{2}}}},
  };
  return all;
}

void expect_goes_again(Session& subject, const Use& use) {
  const ScopedTrace at{std::string(use.op) + (use.before.empty() ? "" : " of a number")};
  const Ref weight = leaf(subject, f32({1, 2}));
  std::vector<Value> args = use.before;
  args.emplace_back(weight);
  args.insert(args.end(), use.behind.begin(), use.behind.end());
  const Ref total = subject.core().op_ref("sum", {subject.core().op_ref(use.op, args)});
  subject.autograd().backward(total);
  const Value once = subject.core().grad(weight);

  if (use.saves) {
    expect_error([&] { subject.autograd().backward(total); }, ErrorKind::kError, {"second time"});
    expect_bits(subject.core().grad(weight), once);
  } else {
    subject.autograd().backward(total);
    expect_bits(subject.core().grad(weight), subject.core().op("mul", {once, 2.0}));
  }
}

/// Requests the gradients of a leaf with a hook that doubles, and of a result whose hook
/// multiplies by eight.
void expect_asked_of_hooked(Session& subject, double of_leaf, double of_result) {
  for (const bool asks_leaf : {true, false}) {
    const Ref weight = leaf(subject, f32({1}));
    const Ref made = call(subject, "aten::relu", {weight});
    subject.autograd().hook(weight, 2.0);
    subject.autograd().hook(made, 8.0);

    const std::vector<Value> found =
        subject.autograd().grad(call(subject, "aten::sum", {made}), {asks_leaf ? weight : made});

    expect_bits(found.at(0), f32({asks_leaf ? of_leaf : of_result}));
  }
}

}  // namespace

CASES("autograd/backward") {
  conformance("gradients_of_the_operators_that_compute", {"CORE-22"}, [](Session& subject) {
    for (const Dtype dtype : kTypes) {
      for (const Row& row : rows()) {
        const ScopedTrace at(std::string(row.op) + " in " + std::string(name_of(dtype)));
        expect_row(subject, row, dtype);
      }
    }
  });

  conformance(
      "a_matrix_in_columns_gets_its_gradient_in_columns", {"CORE-22"}, [](Session& subject) {
        for (const std::string op : {"aten::mm", "aten::addmm"}) {
          for (const bool is_left : {true, false}) {
            const ScopedTrace at(op + (is_left ? ", left" : ", right"));
            const Ref plain = subject.core().tensor(square(Dtype::kFloat32, {1, 2, 3, 4}));
            const Ref columns =
                subject.core().as_strided(plain, {.shape = {2, 2}, .strides = {1, 2}});
            subject.core().requires_grad_(columns, true);
            const Ref rows = leaf(subject, square(Dtype::kFloat32, {5, 6, 7, 8}));
            std::vector<Value> factors{is_left ? columns : rows, is_left ? rows : columns};
            if (op == "aten::addmm") factors.insert(factors.begin(), rows);

            const Ref made = call(subject, op, factors);
            const std::vector<Value> gradients = subject.autograd().grad(
                made, {columns, rows}, square(Dtype::kFloat32, {1, 0, 0, 1}));

            const TensorValue* of_columns = gradients.at(0).tensor();
            const TensorValue* of_rows = gradients.at(1).tensor();
            expect_true(of_columns != nullptr && of_rows != nullptr, "both gradients are tensors");
            expect_equal(of_columns->strides, Shape{1, 2});
            expect_equal(of_rows->strides, Shape{});
          }
        }
      });

  conformance("gradients_have_the_types_of_their_tensors", {"CAST-209"}, [](Session& subject) {
    const Ref low = leaf(subject, bf16({2}));
    const Ref wide = leaf(subject, f32({3}));

    const Ref product = call(subject, "aten::mul.Tensor", {low, wide});
    subject.autograd().backward(product, f32({1}));

    expect_grad(subject, low, bf16({3}));
    expect_grad(subject, wide, f32({2}));
  });

  conformance("a_casts_gradient_is_cast_back", {"CAST-209"}, [](Session& subject) {
    const Ref weight = leaf(subject, f32({1}));
    const Ref low = subject.core().to(weight, {.dtype = Dtype::kBfloat16});

    subject.autograd().backward(low, bf16({3}));

    expect_grad(subject, weight, f32({3}));
  });

  conformance(
      "gradients_of_two_uses_are_added_in_the_type_of_the_tensor", {"CAST-511"},
      [](Session& subject) {
        for (const bool shared : {true, false}) {
          const ScopedTrace at(shared ? "one cast" : "two casts");
          const Ref weight = leaf(subject, f32({1}));
          const auto low = [&] { return subject.core().to(weight, {.dtype = Dtype::kBfloat16}); };
          const Ref first = low();
          const Ref second = shared ? first : low();
          const Ref many = call(subject, "aten::mul.Tensor", {first, bf16({256})});
          const Ref one = call(subject, "aten::mul.Tensor", {second, bf16({1})});

          subject.autograd().backward(call(subject, "aten::add.Tensor", {many, one}), bf16({1}));

          expect_grad(subject, weight, f32({shared ? 256.0 : 257.0}));
        }
      });

  conformance("backward_accumulates_into_the_gradient", {"SCL-704"}, [](Session& subject) {
    const Ref weight = leaf(subject, f32({1}));
    for (const double incoming : {2.0, 3.0}) {
      subject.autograd().backward(call(subject, "aten::relu", {weight}), f32({incoming}));
    }
    expect_grad(subject, weight, f32({5}));
  });

  conformance("accumulation_is_in_the_type_of_the_leaf", {"SCL-704"}, [](Session& subject) {
    const Ref weight = leaf(subject, bf16({1}));
    for (const double incoming : {256.0, 1.0}) {
      subject.autograd().backward(call(subject, "aten::relu", {weight}), bf16({incoming}));
    }
    expect_grad(subject, weight, bf16({256}));
  });

  conformance("a_graph_is_used_once_unless_it_is_retained", {"CAST-513"}, [](Session& subject) {
    const Ref weight = leaf(subject, f32({2}));
    const Ref product = call(subject, "aten::mul.Tensor", {weight, weight});

    subject.autograd().backward(product, f32({1}), true);
    subject.autograd().backward(product, f32({1}));
    expect_grad(subject, weight, f32({8}));
    expect_error([&] { subject.autograd().backward(product, f32({1})); }, ErrorKind::kError,
                 {"second time"});
  });

  conformance("only_what_saved_nothing_goes_backward_again", {"CORE-22"}, [](Session& subject) {
    for (const Use& use : uses()) expect_goes_again(subject, use);
  });

  conformance(
      "a_number_on_the_left_gives_the_tensor_its_gradient", {"CORE-22"}, [](Session& subject) {
        const std::vector<std::pair<const char*, TensorValue>> rows = {{"add", f32({1, 1})},
                                                                       {"sub", f32({-1, -1})},
                                                                       {"mul", f32({8, 8})},
                                                                       {"div", f32({-2, -0.5})}};
        for (const auto& [op, wanted] : rows) {
          const ScopedTrace at{op};
          const Ref weight = leaf(subject, f32({2, 4}));
          const Ref made = subject.core().op_ref(op, {8.0, weight});

          expect_bits(subject.autograd().grad(made, {weight}, f32({1, 1})).at(0), wanted);
        }
      });

  conformance("the_gradient_of_a_number_by_a_tensor_has_a_gradient", {"CORE-22"},
              [](Session& subject) {
                const Ref weight = leaf(subject, f32({2, 4}));
                const Ref made = subject.core().op_ref("div", {8.0, weight});
                subject.send("autograd.grad",
                             {{"output", made},
                              {"inputs", List{{weight}}},
                              {"gradient", f32({1, 1})},
                              {"create_graph", true}},
                             "slopes");

                expect_bits(subject.autograd().grad(Ref{"slopes.0"}, {weight}, f32({1, 1})).at(0),
                            f32({2, 0.25}));
              });

  conformance("more_than_one_element_needs_a_gradient", {"CORE-22"}, [](Session& subject) {
    const Ref weight = leaf(subject, f32({1, 2}));
    const Ref made = call(subject, "aten::relu", {weight});

    expect_error([&] { subject.autograd().backward(made); }, ErrorKind::kError, {"grad"});
  });

  conformance("the_first_gradient_is_converted_to_the_type_of_the_outcome", {"CAST-209"},
              [](Session& subject) {
                const Ref weight = leaf(subject, square(Dtype::kFloat32, {1, 2, 3, 4}));
                const Ref other = subject.core().tensor(square(Dtype::kFloat32, {1, 0, 0, 1}));
                const Ref made = call(subject, "aten::mm", {weight, other});

                subject.autograd().backward(made, square(Dtype::kBfloat16, {5, 6, 7, 8}));

                expect_grad(subject, weight, square(Dtype::kFloat32, {5, 6, 7, 8}));
              });

  conformance("a_single_element_has_the_gradient_one", {"CORE-22"}, [](Session& subject) {
    const Ref weight = leaf(subject, f32({1, 2}));

    subject.autograd().backward(call(subject, "aten::sum", {weight}));

    expect_grad(subject, weight, f32({1, 1}));
  });

  conformance("what_has_no_history_cannot_go_backward", {"CAST-508"}, [](Session& subject) {
    const Ref plain = subject.core().tensor(f32({1}));

    expect_error([&] { subject.autograd().backward(plain); }, ErrorKind::kError, {"require grad"});
  });

  conformance("asked_gradients_are_returned_and_not_accumulated", {"SCL-705"},
              [](Session& subject) {
                const Ref weight = leaf(subject, f32({2}));
                const Ref stranger = leaf(subject, f32({1}));
                const Ref product = call(subject, "aten::mul.Tensor", {weight, weight});

                const std::vector<Value> found =
                    subject.autograd().grad(product, {weight, stranger}, f32({1}));

                expect_bits(found.at(0), f32({4}));
                expect_true(found.at(1).is_none(), "an input without a path has no gradient");
                expect_true(subject.core().grad(weight).is_none(), "no gradient is accumulated");
              });

  conformance("a_hook_multiplies_the_gradient_that_goes_on", {"SCL-708"}, [](Session& subject) {
    const Ref weight = leaf(subject, f32({1}));
    const Ref made = call(subject, "aten::relu", {weight});
    subject.autograd().hook(made, 4.0);

    subject.autograd().backward(made, f32({3}));

    expect_grad(subject, weight, f32({12}));
  });

  conformance("the_leaves_own_hook_too", {"SCL-708"}, [](Session& subject) {
    const Ref weight = leaf(subject, f32({1}));
    subject.autograd().hook(weight, 0.5);

    subject.autograd().backward(call(subject, "aten::relu", {weight}), f32({3}));

    expect_grad(subject, weight, f32({1.5}));
  });

  conformance("an_asked_gradient_is_what_the_hooks_have_made_of_it", {"SCL-708"},
              [](Session& subject) { expect_asked_of_hooked(subject, 16, 8); })
      .since(Release::k2_4);

  conformance("in_1_13_it_is_what_the_hooks_are_given", {"SCL-708"}, [](Session& subject) {
    expect_asked_of_hooked(subject, 8, 1);
  }).until(Release::k1_13);

  conformance("what_leads_to_no_asked_tensor_does_not_run", {"SCL-708"}, [](Session& subject) {
    const Ref weight = leaf(subject, f32({1, 2}));
    const Ref other = leaf(subject, f32({1, 2}));
    const Ref product = call(subject, "aten::mul.Tensor", {weight, weight});
    const Ref total = call(subject, "aten::sum", {product});

    const Value apart = subject.autograd().grad(total, {other}).at(0);
    const Value asked = subject.autograd().grad(total, {product}).at(0);

    expect_true(apart.is_none(), "no path leads to the other leaf");
    expect_bits(asked, strided(f32({1, 1}), {0}));  // an expanded 1
    expect_equal(static_cast<std::int64_t>(subject.autograd().saved(product).size()), 2);
    subject.autograd().backward(total);
    expect_grad(subject, weight, f32({2, 4}));
  });

  conformance("a_sum_of_another_type_has_a_gradient", {"CAST-209"}, [](Session& subject) {
    const Ref weight = leaf(subject, square(Dtype::kFloat16, {1, 2, 3, 4}));

    const Ref all = call(subject, "aten::sum", {weight, Dtype::kFloat32});
    const Ref columns =
        call(subject, "aten::sum.dim_IntList", {weight, List{{0}}, false, Dtype::kFloat32});

    subject.autograd().backward(all);
    expect_grad(subject, weight, square(Dtype::kFloat16, {1, 1, 1, 1}));
    subject.autograd().backward(columns, f32({2, 3}));
    expect_grad(subject, weight, square(Dtype::kFloat16, {3, 4, 3, 4}));
  });

  conformance("a_gradient_on_the_way_to_another_is_asked_before_its_hooks", {"SCL-708"},
              [](Session& subject) {
                const Ref weight = leaf(subject, f32({1}));
                const Ref made = call(subject, "aten::relu", {weight});
                subject.autograd().hook(made, 8.0);

                const std::vector<Value> found =
                    subject.autograd().grad(call(subject, "aten::sum", {made}), {made, weight});

                expect_bits(found.at(0), f32({1}));
                expect_bits(found.at(1), f32({8}));
              });
}

}  // namespace assay::suites::graph
