// Guards that include or exclude keys: what they add, and what they leave behind.
#include "harness/suite/cases.hpp"
#include "suites/dispatch/keys/thread_sets.hpp"

namespace assay::suites {
namespace {

/// The backends that a guard of PyTorch leaves; since 2.12 it restores the set (DSP-212).
KeyBits left_by_guard(Session& subject, KeyBits before, const ModelKey& key) {
  const bool restores = subject.contract().release >= Release::k2_12;
  return restores ? before : left_behind(subject, before, key);
}

void leave(Session& subject, const DispatchObject& guard) {
  subject.send("leave", {{"guard", guard}});
}

using MakeGuard = DispatchObject (*)(Session&, const KeySet&);

/// The sets that the two kinds of guards change, each the included or the excluded one.
struct GuardKind {
  const char* name;
  MakeGuard make;
  KeyBits TlsSets::*set;
};

const GuardKind kGuardKinds[] = {
    {"include", [](Session& s, const KeySet& keys) { return s.dispatch().include(keys); },
     &TlsSets::included},
    {"exclude", [](Session& s, const KeySet& keys) { return s.dispatch().exclude(keys); },
     &TlsSets::excluded},
};

/// Enters one guard for each key and leaves them in this order: each time the set is the one that
/// the guard found.
void leave_in_order(Session& subject, const GuardKind& kind, const std::vector<std::string>& keys,
                    const std::vector<std::size_t>& order) {
  std::vector<KeyBits> found;
  std::vector<DispatchObject> guards;
  for (const std::string& key : keys) {
    found.push_back(subject.dispatch().tls().*kind.set);
    guards.push_back(kind.make(subject, key));
  }
  for (const std::size_t index : order) {
    const ScopedTrace step("after leaving the guard of " + keys[index]);
    leave(subject, guards[index]);

    expect_bits_equal(subject.dispatch().tls().*kind.set, found[index]);
  }
}

}  // namespace

CASES("dispatch/tls") {
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

                leave(subject, outer);
                const TlsSets between = subject.dispatch().tls();
                leave(subject, inner);

                expect_tls(between, before);
                expect_tls(subject.dispatch().tls(), before);
              })
      .until(Release::k2_11);

  conformance("a_guard_left_early_takes_its_own_key_alone", {"DSP-211"}, [](Session& subject) {
    for (const GuardKind& kind : kGuardKinds) {
      const ScopedTrace row(kind.name);
      const KeyBits before = subject.dispatch().tls().*kind.set;
      const DispatchObject outer = kind.make(subject, "Tracer");
      const DispatchObject inner = kind.make(subject, "ZeroTensor");

      leave(subject, outer);
      const KeyBits between = subject.dispatch().tls().*kind.set;
      leave(subject, inner);

      expect_bits_equal(between, before | bits_of(subject, "ZeroTensor"));
      expect_bits_equal(subject.dispatch().tls().*kind.set, before);
    }
  }).until(Release::k2_11);

  conformance("a_guard_restores_the_set_that_it_found", {"DSP-211"}, [](Session& subject) {
    for (const GuardKind& kind : kGuardKinds) {
      const ScopedTrace row(kind.name);
      leave_in_order(subject, kind, {"Tracer", "Tracer"}, {1, 0});
      leave_in_order(subject, kind, {"Tracer", "Tracer"}, {0, 1});
      leave_in_order(subject, kind, {"ZeroTensor", "Negative", "Python"}, {1, 2, 0});
      leave_in_order(subject, kind, {"CUDA", "Conjugate"}, {0, 1});
    }
  }).since(Release::k2_12);

  conformance("what_changes_inside_a_guard_lasts", {"DSP-211"}, [](Session& subject) {
    const TlsSets before = subject.dispatch().tls();
    const DispatchObject guard = subject.dispatch().exclude("Tracer");

    subject.dispatch().set_excluded("ZeroTensor", true);
    leave(subject, guard);

    expect_bits_equal(subject.dispatch().tls().excluded,
                      before.excluded | bits_of(subject, "ZeroTensor"));
    subject.dispatch().set_excluded("ZeroTensor", false);
  }).until(Release::k2_11);

  conformance("what_changes_inside_a_guard_ends_with_it", {"DSP-211"}, [](Session& subject) {
    const TlsSets before = subject.dispatch().tls();
    for (const char* key : {"Tracer", "AutocastCPU"}) {  // the second is excluded already
      const ScopedTrace row(key);
      const DispatchObject guard = subject.dispatch().exclude(key);

      subject.dispatch().set_excluded("ZeroTensor", true);
      subject.dispatch().set_excluded("AutocastCUDA", false);
      subject.dispatch().set_included("Python", true);
      leave(subject, guard);

      const TlsSets after = subject.dispatch().tls();
      subject.dispatch().set_included("Python", false);
      expect_tls(after, {before.included | bits_of(subject, "Python"), before.excluded});
    }
  }).since(Release::k2_12);

  conformance("a_guard_over_any_key_leaves_no_trace", {"DSP-212", "DSP-211"}, [](Session& subject) {
    const TlsSets before = subject.dispatch().tls();
    for (const ModelKey& key : model_of(subject).keys()) {
      const ScopedTrace at{key.name};
      start_afresh(subject);
      tls_within(subject, [&](DispatchClient d) { d.include(key.name); });
      tls_within(subject, [&](DispatchClient d) { d.exclude(key.name); });

      const TlsSets after = subject.dispatch().tls();

      expect_tls(after, {left_by_guard(subject, before.included, key),
                         left_by_guard(subject, before.excluded, key)});
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
    const TlsSets before = subject.dispatch().tls();

    tls_within(subject, [](DispatchClient d) { d.include("CUDA"); });

    expect_tls(subject.dispatch().tls(), before);
  }).only(Deviations::kStrict);

  conformance("in_pytorch_the_backend_stays_included", {"DSP-212"},
              [](Session& subject) {
                tls_within(subject, [](DispatchClient d) { d.include("CUDA"); });
                const KeyBits included = subject.dispatch().tls().included;
                start_afresh(subject);

                expect_bits_equal(included, subject.dispatch().tls().included | 0x2);
              })
      .only(Deviations::kCompat)
      .until(Release::k2_11);

  conformance("in_pytorch_the_backend_stays_excluded", {"DSP-212"},
              [](Session& subject) {
                tls_within(subject, [](DispatchClient d) { d.exclude("AutogradCPU"); });
                const KeyBits excluded = subject.dispatch().tls().excluded;
                start_afresh(subject);

                expect_bits_equal(excluded, subject.dispatch().tls().excluded | 0x1);
              })
      .only(Deviations::kCompat)
      .until(Release::k2_11);

  conformance("a_guard_takes_its_backend_along", {"DSP-212"}, [](Session& subject) {
    const TlsSets before = subject.dispatch().tls();

    tls_within(subject, [](DispatchClient d) {
      d.include("CUDA");
      d.exclude("AutogradCPU");
    });

    expect_tls(subject.dispatch().tls(), before);
  }).since(Release::k2_12);
}

}  // namespace assay::suites
