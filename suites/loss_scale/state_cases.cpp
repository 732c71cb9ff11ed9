// Saving and loading a loss scale. Loaded objects are compared with untouched ones, so that a rule
// of the steps that a subject does not keep makes no case of saving fail.
#include "suites/loss_scale/stepping.hpp"

namespace assay::suites {
namespace {

LossScaleSettings every_three() {
  return {.scale = 64, .growth_factor = 2, .backoff_factor = 0.5, .growth_interval = 3};
}

/// A new object after these steps.
LossScaleHandle after(Session& subject, const LossScaleSettings& settings, std::string_view steps) {
  LossScaleHandle scale = made(subject, settings);
  scale.update(steps_of(steps));
  return scale;
}

/// Saves after each beginning of `steps`, and goes on with the rest in an object that has counted
/// something else.
void save_everywhere(Session& subject, const LossScaleSettings& settings, std::string_view steps) {
  for (std::size_t at = 0; at <= steps.size(); ++at) {
    const ScopedTrace here("saved after " + std::to_string(at));
    const LossScaleHandle untouched = after(subject, settings, steps.substr(0, at));
    const Ref state = after(subject, settings, steps.substr(0, at)).save();
    const LossScaleHandle loaded = after(subject, settings, at % 2 == 0 ? "o.." : ".");

    loaded.load(state);

    expect_same_scales(loaded, untouched, steps.substr(at));
  }
}

}  // namespace

CASES("loss_scale/state") {
  loss_scale_case("goes_on_from_any_step", {"LSC-301"}, [](Session& subject) {
    save_everywhere(subject, every_three(), "..o..........o.o....");
  });

  loss_scale_case("goes_on_in_a_new_object", {"LSC-301"}, [](Session& subject) {
    const Ref state = after(subject, every_three(), "o..").save();
    const LossScaleHandle loaded = made(subject, every_three());

    loaded.load(state);

    expect_bits(loaded.get(), 32.0);
    expect_same_scales(loaded, after(subject, every_three(), "o.."), ".....");
  });

  loss_scale_case("makes_an_object_forget_what_it_counted", {"LSC-301"}, [](Session& subject) {
    const Ref state = made(subject, every_three()).save();
    const LossScaleHandle loaded = after(subject, every_three(), "oo..");

    loaded.load(state);

    expect_bits(loaded.get(), 64.0);
    expect_same_scales(loaded, made(subject, every_three()), "....");
  });

  loss_scale_case("has_the_overflows_that_are_free", {"LSC-302"}, [](Session& subject) {
    LossScaleSettings settings = every_three();
    settings.hysteresis = 3;
    const Ref state = after(subject, settings, "oo").save();
    const LossScaleHandle loaded = made(subject, settings);

    loaded.load(state);

    expect_bits(loaded.get(), 64.0);
    expect_same_scales(loaded, after(subject, settings, "oo"), "oo...ooo");
  });

  loss_scale_case("goes_on_with_hysteresis", {"LSC-302", "LSC-301"}, [](Session& subject) {
    LossScaleSettings settings = every_three();
    settings.hysteresis = 2;
    save_everywhere(subject, settings, ".o..o.o...o...o.oo...");
    settings.hysteresis = 4;
    save_everywhere(subject, settings, "ooo...oooo.oo...ooooo");
  });

  loss_scale_case("goes_on_with_a_floor", {"LSC-301", "LSC-201"}, [](Session& subject) {
    LossScaleSettings settings = every_three();
    settings.floor = 24;
    save_everywhere(subject, settings, "..ooo......o...");
  });

  loss_scale_case("goes_on_with_a_ceiling", {"LSC-301", "LSC-202"}, [](Session& subject) {
    LossScaleSettings settings = every_three();
    settings.ceiling = 96;
    save_everywhere(subject, settings, "........o.......");
  });

  loss_scale_case("is_a_copy", {"LSC-303"}, [](Session& subject) {
    const LossScaleHandle scale = after(subject, every_three(), "..");
    const Ref state = scale.save();
    scale.update(steps_of("ooo."));

    scale.load(state);

    expect_bits(scale.get(), 64.0);
    expect_same_scales(scale, after(subject, every_three(), ".."), "...");
  });

  loss_scale_case("can_be_loaded_twice", {"LSC-303"}, [](Session& subject) {
    const LossScaleHandle saved = after(subject, every_three(), "o..");
    const Ref state = saved.save();
    const LossScaleHandle first = made(subject, every_three());
    const LossScaleHandle second = made(subject, every_three());

    first.load(state);
    expect_same_scales(first, after(subject, every_three(), "o.."), ".o");
    second.load(state);

    expect_same_scales(second, after(subject, every_three(), "o.."), "..");
    expect_same_scales(first, after(subject, every_three(), "o...o"), "....");
    first.load(state);
    expect_same_scales(first, after(subject, every_three(), "o.."), "..");
    expect_same_scales(saved, after(subject, every_three(), "o.."), "..");
  });

  loss_scale_case("outlives_its_object", {"LSC-303"}, [](Session& subject) {
    const LossScaleHandle saved = after(subject, every_three(), "o..");
    const Ref state = saved.save();
    saved.drop();
    const LossScaleHandle loaded = made(subject, every_three());

    loaded.load(state);

    expect_same_scales(loaded, after(subject, every_three(), "o.."), "..");
  });

  loss_scale_case("is_one_of_several_of_an_object", {"LSC-303"}, [](Session& subject) {
    const LossScaleHandle scale = made(subject, every_three());
    const Ref early = scale.save();
    scale.update(steps_of("o.."));
    const Ref late = scale.save();

    scale.load(early);
    expect_same_scales(scale, made(subject, every_three()), "..");
    scale.load(late);

    expect_same_scales(scale, after(subject, every_three(), "o.."), "..");
  });

  loss_scale_case("brings_all_settings_or_none", {"LSC-304"}, [](Session& subject) {
    const LossScaleSettings saved{
        .scale = 64, .growth_factor = 4, .backoff_factor = 0.25, .growth_interval = 2};
    const Ref state = after(subject, saved, ".").save();
    LossScaleSettings own = every_three();
    own.scale = 8;
    const LossScaleHandle loaded = made(subject, own);

    loaded.load(state);

    expect_bits(loaded.get(), 64.0);
    const auto steps = steps_of("....o");
    const std::vector<double> scales = loaded.update(steps);
    expect_true(scales == after(subject, saved, ".").update(steps) ||
                    scales == after(subject, every_three(), ".").update(steps),
                "the settings are all the state's, or all the object's own");
  });

  loss_scale_case("is_not_an_empty_dict_and_nothing_changes", {"LSC-305"}, [](Session& subject) {
    const LossScaleHandle scale = after(subject, every_three(), "o..");

    expect_error([&] { scale.load(Dict{}); },
                 {ErrorKind::kError, ErrorKind::kValue, ErrorKind::kKey, ErrorKind::kType,
                  ErrorKind::kAttribute, ErrorKind::kAssertion},
                 {});

    expect_bits(scale.get(), 32.0);
    expect_same_scales(scale, after(subject, every_three(), "o.."), "..o");
  });
}

}  // namespace assay::suites
