// Operators called by their Python names inside regions, with `core.op`.
#include "suites/autocast/casting.hpp"

namespace assay::suites {
namespace {

struct Row {
  const char* name;
  std::vector<std::vector<std::int64_t>> shapes;
  std::vector<Value> more = {};
};

std::vector<Row> products() {
  return {{"mm", {{2, 2}, {2, 2}}},        {"addmm", {{2, 2}, {2, 2}, {2, 2}}},
          {"bmm", {{1, 2, 2}, {1, 2, 2}}}, {"linear", {{2, 2}, {2, 2}, {2}}},
          {"linear", {{2, 2}, {2, 2}}},    {"conv1d", {{1, 1, 3}, {1, 1, 2}, {1}}}};
}

/// All results have this dtype, for any arguments.
void expect_types(Session& subject, const Target& target, const std::vector<Row>& rows, Dtype given,
                  Dtype wanted) {
  inside(subject, target, [&] {
    for (const Row& row : rows) {
      const ScopedTrace at(row.name);
      std::vector<Value> args;
      for (const auto& shape : row.shapes) args.emplace_back(of_shape(target, given, shape, 0.5));
      args.insert(args.end(), row.more.begin(), row.more.end());
      expect_equal(subject.core().op(row.name, args).dtype, wanted);
    }
  });
}

}  // namespace

CASES("autocast/function") {
  conformance("products_are_lowered", {"CAST-401"}, [](Session& subject) {
    const Target target = target_of(subject);
    expect_types(subject, target, products(), Dtype::kFloat32, target.low);
    expect_types(subject, target, products(), target.other, target.low);
  });

  conformance("products_of_vectors_are_lowered_on_cuda", {"CAST-401"}, [](Session& subject) {
    const Target target = target_of(subject);
    expect_types(subject, target, {{"mv", {{2, 2}, {2}}}}, Dtype::kFloat32, target.low);
  }).only(DeviceRules::kCuda);

  conformance("losses_are_raised", {"CAST-402"}, [](Session& subject) {
    const Target target = target_of(subject);
    expect_types(subject, target, {{"mse_loss", {{2}, {2}}}}, target.low, Dtype::kFloat32);
  });

  conformance("norms_of_layers_are_raised_on_cuda", {"CAST-402"}, [](Session& subject) {
    const Target target = target_of(subject);
    expect_types(subject, target, {{"layer_norm", {{2, 2}}, {List{{2}}}}}, target.low,
                 Dtype::kFloat32);
  }).only(DeviceRules::kCuda);

  conformance("reductions_have_their_type_filled_on_cuda", {"CAST-403", "CAST-406"},
              [](Session& subject) {
                const Target target = target_of(subject);
                expect_types(subject, target,
                             {{"sum", {{2, 2}}},
                              {"sum", {{2, 2}}, {1}},
                              {"softmax", {{2, 2}}, {1}},
                              {"norm", {{2, 2}}}},
                             target.low, Dtype::kFloat32);
              })
      .only(DeviceRules::kCuda);

  conformance("operators_without_a_rule_stay_as_they_are", {"CAST-416"}, [](Session& subject) {
    const Target target = target_of(subject);
    const std::vector<Row> rows = {{"relu", {{2}}}, {"add", {{2}, {2}}}, {"mean", {{2}}}};
    expect_types(subject, target, rows, target.low, target.low);
    expect_types(subject, target, rows, Dtype::kFloat32, Dtype::kFloat32);
  });
}

}  // namespace assay::suites
