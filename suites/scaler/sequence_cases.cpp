// The state machine: the sequences S01 to S18, and every sequence of five calls compared with a
// model.
#include <array>

#include "harness/suite/reading.hpp"
#include "suites/scaler/training.hpp"

namespace assay::suites {
namespace {

enum class Call : std::uint8_t { kUnscale, kStep, kUpdate, kUpdateTo2 };
constexpr std::array kCalls{Call::kUnscale, Call::kStep, Call::kUpdate, Call::kUpdateTo2};
constexpr const char* kCallNames[] = {"unscale_", "step", "update", "update(2.0)"};

enum class Outcome : std::uint8_t { kOk, kAlready, kAfterStep, kNoChecks };

/// One optimizer with the parameters [0] and [0]; the first gradient is 1, the second 1 or inf.
/// Scale 4, growth 2, backoff 0.5, interval 2, learning rate 0.5.
class Model {
 public:
  explicit Model(bool is_bad) : is_bad_(is_bad) {}

  Outcome apply(Call call) {
    switch (call) {
      case Call::kUnscale:
        return unscale();
      case Call::kStep:
        return step();
      case Call::kUpdate:
        return update();
      case Call::kUpdateTo2:
        scale_ = 2;  // SCL-403: the tracker is unchanged
        clear();
        return Outcome::kOk;
    }
    return Outcome::kOk;
  }

  const char* stage() const { return stage_; }
  float scale() const { return scale_; }
  std::int64_t tracker() const { return tracker_; }
  float grad() const { return grad_; }
  float param() const { return param_; }

 private:
  Outcome unscale() {
    if (is("UNSCALED")) return Outcome::kAlready;  // SCL-209
    if (is("STEPPED")) return Outcome::kAfterStep;
    grad_ /= scale_;
    has_flag_ = true;
    stage_ = "UNSCALED";
    return Outcome::kOk;
  }

  Outcome step() {
    if (is("STEPPED")) return Outcome::kAlready;  // SCL-305
    if (is("READY")) unscale();                   // SCL-306
    if (!is_bad_) param_ -= 0.5F * grad_;         // SCL-308
    stage_ = "STEPPED";                           // SCL-310
    return Outcome::kOk;
  }

  Outcome update() {
    if (!has_flag_) return Outcome::kNoChecks;  // SCL-410
    if (is_bad_) {
      scale_ *= 0.5F;
      tracker_ = 0;
    } else if (++tracker_ == 2) {
      scale_ *= 2;
      tracker_ = 0;
    }
    clear();
    return Outcome::kOk;
  }

  /// SCL-411
  void clear() {
    has_flag_ = false;
    stage_ = "READY";
  }

  bool is(std::string_view stage) const { return stage_ == stage; }

