// Policies: the effect of each on the dtypes of a call, on each device.
#include "suites/autocast/casting.hpp"

namespace assay::suites {
namespace {

struct Row {
  const char* op;
  const char* inputs;  ///< dtypes of the tensors
  char result;
  const char* reached;  ///< dtypes that its kernel received, including dtype arguments
  std::vector<Value> more = {};
};

/// Tensors of one shape, then the other arguments.
Called call_row(Session& subject, const Target& target, const Row& row) {
  std::vector<Value> args = operands(target, row.inputs);
  args.insert(args.end(), row.more.begin(), row.more.end());
  return call(subject, row.op, std::move(args));
}

/// Checks the kernel's arguments if they can be observed, and the result always.
void expect_row(Session& subject, const Target& target, const Row& row) {
  const ScopedTrace at(std::string(row.op) + "(" + row.inputs + ")");
  const Called called = call_row(subject, target, row);
  expect_equal(letters_of({called.dtype()}), std::string(1, row.result));
  if (called.kernel()) expect_equal(called.reached(), row.reached);
}

void expect_rows(Session& subject, const Target& target, const std::vector<Row>& rows) {
  inside(subject, target, [&] {
    for (const Row& row : rows) expect_row(subject, target, row);
  });
}

const std::string kBanned = "aten::binary_cross_entropy";

void expect_banned(Session& subject, std::vector<Value> args) {
  expect_error([&] { call(subject, kBanned, std::move(args)); }, ErrorKind::kError,
               {"binary_cross_entropy", "BCELoss", "unsafe to autocast", "with_logits"});
}

}  // namespace

CASES("autocast/policy") {
  conformance("lower_precision_casts_every_small_float_down", {"CAST-401"}, [](Session& subject) {
    expect_rows(subject, target_of(subject),
                {{"aten::mm", "ff", 'h', "hh"},
                 {"aten::mm", "hh", 'h', "hh"},
                 {"aten::mm", "bb", 'h', "hh"},
                 {"aten::mm", "hf", 'h', "hh"},
                 {"aten::mm", "bf", 'h', "hh"},
                 {"aten::addmm", "fhb", 'h', "hhh"},
                 {"aten::mm", "dd", 'd', "dd"}});
  }).only(DeviceRules::kCuda);

  conformance("lower_precision_casts_every_small_float_down_on_the_cpu", {"CAST-401"},
              [](Session& subject) {
                expect_rows(subject, cpu_target(),
                            {{"aten::mm", "ff", 'b', "bb"},
                             {"aten::mm", "hh", 'b', "bb"},
                             {"aten::mm", "bb", 'b', "bb"},
                             {"aten::mm", "bf", 'b', "bb"},
                             {"aten::mm", "hb", 'b', "bb"},
                             {"aten::addmm", "fhb", 'b', "bbb"},
                             {"aten::mm", "dd", 'd', "dd"}});
              });

  conformance("what_is_not_eligible_reaches_the_kernel_as_it_is", {"CAST-401", "CAST-201"},
              [](Session& subject) {
                const Target target = target_of(subject);
                const std::string op = define(
                    subject, target,
                    {"any(Tensor a, Tensor b, Tensor c) -> Tensor", {{"behaviour", "return"}}});
                subject.autocast().wrap("lower_precision_fp", op, target.type);
                inside(subject, target, [&] {
                  const std::string low = letters_of({target.low});
                  expect_equal(call(subject, op, operands(target, "dif")).reached(), "di" + low);
                });
              });

  conformance("a_float64_bias_is_the_operators_own_error", {"CAST-401"}, [](Session& subject) {
    const Target target = target_of(subject);
    const Value bias = of_shape(target, Dtype::kFloat64, {1});
    inside(subject, target, [&] {
      std::vector<Value> args = operands(target, "hh");
      args.push_back(bias);
      expect_error([&] { call(subject, "aten::linear", args); }, ErrorKind::kError, {});
    });
  });

  conformance("mixing_float64_is_the_operators_own_error", {"CAST-401", "CAST-418"},
              [](Session& subject) {
                const Target target = target_of(subject);
                inside(subject, target, [&] {
                  const std::vector<Value> args = operands(target, "dh");
                  expect_error([&] { mm(subject, args[0], args[1]); }, ErrorKind::kError, {});
                });
              });

  conformance("lowering_may_lose_the_range", {"CAST-401"}, [](Session& subject) {
    const Target cpu = cpu_target();
    const Value one = matrix(cpu, Dtype::kFloat32);
    const TensorValue big = shaped(from_bits(Dtype::kFloat32, {0x7f7fc99eU}), {1, 1});
    inside(subject, cpu, [&] {
      const Value product = mm(subject, one, on(big, cpu.device)).result();
      expect_bits(product, shaped(bf16({kInf}), {1, 1}));
    });
  });

  conformance("values_of_a_lowered_product", {"CAST-401", "CAST-417"}, [](Session& subject) {
    const Target cpu = cpu_target();
    const Value one = matrix(cpu, Dtype::kFloat32);
    inside(subject, cpu, [&] {
      for (const auto& [given, wanted] : {std::pair{1.00390625, 1.0},
                                          {1.01171875, 1.015625},
                                          {0x1.010002p+0, 1.0078125},
                                          {100352.0, 100352.0}}) {
        const Value product = mm(subject, one, matrix(cpu, Dtype::kFloat32, given)).result();
        expect_bits(product, matrix(cpu, Dtype::kBfloat16, wanted));
      }
    });
  });

  conformance("fp32_raises_every_small_float", {"CAST-402", "CAST-412"}, [](Session& subject) {
    expect_rows(subject, target_of(subject),
                {{"aten::exp", "f", 'f', "f"},
                 {"aten::exp", "h", 'f', "f"},
                 {"aten::exp", "b", 'f', "f"},
                 {"aten::exp", "d", 'd', "d"},
                 {"aten::binary_cross_entropy_with_logits", "hh", 'f', "ff"}});
  }).only(DeviceRules::kCuda);

  conformance("fp32_raises_every_small_float_on_the_cpu", {"CAST-402", "CAST-413"},
              [](Session& subject) {
                expect_rows(subject, cpu_target(),
                            {{"aten::binary_cross_entropy", "bb", 'f', "ff"},
                             {"aten::mse_loss", "bb", 'f', "ff"},
                             {"aten::mse_loss", "bh", 'f', "ff"},
                             {"aten::mse_loss", "dd", 'd', "dd"}});
              });

  conformance("fp32_leaves_float64_beside_a_raised_half", {"CAST-402"}, [](Session& subject) {
    const Target target = target_of(subject);
    inside(subject, target, [&] {
      const std::vector<Value> args = operands(target, "dh");
      expect_equal(call(subject, "aten::pow.Tensor_Tensor", args).reached(), "df");
    });
  }).only(DeviceRules::kCuda);

  conformance("fp32_leaves_integers_to_the_operator", {"CAST-402"}, [](Session& subject) {
    const Target target = target_of(subject);
    inside(subject, target,
           [&] { expect_equal(call(subject, "aten::exp", operands(target, "i")).reached(), "i"); });
  }).only(DeviceRules::kCuda);

  conformance("fp32_keeps_a_float32_tensor_itself", {"CAST-402", "CAST-204"}, [](Session& subject) {
    const Target target = target_of(subject);
    const std::string op =
        define(subject, target, {"keep(Tensor(a) x) -> Tensor(a)", {{"behaviour", "return"}}});
    subject.autocast().wrap("fp32", op, target.type);
    const Ref tensor = subject.core().tensor(matrix(target, Dtype::kFloat32));
    inside(subject, target,
           [&] { expect_equal(call(subject, op, {tensor}).result(), Value(tensor)); });
  });

  conformance("set_opt_dtype_fills_the_type_and_casts_nothing", {"CAST-403", "CAST-405"},
              [](Session& subject) {
                expect_rows(subject, target_of(subject),
                            {{"aten::sum", "h", 'f', "hf"},
                             {"aten::sum", "b", 'f', "bf"},
                             {"aten::sum", "f", 'f', "ff"},
                             {"aten::cumsum", "b", 'f', "bf", {0}},
                             {"aten::softmax.int", "h", 'f', "hf", {1}},
                             {"aten::softmax.int", "b", 'f', "bf", {1}}});
              })
      .only(DeviceRules::kCuda);

  conformance("set_opt_dtype_keeps_a_given_type", {"CAST-403"}, [](Session& subject) {
    expect_rows(subject, target_of(subject),
                {{"aten::sum", "h", 'i', "hi", {Dtype::kInt64}},
                 {"aten::sum", "f", 'h', "fh", {Dtype::kFloat16}},
                 {"aten::softmax.int", "h", 'h', "hh", {1, Dtype::kFloat16}},
                 {"aten::softmax.int", "h", 'd', "hd", {1, Dtype::kFloat64}}});
  }).only(DeviceRules::kCuda);

  conformance("set_opt_dtype_forwards_an_ineligible_first_argument", {"CAST-404"},
              [](Session& subject) {
                expect_rows(subject, target_of(subject),
                            {{"aten::sum", "i", 'i', "i"},
                             {"aten::sum", "d", 'd', "d"},
                             {"aten::softmax.int", "d", 'd', "d", {1}}});
              })
      .only(DeviceRules::kCuda);

  conformance("only_the_first_argument_decides", {"CAST-404"}, [](Session& subject) {
    const Target target = target_of(subject);
    const std::string op = define(subject, target,
                                  {"two(Tensor x, Tensor y, *, ScalarType? dtype=None) -> Tensor",
                                   {{"behaviour", "return"}}});
    subject.autocast().wrap("fp32_set_opt_dtype", op, target.type);
    inside(subject, target, [&] {
      std::vector<Value> args = operands(target, "dh");
      args.emplace_back();
      expect_equal(call(subject, op, args).reached(), "dh");
      std::swap(args[0], args[1]);
      expect_equal(call(subject, op, args).reached(), "hdf");
    });
  }).only(DeviceRules::kCuda);

  conformance("the_first_argument_is_asked_for_the_wrappers_device", {"CAST-415"},
              [](Session& subject) {
                const Target cpu = cpu_target();
                const std::string op = define(subject, cpu,
                                              {"one(Tensor x, *, ScalarType? dtype=None) -> Tensor",
                                               {{"behaviour", "return"}}});
                subject.autocast().wrap("fp32_set_opt_dtype", op, "cpu");
                inside(subject, cpu, [&] {
                  const Value half = matrix(cpu, Dtype::kFloat16);
                  expect_equal(call(subject, op, {half, {}}).reached(), "hf");
                });
              })
      .since(Release::k2_4);

  conformance("the_first_argument_was_asked_for_cuda", {"CAST-415"}, [](Session& subject) {
    const Target cpu = cpu_target();
    const std::string op =
        define(subject, cpu,
               {"one(Tensor x, *, ScalarType? dtype=None) -> Tensor", {{"behaviour", "return"}}});
    subject.autocast().wrap("fp32_set_opt_dtype", op, "cpu");
    inside(subject, cpu, [&] {
      const Value half = matrix(cpu, Dtype::kFloat16);
      expect_equal(call(subject, op, {half, {}}).reached(), "h");
    });
  }).until(Release::k1_13);

  conformance("append_dtype_calls_the_overload_with_a_type", {"CAST-406"}, [](Session& subject) {
    const Target target = target_of(subject);
    inside(subject, target, [&] {
      const Called called =
          call(subject, "aten::norm.Scalar", {matrix(target, Dtype::kFloat16), 2});
      expect_equal(called.dtype(), Dtype::kFloat32);
      expect_false(called.kernel().has_value(), "norm.Scalar's own kernel does not run");
      const std::vector<std::string> runs = reached_by(called.ran(), "aten::norm.ScalarOpt_dtype");
      expect_equal(only_word(runs), "hf");
    });
  }).only(DeviceRules::kCuda);

  conformance("append_dtype_keeps_the_other_arguments", {"CAST-406"}, [](Session& subject) {
    const Target target = target_of(subject);
    inside(subject, target, [&] {
      const Called called = call(subject, "aten::norm.ScalarOpt_dim",
                                 {matrix(target, Dtype::kBfloat16), 2, List{{0}}, true});
      expect_equal(called.dtype(), Dtype::kFloat32);
      const std::vector<std::string> runs =
          reached_by(called.ran(), "aten::norm.ScalarOpt_dim_dtype");
      expect_equal(only_word(runs), "bf");
    });
  }).only(DeviceRules::kCuda);

  conformance("append_dtype_gives_an_ineligible_tensor_its_own_type", {"CAST-407"},
              [](Session& subject) {
                const Target target = target_of(subject);
                inside(subject, target, [&] {
                  const Called called =
                      call(subject, "aten::norm.Scalar", {matrix(target, Dtype::kFloat64), 2});
                  expect_equal(called.dtype(), Dtype::kFloat64);
                  const std::vector<std::string> runs =
                      reached_by(called.ran(), "aten::norm.ScalarOpt_dtype");
                  expect_equal(only_word(runs), "dd");
                });
              })
      .only(DeviceRules::kCuda);

  conformance("an_appended_integer_type_is_refused_by_the_operator", {"CAST-407"},
              [](Session& subject) {
                const Target target = target_of(subject);
                const std::vector<Value> args = {matrix(target, Dtype::kInt64), 2};
                const auto norm = [&] { call(subject, "aten::norm.Scalar", args); };

                expect_error(norm, ErrorKind::kError, {"input dtype"});
                inside(subject, target,
                       [&] { expect_error(norm, ErrorKind::kError, {"output dtype"}); });
              })
      .only(DeviceRules::kCuda);

  conformance("the_overloads_with_a_type_are_not_wrapped", {"CAST-407", "CAST-306"},
              [](Session& subject) {
                const Target target = target_of(subject);
                inside(subject, target, [&] {
                  const Called called =
                      call(subject, "aten::norm.ScalarOpt_dim_dtype",
                           {matrix(target, Dtype::kFloat16), 2, List{{0}}, false, Dtype::kFloat16});
                  expect_equal(called.dtype(), Dtype::kFloat16);
                });
              })
      .only(DeviceRules::kCuda);

  conformance("binary_cross_entropy_is_banned_for_every_type", {"CAST-412", "CAST-102"},
              [](Session& subject) {
                const Target target = target_of(subject);
                inside(subject, target, [&] {
                  for (const char* letters : {"ff", "hh", "dd", "ii"}) {
                    const ScopedTrace at(letters);
                    expect_banned(subject, operands(target, letters));
                  }
                });
              })
      .only(DeviceRules::kCuda);

  conformance("the_ban_casts_and_caches_nothing", {"CAST-412"}, [](Session& subject) {
    const Target target = target_of(subject);
    const Ref leaf = subject.core().leaf(matrix(target, Dtype::kFloat32));
    inside(subject, target, [&] {
      const std::int64_t count = conversions(subject, [&] {
        expect_banned(subject, {leaf, matrix(target, Dtype::kFloat32)});
      });
      expect_equal(count, 0);
      expect_equal(subject.autocast().stat("cache_size"), 0);
    });
  }).only(DeviceRules::kCuda);

  conformance("the_ban_holds_while_autocast_is_on", {"CAST-412"}, [](Session& subject) {
    const Target target = target_of(subject);
    const std::vector<Value> args = {matrix(target, Dtype::kFloat32, 0.5),
                                     matrix(target, Dtype::kFloat32, 0.5)};
    call(subject, kBanned, args);
    inside(subject, target, [&] {
      inside(subject, {.device = target.type, .enabled = false},
             [&] { call(subject, kBanned, args); });
      expect_banned(subject, args);
    });
  }).only(DeviceRules::kCuda);

  conformance("the_cpu_casts_only_what_it_lists", {"CAST-414", "CAST-114"}, [](Session& subject) {
    expect_rows(subject, cpu_target(),
                {{"aten::softmax.int", "b", 'b', "b", {1}},
                 {"aten::sum", "b", 'b', "b"},
                 {"aten::cumsum", "b", 'b', "b", {0}},
                 {"aten::relu", "f", 'f', "f"}});
  });

  conformance(
      "prod_on_the_cpu_is_cast_although_a_type_is_given", {"CAST-414"}, [](Session& subject) {
        const Target cpu = cpu_target();
        expect_rows(
            subject, cpu,
            {{"aten::prod", "b", 'f', "f"}, {"aten::prod", "b", 'd', "fd", {Dtype::kFloat64}}});
        // In 1.13 no kernel returns a bfloat16 product.
        if (subject.contract().release == Release::k1_13) return;
        expect_rows(subject, cpu, {{"aten::prod", "b", 'b', "fb", {Dtype::kBfloat16}}});
      });

  conformance(
      "operators_that_promote_by_themselves_are_left_alone", {"CAST-416"}, [](Session& subject) {
        const Target target = target_of(subject);
        inside(subject, target, [&] {
          for (const char* op : {"aten::add.Tensor", "aten::mul.Tensor", "aten::div.Tensor"}) {
            const ScopedTrace at(op);
            expect_equal(call(subject, op, operands(target, "hf")).dtype(), Dtype::kFloat32);
          }
        });
      });

  conformance("comparisons_are_left_alone", {"CAST-416"}, [](Session& subject) {
    const Target target = target_of(subject);
    inside(subject, target, [&] {
      for (const char* op : {"eq", "ne", "lt", "le", "gt", "ge"}) {
        const ScopedTrace at(op);
        const Ref result =
            call_ref(subject, std::string("aten::") + op + ".Tensor", operands(target, "hf"));
        expect_dtype(subject, result, Dtype::kBool);
      }
    });
  });

  conformance("meta_tensors_are_not_cast", {"CAST-102"}, [](Session& subject) {
    const Target target = target_of(subject);
    const Ref tensor = subject.core().empty(
        {.shape = {1, 1}, .dtype = Dtype::kFloat32, .device = Device{"meta", -1}});
    inside(subject, target, [&] {
      const Ref product = call_ref(subject, "aten::mm", {tensor, tensor});
      expect_dtype(subject, product, Dtype::kFloat32);
    });
  });
}

}  // namespace assay::suites
