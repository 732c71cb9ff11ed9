// Autocast must give the same bits as explicit casts.
#include "suites/autocast/casting.hpp"

namespace assay::suites {
namespace {

/// Reproducible elements that no half type represents exactly.
TensorValue rough(const Target& target, Dtype dtype, std::vector<std::int64_t> shape, double from) {
  std::int64_t count = 1;
  for (const std::int64_t size : shape) count *= size;
  std::vector<std::uint64_t> bits;
  for (std::int64_t i = 0; i < count; ++i) {
    const double step = (static_cast<double>(i) * 37 + from) / 1024;
    if (dtype == Dtype::kFloat32) bits.push_back(exact_bits(dtype, 1 + step + 0x1p-20));
    if (dtype == Dtype::kFloat16) bits.push_back(0x3c00U + static_cast<std::uint64_t>(i * 37));
    if (dtype == Dtype::kBfloat16) bits.push_back(0x3f80U + static_cast<std::uint64_t>(i * 5));
  }
  return on(shaped(from_bits(dtype, bits), std::move(shape)), target.device);
}

struct Row {
  const char* op;
  std::vector<std::vector<std::int64_t>> shapes;
  std::vector<Value> more = {};
};

std::vector<Row> lowered() {
  return {{"aten::mm", {{2, 2}, {2, 2}}},
          {"aten::addmm", {{2, 2}, {2, 2}, {2, 2}}},
          {"aten::linear", {{2, 2}, {2, 2}, {2}}},
          {"aten::bmm", {{1, 2, 2}, {1, 2, 2}}}};
}

std::vector<Value> rough_operands(const Target& target, const Row& row, Dtype dtype) {
  std::vector<Value> args;
  for (const auto& shape : row.shapes) {
    args.emplace_back(rough(target, dtype, shape, static_cast<double>(args.size())));
  }
  return args;
}

std::vector<Value> cast_by_hand(Session& subject, const std::vector<Value>& args, Dtype dtype) {
  std::vector<Value> cast;
  for (const Value& arg : args) cast.emplace_back(subject.core().convert(arg, dtype));
  return cast;
}

void expect_equal_to_hand(Session& subject, const Target& target, const Row& row, Dtype given,
                          Dtype wanted) {
  const ScopedTrace at(row.op);
  std::vector<Value> args = rough_operands(target, row, given);
  std::vector<Value> by_hand = cast_by_hand(subject, args, wanted);
  args.insert(args.end(), row.more.begin(), row.more.end());
  by_hand.insert(by_hand.end(), row.more.begin(), row.more.end());

  const Value plain = call(subject, row.op, by_hand).result();
  inside(subject, target, [&] {
    expect_bits(call(subject, row.op, args).result(), plain);
    expect_true(subject.autocast().is_enabled(target.type), "autocast is on after the call");
  });
}

}  // namespace

CASES("autocast/oracle") {
  conformance("lowered_operators_equal_casts_by_hand", {"CAST-417", "CAST-401"},
              [](Session& subject) {
                const Target target = target_of(subject);
                for (const Row& row : lowered()) {
                  expect_equal_to_hand(subject, target, row, Dtype::kFloat32, target.low);
                }
              });

  conformance("raised_operators_equal_casts_by_hand", {"CAST-417", "CAST-402"},
              [](Session& subject) {
                const Target target = target_of(subject);
                const Row row{"aten::mse_loss", {{2, 3}, {2, 3}}, {}};
                expect_equal_to_hand(subject, target, row, target.low, Dtype::kFloat32);
              });

  conformance(
      "promoting_operators_equal_casts_by_hand", {"CAST-417", "CAST-408"}, [](Session& subject) {
        const Target cpu = cpu_target();
        const Value wide = rough(cpu, Dtype::kFloat32, {2}, 0);
        const Value low = rough(cpu, Dtype::kBfloat16, {2}, 0);
        const Value raised = subject.core().convert(low, Dtype::kFloat32);
        const Value plain = call(subject, "aten::stack", {List{{wide, raised}}, 0}).result();

        inside(subject, cpu, [&] {
          expect_bits(call(subject, "aten::stack", {List{{wide, low}}, 0}).result(), plain);
        });
      });

  conformance("operators_without_a_rule_equal_their_own_promotion", {"CAST-416"},
              [](Session& subject) {
                const Target target = target_of(subject);
                const Value low = rough(target, target.low, {4}, 0);
                const Value wide = rough(target, Dtype::kFloat32, {4}, 0);
                for (const char* op : {"aten::add.Tensor", "aten::mul.Tensor"}) {
                  const ScopedTrace at(op);
                  const Value plain = call(subject, op, {low, wide}).result();
                  inside(subject, target, [&] {
                    expect_bits(call(subject, op, {low, wide}).result(), plain);
                  });
                }
              });

  conformance("two_regions_give_the_same", {"CAST-617"}, [](Session& subject) {
    const Target target = target_of(subject);
    const Row row = lowered().at(0);
    const std::vector<Value> args = rough_operands(target, row, Dtype::kFloat32);
    std::vector<Value> results;
    for (int round = 0; round < 2; ++round) {
      inside(subject, target, [&] { results.push_back(call(subject, row.op, args).result()); });
    }
    expect_bits(results[0], results[1]);
  });

  conformance("a_bfloat16_region_multiplies_in_bfloat16", {"CAST-617"}, [](Session& subject) {
    const Target target = target_of(subject);
    inside(subject, {.device = target.type, .dtype = Dtype::kBfloat16}, [&] {
      const std::vector<Value> args = operands(target, "ff");
      expect_equal(mm(subject, args[0], args[1]).dtype(), Dtype::kBfloat16);
    });
  });

  conformance(
      "ignored_types_keep_what_they_have_without_autocast", {"CAST-418"}, [](Session& subject) {
        const Target target = target_of(subject);
        const std::vector<std::pair<std::string, std::size_t>> ops = {
            {"aten::mm", 2}, {"aten::mse_loss", 2}, {"aten::sum", 1}};
        for (const auto& [op, count] : ops) {
          const ScopedTrace at(op);
          const std::vector<Value> args = operands(target, std::string(count, 'd'));
          const Dtype plain = call(subject, op, args).dtype();
          inside(subject, target, [&] { expect_equal(call(subject, op, args).dtype(), plain); });
        }
      });

  conformance("integers_keep_what_they_have_without_autocast", {"CAST-418"}, [](Session& subject) {
    const Target target = target_of(subject);
    const std::vector<Value> args = operands(target, "j");
    const Dtype plain = call(subject, "aten::sum", args).dtype();
    inside(subject, target, [&] { expect_equal(call(subject, "aten::sum", args).dtype(), plain); });
  });
}

}  // namespace assay::suites
