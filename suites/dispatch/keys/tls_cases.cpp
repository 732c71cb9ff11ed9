// The thread's included and excluded keys: their defaults, single keys, forced sets, named guards.
#include "harness/suite/cases.hpp"
#include "suites/dispatch/keys/thread_sets.hpp"

namespace assay::suites {

CASES("dispatch/tls") {
  conformance("a_thread_starts_with_the_sets_of_1_13", {"DSP-209"}, [](Session& subject) {
    expect_tls(subject.dispatch().tls(), {0x0000000804000000, 0x0000070000000000});
  }).until(Release::k1_13);

  conformance("a_thread_starts_with_the_sets_of_2_11", {"DSP-209"},
              [](Session& subject) {
                expect_tls(subject.dispatch().tls(), {0x0000000804000000, 0x0003ff0000000000});
              })
      .since(Release::k2_11)
      .until(Release::k2_12);

  conformance("a_thread_starts_with_the_sets_of_2_13", {"DSP-209"}, [](Session& subject) {
    expect_tls(subject.dispatch().tls(), {0x0000000404000000, 0x0001ff8000000000});
  }).since(Release::k2_13);

  conformance("every_autocast_key_starts_excluded", {"DSP-209", "DSP-217"}, [](Session& subject) {
    const KeyModel& model = model_of(subject);
    KeyBits included = 0;
    KeyBits excluded = 0;
    for (const std::string& key : model.functionalities()) {
      if (key.starts_with("Autocast")) excluded |= model.functionality_bit(key);
      if (key == "BackendSelect" || key == "ADInplaceOrView") {
        included |= model.functionality_bit(key);
      }
    }
    expect_tls(subject.dispatch().tls(), {included, excluded});
  });

  conformance("another_thread_does_not_inherit", {"DSP-209"}, [](Session& subject) {
    const TlsSets fresh = subject.dispatch().tls();
    const Block ask = subject.block([](Session& inner) { inner.dispatch().tls(); });
    const Block enter = subject.block([](Session& inner) {
      inner.dispatch().include("Tracer");
      inner.dispatch().exclude("Python");
    });

    const auto replies =
        subject.scope(enter, subject.block([&](Session& inner) { inner.on("other", ask); }));

    expect_tls(tls_from(replies.at(0).replies.at(0)), fresh);
  });

  conformance("a_snapshot_carries_the_sets_to_another_thread", {"DSP-209"}, [](Session& subject) {
    const auto taken = within(
        subject, [](DispatchClient d) { d.include("Tracer"), d.exclude("Python"); },
        [](DispatchClient d) {
          d.tls();
          d.thread_state("carried");
        });
    const Block enter =
        subject.block([](Session& inner) { inner.dispatch().restore(Ref{"carried"}); });
    const Block ask = subject.block([](Session& inner) { inner.dispatch().tls(); });
    Command scope;
    scope.verb = "scope";
    scope.enter = enter;
    scope.body = ask;

    const auto there = subject.on("other", {scope});
    const auto after = subject.on("other", ask);

    expect_tls(tls_from(there.at(0).replies.at(0)), tls_from(taken.at(0)));
    expect_tls(tls_from(after.at(0)), subject.dispatch().tls());
  });

  conformance("storage_of_zeros_means_the_defaults", {"DSP-210"}, [](Session& subject) {
    const TlsSets fresh = subject.dispatch().tls();
    subject.dispatch().set_included("Tracer", true);
    subject.dispatch().set_excluded("AutocastCPU", false);

    subject.dispatch().zero_tls();

    expect_tls(subject.dispatch().tls(), fresh);
  });

  conformance("excluding_one_backends_key_excludes_not_the_others_by_name", {"DSP-213"},
              [](Session& subject) {
                const auto replies = within(
                    subject, [](DispatchClient d) { d.exclude("AutogradCPU"); },
                    [](DispatchClient d) {
                      d.is_excluded("AutogradCPU");
                      d.is_excluded("AutogradCUDA");
                      d.is_excluded("AutogradFunctionality");
                    });

                expect_equal(field(replies.at(0), "result"), true);
                expect_equal(field(replies.at(1), "result"), false);
                expect_equal(field(replies.at(2), "result"), true);
                start_afresh(subject);
              });

  conformance("force_replaces_both_sets_and_restores_them", {"DSP-215"}, [](Session& subject) {
    const TlsSets before = subject.dispatch().tls();
    const KeySet included = {"CUDA", "Tracer"};
    const KeySet excluded = {"SparseXLA", "Python"};

    const TlsSets inside =
        tls_within(subject, [&](DispatchClient d) { d.force(included, excluded); });

    expect_tls(inside, {bits_of(subject, included), bits_of(subject, excluded)});
    expect_tls(subject.dispatch().tls(), before);
  });

  conformance("force_restores_what_another_guard_has_set", {"DSP-215"}, [](Session& subject) {
    const auto replies = within(
        subject, [](DispatchClient d) { d.include("Tracer"); },
        [](DispatchClient d) {
          const DispatchObject forced = d.force(KeySet(KeyBits{0}), KeySet(KeyBits{0}));
          d.tls();
          d.leave(forced);
          d.tls();
        });

    expect_tls(tls_from(replies.at(1)), {0, 0});
    expect_bits_equal(tls_from(replies.at(3)).included,
                      subject.dispatch().tls().included | bits_of(subject, "Tracer"));
  });

  conformance("single_keys_are_switched_on_and_off", {"DSP-215"}, [](Session& subject) {
    const TlsSets before = subject.dispatch().tls();
    const KeyBits tracer = bits_of(subject, "Tracer");

    subject.dispatch().set_included("Tracer", true);
    subject.dispatch().set_included("Tracer", true);
    subject.dispatch().set_excluded("Python", true);
    expect_tls(subject.dispatch().tls(),
               {before.included | tracer, before.excluded | bits_of(subject, "Python")});
    expect_true(subject.dispatch().is_included("Tracer"), "Tracer is included");
    expect_true(subject.dispatch().is_excluded("Python"), "Python is excluded");

    subject.dispatch().set_included("Tracer", false);
    subject.dispatch().set_included("Tracer", false);
    subject.dispatch().set_excluded("Python", false);
    expect_tls(subject.dispatch().tls(), before);
  });

  conformance("on_and_off_restores_every_bit_of_any_key", {"DSP-215"}, [](Session& subject) {
    const TlsSets before = subject.dispatch().tls();
    for (const ModelKey& key : model_of(subject).keys()) {
      // These two are included by default, so the pair is reversed.
      if (key.name == "BackendSelect" || key.name == "ADInplaceOrView") continue;
      if (key.name.starts_with("Autocast")) continue;
      const ScopedTrace at{key.name};
      start_afresh(subject);
      subject.dispatch().set_included(key.name, true);
      subject.dispatch().set_included(key.name, false);
      subject.dispatch().set_excluded(key.name, true);
      subject.dispatch().set_excluded(key.name, false);

      expect_tls(subject.dispatch().tls(), {left_behind(subject, before.included, key),
                                            left_behind(subject, before.excluded, key)});
    }
    start_afresh(subject);
  });

  conformance("on_and_off_takes_nothing_from_a_guards_backend", {"DSP-215"}, [](Session& subject) {
    const auto replies = within(
        subject, [](DispatchClient d) { d.include("HIP"); },
        [](DispatchClient d) {
          d.tls();
          d.set_included("CUDA", true);
          d.set_included("CUDA", false);
          d.tls();
        });

    expect_tls(tls_from(replies.at(3)), tls_from(replies.at(0)));
  }).only(Deviations::kStrict);

  conformance("below_autograd_excludes_the_three_autograd_keys", {"DSP-216"}, [](Session& subject) {
    const TlsSets before = subject.dispatch().tls();
    const KeyBits autograd =
        bits_of(subject, {"AutogradFunctionality", "AutogradOther", "AutogradNestedTensor"});

    const TlsSets inside = tls_within(subject, [](DispatchClient d) { d.below("autograd"); });

    expect_tls(inside, {before.included, before.excluded | autograd});
  });

  conformance("below_views_excludes_views_as_well", {"DSP-216"}, [](Session& subject) {
    const TlsSets before = subject.dispatch().tls();
    const KeyBits keys = bits_of(subject, {"AutogradFunctionality", "AutogradOther",
                                           "AutogradNestedTensor", "ADInplaceOrView"});

    const TlsSets inside =
        tls_within(subject, [](DispatchClient d) { d.below("ADInplaceOrView"); });

    expect_tls(inside, {before.included, before.excluded | keys});
  });

  conformance("the_guards_below_have_the_bits_of_1_13", {"DSP-216"}, [](Session& subject) {
    const auto excluded = [&](const char* what) {
      return tls_within(subject, [&](DispatchClient d) { d.below(what); }).excluded;
    };
    expect_bits_equal(excluded("autograd"), 0x0000077000000000);
    expect_bits_equal(excluded("ADInplaceOrView"), 0x0000077800000000);
  }).until(Release::k1_13);

  conformance(
      "inference_mode_includes_no_views_and_excludes_autograd", {"DSP-216"}, [](Session& subject) {
        const TlsSets before = subject.dispatch().tls();
        const KeyBits autograd =
            bits_of(subject, {"AutogradFunctionality", "AutogradOther", "AutogradNestedTensor"});
        const KeyBits views = bits_of(subject, "ADInplaceOrView");

        const TlsSets inside =
            tls_within(subject, [](DispatchClient d) { d.below("inference_mode"); });

        expect_tls(inside, {before.included & ~views, before.excluded | autograd});
        expect_tls(subject.dispatch().tls(), before);
      });

  conformance("autocast_is_switched_by_what_is_excluded", {"DSP-217"}, [](Session& subject) {
    const KeyBits tensor =
        subject.dispatch().tensor_keys(subject.dispatch().tensor({.device = "cuda"}));
    const TlsSets off = subject.dispatch().tls();

    subject.dispatch().set_excluded("AutocastCUDA", false);
    const TlsSets on = subject.dispatch().tls();
    subject.dispatch().set_excluded("AutocastCUDA", true);

    const auto highest = [&](const TlsSets& tls) {
      const Value excluded = static_cast<std::int64_t>(tls.excluded);
      return subject.dispatch().set(KeySet(tensor | tls.included), "minus", excluded).highest;
    };
    expect_equal(highest(off), "AutogradCUDA");
    expect_equal(highest(on), "AutocastCUDA");
  });
}

}  // namespace assay::suites