  bool is_bad_;
  bool has_flag_ = false;
  const char* stage_ = "READY";
  float scale_ = 4;
  std::int64_t tracker_ = 0;
  float grad_ = 1;
  float param_ = 0;
};

void make_call(const ScalerHandle& scaler, const OptimizerHandle& optimizer, Call call) {
  if (call == Call::kUnscale) scaler.unscale_(optimizer);
  if (call == Call::kStep) scaler.step(optimizer);
  if (call == Call::kUpdate) scaler.update();
  if (call == Call::kUpdateTo2) scaler.update(2.0);
}

void expect_outcome(const std::function<void()>& action, Outcome wanted) {
  switch (wanted) {
    case Outcome::kOk:
      return action();
    case Outcome::kAlready:
      return expect_error(action, ErrorKind::kError, {"already", "update"});
    case Outcome::kAfterStep:
      return expect_error(action, ErrorKind::kError, {"unscale_", "after step"});
    case Outcome::kNoChecks:
      return expect_error(action, ErrorKind::kAssertion, {"No inf checks", "update"});
  }
}

void run_sequence(Session& subject, const std::array<Call, 5>& calls, bool is_bad) {
  std::string label = is_bad ? "with an inf" : "clean";
  for (const Call call : calls) label += std::string(" ") + kCallNames[static_cast<int>(call)];
  const ScopedTrace at(label);
  auto scaler = ready(subject, {.init_scale = 4, .growth_interval = 2});
  const Tensor watched = parameter(subject, 0, 1);
  auto optimizer = sgd(subject, {watched, parameter(subject, 0, is_bad ? kInf : 1)}, 0.5);
  Model model(is_bad);

  for (const Call call : calls) {
    expect_outcome([&] { make_call(scaler, optimizer, call); }, model.apply(call));
    expect_stage(scaler, optimizer, model.stage());
  }
  expect_scale(scaler, model.scale());
  expect_tracker(scaler, model.tracker());
  expect_bits(watched.grad(), f32({model.grad()}));
  expect_bits(watched.read(), f32({model.param()}));
  for (const Value& used : {Value(scaler), Value(optimizer), Value(watched)}) {
    subject.drop(held_in<Ref>(used).name);
  }
}

void run_all_sequences(Session& subject, bool is_bad) {
  for (const Call a : kCalls)
    for (const Call b : kCalls)
      for (const Call c : kCalls)
        for (const Call d : kCalls)
          for (const Call e : kCalls) run_sequence(subject, {a, b, c, d, e}, is_bad);
}

/// A scaler with scale 4 and one optimizer over [1] with the gradient [8].
struct Simple {
  explicit Simple(Session& subject, float grad = 8)
      : scaler(ready(subject, {.init_scale = 4})),
        param(parameter(subject, 1, grad)),
        optimizer(sgd(subject, {param})) {}

  void unscale() const { scaler.unscale_(optimizer); }
  void step() const { scaler.step(optimizer); }
  void update() const { scaler.update(); }

