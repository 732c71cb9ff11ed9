// Several threads: registration during calls, thread-local sets, first calls. Each round must end
// in one of the permitted states, and the final state must be consistent.
#include "suites/dispatch/probing.hpp"

namespace assay::suites {
namespace {

const std::string kOp = "race::f";
const char* const kUnary = "Tensor(const Tensor&)";

DispatchObject define(Session& subject, const std::string& name = kOp) {
  return subject.dispatch().def(name + "(Tensor x) -> Tensor");
}

/// A block of `times` calls: an error ends the block and fails the round.
Block calls(Session& subject, const Value& op, const Value& x, int times) {
  return subject.block([&](Session& s) {
    for (int i = 0; i < times; ++i) {
      CallOptions how;
      if (i % 2 == 0) how.boxed = true;
      if (i % 2 != 0) how.signature = kUnary;
      s.dispatch().call(op, {x}, how);
    }
  });
}

/// Registers and unregisters `times` times. Names are local to the round.
Block coming_and_going(Session& subject, const std::string& op, const std::string& key,
                       const DispatchObject& kernel, int times) {
  return subject.block([&](Session& s) {
    for (int i = 0; i < times; ++i) s.dispatch().impl(op, kernel, {.key = key}).drop();
  });
}

}  // namespace

CASES("dispatch/threads") {
  conformance("calls_of_one_operator_beside_registrations_of_another", {"DSP-801", "DSP-802"},
              [](Session& subject) {
                const auto f = define(subject);
                at(subject, kOp, "CPU");
                const auto g = define(subject, "race::g");
                const auto kernel = boxed_kernel(subject, "g");
                const auto x = probe(subject, "CPU");

                subject.together({{"a", calls(subject, kOp, x, 8)},
                                  {"b", calls(subject, kOp, x, 8)},
                                  {"c", coming_and_going(subject, "race::g", "CPU", kernel, 4)}},
                                 40);

                expect_text(reached(subject, kOp, {x}), "CPU");
                expect_text(reached(subject, "race::g", {x}), "not_implemented");
              });

  conformance("registrations_on_two_threads_are_all_kept", {"DSP-801"}, [](Session& subject) {
    const auto kernel = boxed_kernel(subject, "k");
    const auto made_by = [&](const std::string& letter) {
      return subject.block([&](Session& s) {
        for (int i = 0; i < 5; ++i) {
          const std::string op = "race::" + letter + std::to_string(i);
          s.dispatch().def(op + "(Tensor x) -> Tensor");
          s.dispatch().impl(op, kernel, {.key = "CPU"});
        }
      });
    };
    const Block count = subject.block([](Session& s) { s.dispatch().ops("race"); });

    const Reply reply = subject.together({{"a", made_by("a")}, {"b", made_by("b")}}, 30, count);

    const auto& outcomes = field_as<List>(reply, "outcomes").items;
    expect_equal(static_cast<std::int64_t>(outcomes.size()), 1);
    expect_texts(subject.dispatch().ops("race"), {});
  });

  conformance("a_call_beside_an_override_runs_the_old_kernel_or_the_new", {"DSP-803"},
              [](Session& subject) {
                const auto def = define(subject);
                at(subject, kOp, "CPU", "old");
                const auto kernel = boxed_kernel(subject, "new");
                const auto x = probe(subject, "CPU");

                subject.together({{"a", calls(subject, kOp, x, 8)},
                                  {"b", calls(subject, kOp, x, 8)},
                                  {"c", coming_and_going(subject, kOp, "CPU", kernel, 4)}},
                                 60);

                expect_text(reached(subject, kOp, {x}), "old");
                subject.dispatch().check(kOp);
              })
      .only(Deviations::kStrict);

  conformance("table_and_mask_change_together", {"DSP-803"}, [](Session& subject) {
    const auto def = define(subject);
    at(subject, kOp, "CPU");
    const auto wrapper = subject.dispatch().kernel({.behaviour = "redispatch", .label = "wrapper"});
    subject.dispatch().impl(kOp, fallthrough_kernel(subject), {.key = "Tracer"});
    const auto x = probe(subject, {"CPU", "Tracer"});

    // A mask newer than the table would select the fallthrough, which cannot be called. On a busy
    // machine few rounds have a call and a registration at the same time, so there are many.
    subject.together({{"a", calls(subject, kOp, x, 8)},
                      {"b", calls(subject, kOp, x, 8)},
                      {"c", coming_and_going(subject, kOp, "Tracer", wrapper, 32)}},
                     400);

    expect_text(reached(subject, kOp, {x}), "CPU");
  }).only(Deviations::kStrict);

  conformance("a_fallback_comes_and_goes_beside_calls", {"DSP-803", "DSP-511"},
              [](Session& subject) {
                const auto def = define(subject);
                at(subject, kOp, "CPU");
                const auto fallback =
                    subject.dispatch().kernel({.behaviour = "redispatch", .label = "fallback"});
                const auto x = probe(subject, {"CPU"});
                const auto comes = subject.block([&](Session& s) {
                  for (int i = 0; i < 4; ++i) {
                    s.dispatch().fallback(fallback, {.key = "TESTING_ONLY_GenericMode"}).drop();
                  }
                });

                subject.together({{"a", calls(subject, kOp, x, 8)}, {"c", comes}}, 40);

                expect_text(reached(subject, kOp, {x}), "CPU");
              })
      .only(Deviations::kStrict);

  conformance("lookup_beside_removal_finds_all_or_nothing", {"DSP-803", "DSP-801"},
              [](Session& subject) {
                const auto kernel = boxed_kernel(subject, "k");
                const auto comes = subject.block([&](Session& s) {
                  for (int i = 0; i < 4; ++i) {
                    s.dispatch().def("race::gone(Tensor x) -> Tensor").drop();
                  }
                });
                const auto asks = subject.block([](Session& s) {
                  for (int i = 0; i < 16; ++i) s.dispatch().find("race::gone");
                });

                subject.together({{"a", asks}, {"b", asks}, {"c", comes}}, 40);

                expect_false(subject.dispatch().find("race::gone"), "it is not there");
              })
      .only(Deviations::kStrict);

  conformance("the_first_call_may_be_made_by_several_threads", {"DSP-802", "DSP-803"},
              [](Session& subject) {
                const auto x = probe(subject, {"CPU", "AutogradCPU", "ADInplaceOrView"});
                const auto call = calls(subject, kOp, x, 2);
                for (int i = 0; i < 20; ++i) {
                  const auto def = define(subject);
                  const auto impl = at(subject, kOp, "CPU");
                  subject.together({{"a", call}, {"b", call}, {"c", call}}, 1);
                  impl.drop();
                  def.drop();
                }
              });

  conformance("a_kernel_outlives_the_call_inside_it", {"DSP-803", "DSP-615"}, [](Session& subject) {
    const auto def = define(subject);
    at(subject, kOp, "CPU", "bottom");
    const auto g = define(subject, "race::g");
    at(subject, "race::g", "CPU", "inner");
    const auto x = probe(subject, "CPU");
    const auto slow = running_kernel(subject, "slow", [](Session& s) {
      for (int i = 0; i < 6; ++i) {
        s.dispatch().call("race::g", {Ref{"$0"}}, {.boxed = true});
      }
    });

    subject.together({{"a", calls(subject, kOp, x, 4)},
                      {"b", calls(subject, kOp, x, 4)},
                      {"c", coming_and_going(subject, kOp, "CPU", slow, 4)}},
                     30);

    expect_text(reached(subject, kOp, {x}), "bottom");
  }).only(Deviations::kStrict);

  conformance("guards_of_one_thread_do_not_touch_another", {"DSP-804"}, [](Session& subject) {
    const auto def = define(subject);
    at(subject, kOp, "CPU");
    at(subject, kOp, "Tracer");
    const auto x = probe(subject, "CPU");
    const auto other = [&](Session& s) {
      s.on("other", s.block([&](Session& inner) {
        inner.dispatch().tls();
        inner.dispatch().call(kOp, {x}, {.boxed = true});
      }));
    };
    const TlsSets bare = subject.dispatch().tls();

    const auto replies = within(
        subject, [](Session& s) { s.dispatch().include("Tracer"); },
        [&](Session& s) {
          other(s);
          s.dispatch().call(kOp, {x}, {.boxed = true});
        });

    const auto& inner = replies.at(0).replies;
    expect_equal(field(inner.at(0), "included"), static_cast<std::int64_t>(bare.included));
    expect_text(called_from(inner.at(1)).labels(), "CPU");
    expect_text(called_from(replies.at(1)).labels(), "Tracer");
  });

  conformance(
      "threads_with_guards_of_their_own_reach_their_own_kernels", {"DSP-804"},
      [](Session& subject) {
        const auto def = define(subject);
        for (const char* key : {"CPU", "Tracer", "Negative"}) at(subject, kOp, key);
        const auto x = probe(subject, "CPU");
        const auto under = [&](const char* key) {
          return subject.block([&](Session& s) {
            within(
                s, [&](Session& inner) { inner.dispatch().include(key); },
                [&](Session& inner) {
                  for (int i = 0; i < 4; ++i) {
                    inner.dispatch().call(kOp, {x}, {.boxed = true});
                  }
                });
            s.dispatch().tls();
          });
        };
        const auto reply = subject.together({{"a", under("Tracer")}, {"b", under("Negative")}}, 20,
                                            subject.block([](Session& s) { s.dispatch().tls(); }));
        expect_equal(static_cast<std::int64_t>(field_as<List>(reply, "outcomes").items.size()), 1);
      });

  conformance("a_registration_is_seen_by_a_thread_that_runs_later", {"DSP-804"},
              [](Session& subject) {
                const auto def = define(subject);
                const auto x = probe(subject, "CPU");
                const auto there = [&] {
                  const auto replies = subject.on("other", subject.block([&](Session& s) {
                    s.dispatch().call(kOp, {x}, {.boxed = true});
                  }));
                  return called_from(replies.at(0)).labels();
                };
                const auto first = at(subject, kOp, "CPU", "first");
                expect_text(there(), "first");
                const auto second = at(subject, kOp, "CPU", "second");
                expect_text(there(), "second");
                second.drop();
                expect_text(there(), "first");
              });
}

}  // namespace assay::suites
