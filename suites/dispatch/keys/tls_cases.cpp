// The thread's included and excluded keys, and guards for them.
#include "harness/suite/cases.hpp"
#include "suites/dispatch/keys/key_lists.hpp"
#include "suites/dispatch/scopes.hpp"

namespace assay::suites {
namespace {

constexpr KeyBits kIncluded = 0x0000000804000000;

const KeyModel& model_of(const Session& subject) { return key_model(subject.contract().release); }

KeyBits bits_of(Session& subject, const KeySet& set) { return subject.dispatch().set(set).set; }

void expect_tls(const TlsSets& got, const TlsSets& wanted, Where where = Where::current()) {
  expect_bits_equal(got.included, wanted.included, where);
  expect_bits_equal(got.excluded, wanted.excluded, where);
}

/// The backends that PyTorch's guards add and do not remove (DSP-212).
KeyBits left_behind(Session& subject, KeyBits before, const ModelKey& key) {
  if (subject.contract().strict()) return before;
  return before | (model_of(subject).set_of(key) & model_of(subject).all_backends());
}

/// Restores the defaults after earlier rows of the case.
void start_afresh(Session& subject) { subject.dispatch().zero_tls(); }

}  // namespace

CASES("dispatch/tls") {
  conformance("a_thread_starts_with_the_sets_of_1_13", {"DSP-209"}, [](Session& subject) {
    expect_tls(subject.dispatch().tls(), {kIncluded, 0x0000070000000000});
  }).until(Release::k1_13);

  conformance("a_thread_starts_with_the_sets_of_2_11", {"DSP-209"}, [](Session& subject) {
    expect_tls(subject.dispatch().tls(), {kIncluded, 0x0003ff0000000000});
  }).since(Release::k2_11);

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

  conformance("a_guard_adds_its_keys_and_takes_them_away", {"DSP-211"}, [](Session& subject) {
    const TlsSets before = subject.dispatch().tls();
    const KeyBits keys = bits_of(subject, {"Tracer", "Python"});

    const TlsSets included = tls_within(subject, [](DispatchClient d) {
      d.include({"Tracer", "Python"});
    });
    const TlsSets excluded = tls_within(subject, [](DispatchClient d) {
      d.exclude({"Tracer", "Python"});
    });

    expect_tls(included, {before.included | keys, before.excluded});
    expect_tls(excluded, {before.included, before.excluded | keys});
    expect_tls(subject.dispatch().tls(), before);
  });

  conformance("a_nested_guard_over_the_same_key_takes_nothing_away", {"DSP-211"},
              [](Session& subject) {
                const auto include = [](const std::string& name) {
                  Command command;
                  command.verb = "dispatch.include";
                  command.with = {{"keys", List{{"Tracer"}}}};
                  command.as = name;
                  return Block{command};
                };
                const Block ask = subject.block([](Session& s) { s.dispatch().tls(); });
                const Block body = subject.block([&](Session& s) {
                  s.scope(include("inner"), ask);
                  s.dispatch().tls();
                });

                const auto replies = subject.scope(include("outer"), body);

                expect_tls(tls_from(replies.at(1)), tls_from(replies.at(0).replies.at(0)));
              });

  conformance("a_guard_restores_when_its_scope_raises", {"DSP-211"}, [](Session& subject) {
    const TlsSets before = subject.dispatch().tls();
    const Block enter = subject.block([](Session& s) {
      s.dispatch().include("Tracer");
      s.dispatch().exclude("Python");
    });
    Command raise;
    raise.verb = "raise";
    raise.with = {{"kind", "value"}, {"message", "out"}};

    expect_error([&] { subject.scope(enter, {raise}); }, ErrorKind::kValue, {"out"});

    expect_tls(subject.dispatch().tls(), before);
  });

  conformance("the_outer_guard_left_first_takes_its_key_from_the_inner", {"DSP-211"},
              [](Session& subject) {
                const TlsSets before = subject.dispatch().tls();
                const DispatchObject outer = subject.dispatch().include("Tracer");
                const DispatchObject inner = subject.dispatch().include("Tracer");

                subject.send("leave", {{"guard", outer}});
                const TlsSets between = subject.dispatch().tls();
                subject.send("leave", {{"guard", inner}});

                expect_tls(between, before);
                expect_tls(subject.dispatch().tls(), before);
              });

  conformance("a_guard_over_any_key_leaves_no_trace", {"DSP-212", "DSP-211"}, [](Session& subject) {
    const TlsSets before = subject.dispatch().tls();
    for (const ModelKey& key : model_of(subject).keys()) {
      const ScopedTrace at{key.name};
      start_afresh(subject);
      tls_within(subject, [&](DispatchClient d) { d.include(key.name); });
      tls_within(subject, [&](DispatchClient d) { d.exclude(key.name); });

      const TlsSets after = subject.dispatch().tls();

      expect_tls(after, {left_behind(subject, before.included, key),
                         left_behind(subject, before.excluded, key)});
    }
    start_afresh(subject);
  });

  conformance("two_backends_of_one_functionality_nest", {"DSP-212"}, [](Session& subject) {
    const TlsSets before = subject.dispatch().tls();
    for (const std::string& block : model_of(subject).per_backend()) {
      const ScopedTrace at{block};
      tls_within(subject, [&](DispatchClient d) {
        d.include(instance_name(block, "CPU"));
        d.include(instance_name(block, "CUDA"));
        d.exclude(instance_name(block, "XLA"));
        d.exclude(instance_name(block, "Lazy"));
      });

      expect_tls(subject.dispatch().tls(), before);
    }
  }).only(Deviations::kStrict);

  conformance("after_an_include_guard_the_bits_are_as_before", {"DSP-212"}, [](Session& subject) {
    tls_within(subject, [](DispatchClient d) { d.include("CUDA"); });

    expect_bits_equal(subject.dispatch().tls().included, kIncluded);
  }).only(Deviations::kStrict);

  conformance("in_pytorch_the_backend_stays_included", {"DSP-212"}, [](Session& subject) {
    tls_within(subject, [](DispatchClient d) { d.include("CUDA"); });
    const KeyBits included = subject.dispatch().tls().included;
    start_afresh(subject);

    expect_bits_equal(included, subject.dispatch().tls().included | 0x2);
  }).only(Deviations::kCompat);

  conformance("in_pytorch_the_backend_stays_excluded", {"DSP-212"}, [](Session& subject) {
    tls_within(subject, [](DispatchClient d) { d.exclude("AutogradCPU"); });
    const KeyBits excluded = subject.dispatch().tls().excluded;
    start_afresh(subject);

    expect_bits_equal(excluded, subject.dispatch().tls().excluded | 0x1);
  }).only(Deviations::kCompat);

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
