// The recorded graph: nodes, their order, casts between them, and saved tensors.
#include "suites/autograd/graph.hpp"

namespace assay::suites::graph {

CASES("autograd/node") {
  conformance("a_leaf_has_no_node_and_a_constant_none", {"CAST-209"}, [](Session& subject) {
    const Ref weight = leaf(subject, f32({1}));
    const Ref plain = subject.core().tensor(f32({1}));

    expect_equal(subject.autograd().node(weight).kind, "leaf");
    expect_equal(subject.autograd().node(plain).kind, "none");
    expect_true(subject.core().info(weight).leaf, "the weight is a leaf");
  });

  conformance("an_operators_node_leads_to_those_of_its_arguments", {"CAST-103"},
              [](Session& subject) {
                const Ref weight = leaf(subject, square(Dtype::kFloat32, {1, 2, 3, 4}));
                const Ref raised = call(subject, "aten::relu", {weight});

                const Ref product = call(subject, "aten::mm", {raised, weight});

                const NodeInfo node = subject.autograd().node(product);
                expect_equal(node.kind, "mm");
                expect_equal(static_cast<std::int64_t>(node.next.size()), 2);
                expect_equal(node.next.at(0), "relu");
                expect_equal(node.next.at(1), "leaf");
                expect_false(subject.core().info(product).leaf, "an outcome is not a leaf");
              });

  conformance("a_conversion_is_a_node", {"CAST-209"}, [](Session& subject) {
    const Ref weight = leaf(subject, f32({1}));

    const Ref low = subject.core().to(weight, {.dtype = Dtype::kBfloat16});

    const NodeInfo node = subject.autograd().node(low);
    expect_equal(node.kind, "cast");
    expect_equal(node.next.at(0), "leaf");
  });

  conformance("a_conversion_to_the_same_type_is_none", {"CAST-204", "CAST-209"},
              [](Session& subject) {
                const Ref weight = leaf(subject, f32({1}));

                const Ref same = subject.core().to(weight, {.dtype = Dtype::kFloat32});

                expect_equal(subject.autograd().node(same).kind, "leaf");
                expect_true(subject.same(same.name, weight.name), "it is the same object");
              });

  conformance("two_conversions_are_two_nodes", {"CAST-511"}, [](Session& subject) {
    const Ref weight = leaf(subject, f32({1}));
    const Ref first = subject.core().to(weight, {.dtype = Dtype::kBfloat16});
    const Ref second = subject.core().to(weight, {.dtype = Dtype::kBfloat16});

    expect_false(subject.autograd().same_node(first, second), "two casts have two nodes");
    expect_true(subject.autograd().same_node(first, first), "one cast has one node");
  });

  conformance(
      "a_product_keeps_what_the_other_sides_gradient_needs", {"CAST-103"}, [](Session& subject) {
        const Ref weight = leaf(subject, square(Dtype::kBfloat16, {1, 2, 3, 4}));
        const Ref plain = subject.core().tensor(square(Dtype::kBfloat16, {1, 2, 3, 4}));

        const auto saved = subject.autograd().saved(call(subject, "aten::mm", {plain, weight}));

        expect_equal(static_cast<std::int64_t>(saved.size()), 1);
        expect_equal(saved.at(0), Dtype::kBfloat16);
      });

  conformance("every_operator_that_computes_is_recorded", {"CAST-103", "CORE-22"},
              [](Session& subject) {
                const Value row = f32({0.25, 0.5});
                const Value two = square(Dtype::kFloat32, {0.5, 0.25, 0.75, 0.5});
                const Value map = values(Dtype::kFloat32, {1, 1, 2, 2}, {1, 2, 3, 4});
                const Value dims = List{{Value(std::int64_t{1})}};
                const std::int64_t zero = 0;
                const std::vector<std::pair<std::string, std::vector<Value>>> calls = {
                    {"exp", {two}},
                    {"log", {two}},
                    {"log1p", {two}},
                    {"rsqrt", {two}},
                    {"reciprocal", {two}},
                    {"acos", {two}},
                    {"tan", {two}},
                    {"erfinv", {two}},
                    {"atan2", {two, row}},
                    {"pow.Tensor_Tensor", {two, row}},
                    {"pow.Tensor_Scalar", {two, 2.0}},
                    {"softplus", {two}},
                    {"prelu", {two, row}},
                    {"cumsum", {two, zero}},
                    {"cumprod", {two, zero}},
                    {"prod", {two}},
                    {"prod.dim_int", {two, zero}},
                    {"logsumexp", {two, dims}},
                    {"max", {two}},
                    {"dist", {two, row}},
                    {"linalg_vector_norm", {two, 3.0, dims}},
                    {"group_norm", {two, std::int64_t{1}}},
                    {"mv", {two, row}},
                    {"dot", {row, row}},
                    {"matmul", {two, row}},
                    {"addmv", {row, two, row}},
                    {"addr", {two, row, row}},
                    {"conv2d", {map, map}},
                    {"l1_loss", {two, two}},
                    {"huber_loss", {two, two}},
                    {"kl_div", {two, two}},
                    {"binary_cross_entropy", {two, two}},
                };
                for (const auto& [name, arguments] : calls) {
                  const ScopedTrace at(name);
                  std::vector<Value> args = arguments;
                  args[0] = leaf(subject, *arguments[0].tensor());

                  const Ref made = call(subject, "aten::" + name, args);

                  expect_true(requires_grad(subject, made), "the result requires a gradient");
                  expect_false(subject.core().info(made).leaf, "it is no leaf");
                }
                const Ref weight = leaf(subject, f32({1, 2}));
                const Ref compared = call(subject, "aten::gt.Tensor", {weight, weight});
                expect_false(requires_grad(subject, compared), "a comparison has no gradient");
              });

  conformance("detaching_cuts_the_graph", {"CAST-501"}, [](Session& subject) {
    const Ref weight = leaf(subject, f32({1}));
    const Ref made = call(subject, "aten::relu", {weight});

    const Ref cut = subject.core().detach(made);

    expect_equal(subject.autograd().node(cut).kind, "none");
    expect_false(requires_grad(subject, cut), "it requires no gradient");
  });

  conformance("the_operator_that_detaches_cuts_the_graph_too", {"CAST-501", "CORE-13"},
              [](Session& subject) {
                const Ref weight = leaf(subject, f32({1, 2}));

                const Ref cut = call(subject, "aten::detach", {weight});

                expect_equal(subject.autograd().node(cut).kind, "none");
                expect_false(requires_grad(subject, cut), "it requires no gradient");
                expect_true(subject.alias(weight.name, cut.name), "it shares the storage");
                subject.core().fill_(cut, 3.0);
                expect_equal(subject.core().info(weight).version, 1);
                expect_bits(subject.core().read(weight), f32({3, 3}));
              });
}

}  // namespace assay::suites::graph
