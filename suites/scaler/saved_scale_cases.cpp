// The scale as a tensor that autograd saves: what writes it raises its version, and a loss that was
// scaled before can no longer go backward.
#include "harness/suite/clients/autograd.hpp"
#include "suites/scaler/training.hpp"

namespace assay::suites {
namespace {

std::int64_t version_of(Session& subject, const std::string& name) {
  return subject.read<std::int64_t>("core.info", {{"tensor", Ref{name}}}, "version");
}

/// A scaler whose tensors have names, and a loss that it has scaled.
struct Scaled {
  explicit Scaled(Session& session, std::optional<Device> device = {})
      : subject(session), scaler(session.scaler().make({.init_scale = 4})), leaf(at(device)) {
    scaler.scale(leaf, "loss");
    scaler.tensors("held");
  }

  Tensor at(const std::optional<Device>& device) const {
    return {subject, device ? on(f32({3}), *device) : f32({3}), true};
  }
  std::int64_t scale_version() const { return version_of(subject, "held.scale"); }
  std::int64_t tracker_version() const { return version_of(subject, "held.tracker"); }
  void step() const { scaler.step(sgd(subject, {parameter(subject, 1, 1)})); }
  void backward() const { subject.send("core.backward", {{"tensor", Ref{"loss"}}}); }

  Session& subject;
  ScalerHandle scaler;
  Tensor leaf;
};

void expect_modified(const Scaled& scaled, Where where = Where::current()) {
  expect_error([&] { scaled.backward(); }, ErrorKind::kError,
               {"modified by an inplace operation", "version"}, where);
  expect_true(scaled.leaf.grad().is_none(), "no gradient arrived", where);
}

}  // namespace

CASES("scaler/saved_scale") {
  scaling("a_number_as_new_scale_comes_too_early_for_the_backward", {"SCL-104", "SCL-402"},
          [](Session& subject) {
            const Scaled scaled(subject);

            scaled.scaler.update(8.0);

            expect_modified(scaled);
          });

  scaling("a_tensor_as_new_scale_comes_too_early_for_the_backward", {"SCL-104", "SCL-404"},
          [](Session& subject) {
            const Scaled scaled(subject);

            scaled.scaler.update(scalar_of(Dtype::kFloat32, 8));

            expect_modified(scaled);
          });

  scaling("an_update_comes_too_early_for_the_backward", {"SCL-104", "SCL-407"},
          [](Session& subject) {
            const Scaled scaled(subject);
            scaled.step();

            scaled.scaler.update();

            expect_modified(scaled);
          });

  scaling("a_loaded_state_comes_too_early_for_the_backward", {"SCL-104", "SCL-508"},
          [](Session& subject) {
            const Scaled scaled(subject);

            scaled.scaler.load_state_dict(scaled.scaler.state_dict());

            expect_modified(scaled);
          });

  scaling("what_scales_a_second_loss_does_not_hinder_the_first", {"SCL-104"}, [](Session& subject) {
    const Scaled scaled(subject);
    const Tensor other(subject, f32({5}), true);
    scaled.scaler.scale(other, "other");
    scaled.step();
    scaled.scaler.unscale_(sgd(subject, {parameter(subject, 1, 1)}));

    scaled.backward();

    expect_bits(scaled.leaf.grad(), f32({4}));
    scaled.scaler.update();
    expect_error(
        [&] {
          subject.send("core.backward", {{"tensor", Ref{"other"}}});
        },
        ErrorKind::kError, {"modified by an inplace operation"});
  });

  scaling("a_scaled_loss_goes_backward_once", {"SCL-104"}, [](Session& subject) {
    const Scaled scaled(subject);
    scaled.backward();

    expect_error([&] { scaled.backward(); }, ErrorKind::kError, {"second time"});

    expect_bits(scaled.leaf.grad(), f32({4}));
  });

  scaling("a_scale_made_in_inference_mode_scales_no_loss_outside", {"SCL-104", "CORE-14"},
          [](Session& subject) {
            auto scaler = subject.scaler().make({.init_scale = 4});
            subject.scope(subject.autograd().inference_mode(true),
                          subject.block([&](Session& inner) {
                            inner.send("scaler.scale", {{"scaler", scaler}, {"outputs", f32({1})}});
                          }));

            expect_bits(scaler.scale(f32({3})), f32({12}));
            const Tensor leaf(subject, f32({3}), true);
            expect_error([&] { scaler.scale(leaf, "loss"); }, ErrorKind::kError, {"nference"});
          });

  scaling("each_write_of_the_scale_is_one_version", {"SCL-402", "SCL-404", "SCL-407", "SCL-508"},
          [](Session& subject) {
            const Scaled scaled(subject);
            expect_equal(scaled.scale_version(), 0);
            expect_equal(scaled.tracker_version(), 0);

            scaled.scaler.update(8.0);
            expect_equal(scaled.scale_version(), 1);
            scaled.scaler.update(scalar_of(Dtype::kFloat32, 4));
            expect_equal(scaled.scale_version(), 2);
            expect_equal(scaled.tracker_version(), 0);
            scaled.step();
            expect_equal(scaled.scale_version(), 2);
            scaled.scaler.update();
            expect_equal(scaled.scale_version(), 3);
            scaled.scaler.load_state_dict(scaled.scaler.state_dict());
            expect_equal(scaled.scale_version(), 4);
          });

  scaling("a_loaded_tracker_is_written_in_place", {"SCL-508"}, [](Session& subject) {
    const Scaled scaled(subject);
    const std::int64_t before = scaled.tracker_version();

    scaled.scaler.load_state_dict(scaled.scaler.state_dict());

    expect_equal(scaled.tracker_version(), before + 1);
  });

  scaling("the_flags_of_all_others_are_added_to_the_first", {"SCL-407"}, [](Session& subject) {
    const Scaled scaled(subject);
    const OptimizerHandle optimizers[] = {sgd(subject, {parameter(subject, 1, 1)}),
                                          sgd(subject, {parameter(subject, 1, kInf)}),
                                          sgd(subject, {parameter(subject, 1, 1)})};
    for (const auto& optimizer : optimizers) scaled.scaler.unscale_(optimizer);
    scaled.scaler.found_inf(optimizers[0], "first");
    scaled.scaler.found_inf(optimizers[1], "second");
    const std::int64_t before = version_of(subject, "first.0");
    const std::int64_t of_second = version_of(subject, "second.0");

    scaled.scaler.update();

    expect_equal(version_of(subject, "first.0"), before + 2);
    expect_equal(version_of(subject, "second.0"), of_second);
  }).unless(Property::kBoolFlag);
}

}  // namespace assay::suites