  ScalerHandle scaler;
  Tensor param;
  OptimizerHandle optimizer;
};

}  // namespace

CASES("scaler/sequences") {
  scaling("every_sequence_of_five_calls_on_clean_gradients",
          {"SCL-209", "SCL-304", "SCL-305", "SCL-306", "SCL-310", "SCL-401", "SCL-403", "SCL-410",
           "SCL-411", "SCL-412"},
          [](Session& subject) { run_all_sequences(subject, false); });

  scaling("every_sequence_of_five_calls_on_bad_gradients",
          {"SCL-209", "SCL-305", "SCL-306", "SCL-308", "SCL-309", "SCL-310", "SCL-401", "SCL-410",
           "SCL-411", "SCL-412"},
          [](Session& subject) { run_all_sequences(subject, true); });

  scaling("s01_unscale_step_update", {"SCL-209", "SCL-306"}, [](Session& subject) {
    const Simple s(subject);
    s.unscale();
    s.step();
    s.update();

    expect_tracker(s.scaler, 1);
    expect_bits(s.param.grad(), f32({2}));
    expect_bits(s.param.read(), f32({0.5}));
  });

  scaling("s02_step_update_is_the_same", {"SCL-306"}, [](Session& subject) {
    const Simple s(subject);
    s.step();
    s.update();

    expect_tracker(s.scaler, 1);
    expect_bits(s.param.grad(), f32({2}));
    expect_bits(s.param.read(), f32({0.5}));
  });

  scaling("s03_unscale_unscale", {"SCL-209"}, [](Session& subject) {
    const Simple s(subject);
    s.unscale();

    expect_error([&] { s.unscale(); }, ErrorKind::kError, {"already"});
  });

  scaling("s04_step_unscale", {"SCL-209"}, [](Session& subject) {
    const Simple s(subject);
    s.step();

    expect_error([&] { s.unscale(); }, ErrorKind::kError, {"after step"});
  });

  scaling("s05_step_step", {"SCL-305"}, [](Session& subject) {
    const Simple s(subject);
    s.step();

    expect_error([&] { s.step(); }, ErrorKind::kError, {"already"});
  });

  scaling("s06_update_alone", {"SCL-410"}, [](Session& subject) {
    const Simple s(subject);

    expect_error([&] { s.update(); }, ErrorKind::kAssertion, {"No inf checks"});
  });

  scaling("s07_step_update_update", {"SCL-410", "SCL-411"}, [](Session& subject) {
    const Simple s(subject);
    s.step();
    s.update();

    expect_error([&] { s.update(); }, ErrorKind::kAssertion, {"No inf checks"});
  });

  scaling("s08_unscale_update_unscale", {"SCL-411", "SCL-412"}, [](Session& subject) {
    const Simple s(subject);
    s.unscale();
    s.update();
    s.unscale();

    expect_bits(s.param.grad(), f32({0.5}));
  });

  scaling("s09_a_new_scale_alone", {"SCL-401", "SCL-403"}, [](Session& subject) {
    const Simple s(subject);
    s.step();
    s.update();

    s.scaler.update(2.0);

    expect_scale(s.scaler, 2);
    expect_tracker(s.scaler, 1);
  });

  scaling("s10_unscale_new_scale_unscale", {"SCL-411"}, [](Session& subject) {
    const Simple s(subject);
    s.unscale();
    s.scaler.update(2.0);
    s.unscale();

    expect_bits(s.param.grad(), f32({1}));
  });

  scaling("s11_without_gradients", {"SCL-210", "SCL-307", "SCL-410"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 4});
    auto optimizer = sgd(subject, {parameter(subject, f32({1}))});
    scaler.unscale_(optimizer);

    expect_error([&] { scaler.step(optimizer); }, ErrorKind::kAssertion, {"No inf checks"});
    expect_error([&] { scaler.step(optimizer); }, ErrorKind::kAssertion, {"No inf checks"});
    expect_error([&] { scaler.update(); }, ErrorKind::kAssertion, {"No inf checks"});
  });

  // S12 is scaler/unscale/every_call_needs_the_scale_and_names_itself, S13 and S14 are in
  // scaler/step.

  scaling("s15_a_refused_float16_gradient_blocks_pickling", {"SCL-205", "SCL-211", "SCL-510"},
          [](Session& subject) {
            auto scaler = ready(subject, {.init_scale = 4});
            auto optimizer =
                sgd(subject, {parameter(subject, 1, 8), parameter(subject, f16({1}), f16({1}))});

            expect_error([&] { scaler.unscale_(optimizer); }, ErrorKind::kValue, {"FP16"});
            expect_error([&] { scaler.pickle(); }, ErrorKind::kAssertion, {"pickled"});
          });

  scaling("s16_an_inf_is_skipped_and_halves_the_scale", {"SCL-309", "SCL-407"},
          [](Session& subject) {
            const Simple s(subject, kInf);

            expect_equal(s.scaler.step(s.optimizer), Value());
            expect_equal(s.optimizer.calls(), std::int64_t{0});
            s.update();

            expect_scale(s.scaler, 2);
            expect_tracker(s.scaler, 0);
          });

  scaling("s18_disabled", {"SCL-302", "SCL-303", "SCL-214", "SCL-414", "SCL-501"},
          [](Session& subject) {
            auto scaler = subject.scaler().make({.init_scale = 4, .enabled = false});
            auto optimizer = custom(subject, {parameter(subject, 1, 8)}, [](Session& inside) {
              inside.send("value", {{"value", 42}});
            });

            scaler.unscale_(optimizer);
            expect_equal(scaler.step(optimizer), 42);
            expect_equal(scaler.step(optimizer, {.kwargs = {{"closure", Value()}}}), 42);
            scaler.update();
            scaler.update();

            expect_equal(optimizer.calls(), std::int64_t{2});
            expect_bits(scaler.get_scale(), 1.0);
          });
}

}  // namespace assay::suites
