// Both operators in graphs: they read and write the values at the time of the replay, not of the
// call.
#include "harness/suite/clients/graph.hpp"
#include "suites/amp/support.hpp"

namespace assay::suites {
namespace {

/// A case for devices that support graphs.
CaseOptions capture_case(std::string_view name, std::vector<std::string> clauses,
                         std::function<void(Session&)> body, Where where = Where::current()) {
  return kernel_case(name, std::move(clauses), std::move(body), where).only(DeviceRules::kCuda);
}

/// The operands of both operators, by name.
struct Operands {
  explicit Operands(Session& session, float first = 8, std::int64_t count = 0)
      : flag(named(session, scalar_of(Dtype::kFloat32, 0))),
        inverse(named(session, scalar_of(Dtype::kFloat32, 0.5))),
        scale(named(session, scalar_of(Dtype::kFloat32, first))),
        tracker(named(session, scalar_of(Dtype::kInt32, static_cast<double>(count)))) {}

  std::string flag;
  std::string inverse;
  std::string scale;
  std::string tracker;
};

Value refs(const std::vector<std::string>& names) {
  List list;
  for (const std::string& name : names) list.items.emplace_back(Ref{name});
  return list;
}

void set(Session& session, const std::string& name, const TensorValue& value) {
  session.send("core.copy_", {{"dst", Ref{name}}, {"src", value}});
}

void set(Session& session, const std::string& name, float value) {
  set(session, name, scalar_of(Dtype::kFloat32, value));
}

void unscale(Session& session, const std::vector<std::string>& grads, const Operands& with) {
  session.send(
      "amp.unscale",
      {{"grads", refs(grads)}, {"found_inf", Ref{with.flag}}, {"inv_scale", Ref{with.inverse}}});
}

struct Factors {
  double growth = 2;
  double backoff = 0.5;
  std::int64_t interval = 3;
};

void update(Session& session, const Operands& with, const Factors& factors = {}) {
  session.send("amp.update_scale", {{"scale", Ref{with.scale}},
                                    {"tracker", Ref{with.tracker}},
                                    {"found_inf", Ref{with.flag}},
                                    {"growth", factors.growth},
                                    {"backoff", factors.backoff},
                                    {"interval", factors.interval}});
}

void unscale_and_update(Session& session, const std::vector<std::string>& grads,
                        const Operands& with, const Factors& factors = {}) {
  session.send("amp.unscale_and_update", {{"grads", refs(grads)},
                                          {"found_inf", Ref{with.flag}},
                                          {"inv_scale", Ref{with.inverse}},
                                          {"scale", Ref{with.scale}},
                                          {"tracker", Ref{with.tracker}},
                                          {"growth", factors.growth},
                                          {"backoff", factors.backoff},
                                          {"interval", factors.interval}});
}

void expect_number(Session& session, const std::string& name, double wanted,
                   Where where = Where::current()) {
  const TensorValue got = read(session, name);
  expect_bits(got, scalar_of(got.dtype, wanted), where);
}

/// Two equal sets of operands: one for a graph, one for direct calls.
struct OperandSets {
  std::vector<std::string> captured;
  std::vector<std::string> eager;
};

OperandSets made_twice(Session& session, const std::vector<TensorValue>& values) {
  OperandSets made;
  for (const TensorValue& value : values) {
    made.captured.push_back(named(session, value));
    made.eager.push_back(named(session, value));
  }
  return made;
}

void expect_equal_bits(Session& session, const OperandSets& all, Where where = Where::current()) {
  for (std::size_t i = 0; i < all.captured.size(); ++i) {
    const ScopedTrace at("tensor " + std::to_string(i));
    expect_bits(read(session, all.captured[i]), read(session, all.eager[i]), where);
  }
}

std::vector<TensorValue> gradients() {
  std::vector<TensorValue> all = {ramp(Dtype::kFloat32, 4099), ramp(Dtype::kFloat16, 33),
                                  ramp(Dtype::kFloat64, 7)};
  for (int i = 0; i < 115; ++i) all.push_back(ramp(Dtype::kFloat32, 1 + i % 5));
  return all;
}

/// One iteration: the values written to both sets of gradients before it.
struct Round {
  float inverse;
  bool is_bad;
};

constexpr Round kRounds[] = {{0x1.555556p-2F, false}, {0.1F, false}, {1.0F, true}, {3.0F, false},
                             {0x1p-20F, false},       {0.7F, true},  {0.3F, false}};

}  // namespace

CASES("amp/capture") {
  capture_case("of_unscale_runs_nothing_by_itself", {"AMP-503", "CAP-001"}, [](Session& session) {
    const Operands with(session);
    const std::string grad = named(session, f32({4, kInf}));

    GraphClient(session).of([&] { unscale(session, {grad}, with); });

    expect_bits(read(session, grad), f32({4, kInf}));
    expect_number(session, with.flag, 0);
  });

  capture_case(
      "of_unscale_reads_the_inverse_of_the_moment", {"AMP-503", "AMP-502"}, [](Session& session) {
        const Operands with(session);
        const std::string grad = named(session, f32({0, 0}));
        const auto graph = GraphClient(session).of([&] { unscale(session, {grad}, with); });

        for (const float inverse : {0.5F, 0.25F, 1.0F, 0.0F, 0x1p-126F, 2.0F}) {
          const ScopedTrace at("inverse " + std::to_string(inverse));
          set(session, grad, f32({8, -3}));
          set(session, with.inverse, inverse);
          graph.replay();
          expect_bits(read(session, grad), f32({8 * inverse, -3 * inverse}));
        }
        expect_number(session, with.flag, 0);
      });

  capture_case(
      "of_unscale_sees_the_gradients_of_the_moment", {"AMP-503", "AMP-206"}, [](Session& session) {
        const Operands with(session);
        const std::string grad = named(session, f32({0, 0, 0}));
        const std::string other = named(session, f16({0}));
        const auto graph = GraphClient(session).of([&] { unscale(session, {grad, other}, with); });
        const auto run = [&](const TensorValue& first, const TensorValue& second) {
          set(session, grad, first);
          set(session, other, second);
          graph.replay();
        };

        run(f32({2, 4, 6}), f16({8}));
        expect_number(session, with.flag, 0);
        run(f32({2, 4, kNaN}), f16({8}));
        expect_bits(read(session, grad), f32({1, 2, kNaN}));
        expect_number(session, with.flag, 1);
        run(f32({2, 4, 6}), f16({8}));
        expect_number(session, with.flag, 1);  // AMP-206: it is not cleared
        set(session, with.flag, 0.0F);
        run(f32({2, 4, 6}), f16({kInf}));
        expect_number(session, with.flag, 1);
        set(session, with.flag, 0.0F);
        run(f32({2, 4, 6}), f16({-8}));
        expect_number(session, with.flag, 0);
        expect_bits(read(session, other), f16({-4}));
      });

  capture_case("of_an_update_moves_the_same_scale_at_each_replay", {"AMP-120", "AMP-503"},
               [](Session& session) {
                 const Operands with(session);
                 const auto graph = GraphClient(session).of([&] { update(session, with); });
                 expect_number(session, with.scale, 8);

                 for (const auto& [scale, count] :
                      {std::pair{8, 1}, {8, 2}, {16, 0}, {16, 1}, {16, 2}, {32, 0}, {32, 1}}) {
                   graph.replay();
                   expect_number(session, with.scale, scale);
                   expect_number(session, with.tracker, count);
                 }
               });

  capture_case("of_an_update_reads_the_flag_of_the_moment", {"AMP-120", "AMP-503"},
               [](Session& session) {
                 const Operands with(session, 8, 1);
                 const auto graph = GraphClient(session).of([&] { update(session, with); });

                 set(session, with.flag, 1.0F);
                 graph.replay();
                 expect_number(session, with.scale, 4);
                 expect_number(session, with.tracker, 0);
                 graph.replay();
                 expect_number(session, with.scale, 2);
                 set(session, with.flag, 0.0F);
                 graph.replay();
                 expect_number(session, with.scale, 2);
                 expect_number(session, with.tracker, 1);
               });

  capture_case("of_an_update_starts_from_a_scale_that_was_set", {"AMP-120", "AMP-503"},
               [](Session& session) {
                 const Operands with(session, 8, 2);
                 const auto graph = GraphClient(session).of([&] { update(session, with); });

                 set(session, with.scale, 100.0F);
                 graph.replay();
                 expect_number(session, with.scale, 200);
                 set(session, with.tracker, scalar_of(Dtype::kInt32, 2));
                 set(session, with.scale, 0x1p-149F);
                 graph.replay();
                 expect_number(session, with.scale, 0x1p-148);
                 expect_number(session, with.tracker, 0);
               });

  capture_case("of_both_in_one_does_both_at_each_replay", {"AMP-503", "AMP-601", "AMP-603"},
               [](Session& session) {
                 const Operands with(session);
                 const std::string large = named(session, filled(Dtype::kFloat32, 9001, 0));
                 const std::string small = named(session, f16({0}));
                 const auto graph = GraphClient(session).of([&] {
                   unscale_and_update(session, {large, small}, with);
                 });
                 const double scales[] = {8, 8, 16, 8, 8, 8, 16};
                 for (std::size_t round = 0; round < std::size(scales); ++round) {
                   const ScopedTrace at("replay " + std::to_string(round));
                   set(session, with.flag, 0.0F);
                   TensorValue grad = filled(Dtype::kFloat32, 9001, 6);
                   if (round == 3) grad.set_bits(9000, 0xff800000);
                   set(session, large, grad);
                   set(session, small, f16({10}));
                   graph.replay();
                   expect_number(session, with.scale, scales[round]);
                   expect_bits(read(session, small), f16({5}));
                   expect_number(session, with.flag, round == 3 ? 1 : 0);
                 }
               });

  capture_case("holds_more_calls_than_any_list_has_counters", {"AMP-503", "AMP-603"},
               [](Session& session) {
                 constexpr int kCalls = 4200;
                 const Operands with(session);
                 const std::string grad = named(session, f32({0}));
                 const auto graph = GraphClient(session).of([&] {
                   for (int i = 0; i < kCalls; ++i) {
                     unscale_and_update(session, {grad}, with, {2, 0.5, 1 << 20});
                   }
                 });

                 graph.replay();

                 expect_number(session, with.tracker, kCalls);
               });

  capture_case("leaves_what_calls_leave_to_the_bit", {"AMP-503", "CAP-002", "AMP-311"},
               [](Session& session) {
                 const Operands with(session, 65536);
                 const Operands alone(session, 65536);
                 const Factors factors{1.1, 0.7, 2};
                 const std::vector<TensorValue> fresh = gradients();
                 const OperandSets grads = made_twice(session, fresh);
                 const auto graph = GraphClient(session).of([&] {
                   unscale(session, grads.captured, with);
                   update(session, with, factors);
                 });

                 for (const Round& round : kRounds) {
                   const ScopedTrace at("inverse " + std::to_string(round.inverse));
                   for (std::size_t i = 0; i < fresh.size(); ++i) {
                     TensorValue value = fresh[i];
                     if (round.is_bad && i == 111) value.set_bits(0, 0x7f800000);
                     set(session, grads.captured[i], value);
                     set(session, grads.eager[i], value);
                   }
                   for (const Operands* each : {&with, &alone}) {
                     set(session, each->flag, 0.0F);
                     set(session, each->inverse, round.inverse);
                   }
                   graph.replay();
                   unscale(session, grads.eager, alone);
                   update(session, alone, factors);

                   expect_equal_bits(session, grads);
                   expect_bits(read(session, with.flag), read(session, alone.flag));
                   expect_bits(read(session, with.scale), read(session, alone.scale));
                   expect_bits(read(session, with.tracker), read(session, alone.tracker));
                 }
               });

  capture_case(
      "of_views_writes_their_elements_alone", {"AMP-503", "AMP-306"}, [](Session& session) {
        const Operands with(session);
        const std::string base = named(session, f32({2, 4, 6, 8, 10, 12}));
        const std::string view = view_of(session, base, {{3}, {2}, 1});
        const auto graph = GraphClient(session).of([&] { unscale(session, {view}, with); });

        graph.replay();
        graph.replay();

        expect_bits(read(session, base), f32({2, 1, 6, 2, 10, 3}));
      });

  capture_case("goes_on_after_arguments_that_were_refused", {"AMP-503", "AMP-117"},
               [](Session& session) {
                 const Operands with(session);
                 const std::string grad = named(session, f32({8}));
                 const std::string wrong = named(session, f32({1, 1}));
                 const auto graph = GraphClient(session).of([&] {
                   unscale(session, {grad}, with);
                   expect_error(
                       [&] {
                         session.send("amp.unscale", {{"grads", refs({grad})},
                                                      {"found_inf", Ref{wrong}},
                                                      {"inv_scale", Ref{with.inverse}}});
                       },
                       ErrorKind::kError, {"found_inf", "1-element"});
                   update(session, with);
                 });

                 graph.replay();

                 expect_bits(read(session, grad), f32({4}));
                 expect_number(session, with.tracker, 1);
               });

  capture_case("costs_what_calls_cost", {"AMP-120", "AMP-502", "AMP-503"}, [](Session& session) {
    const Operands with(session);
    const std::string grad = named(session, f32({8}));
    const auto graph = GraphClient(session).make();
    graph.begin();
    session.count();
    unscale(session, {grad}, with);
    expect_equal(session.counted("host_reads"), std::int64_t{0});
    expect_equal(session.counted("allocations"), std::int64_t{0});
    expect_equal(session.counted("launches"), std::int64_t{1});
    update(session, with);
    expect_equal(session.counted("host_reads"), std::int64_t{0});
    expect_equal(session.counted("allocations"), std::int64_t{0});
    expect_equal(session.counted("launches"), std::int64_t{1});
    graph.end();
  });
}

}  // namespace assay::suites
