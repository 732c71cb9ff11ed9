// Observers: which calls they receive, and with which details.
#include "suites/dispatch/probing.hpp"

namespace assay::suites {
namespace {

const std::string kOp = "see::f";
const char* const kBinary = "Tensor(const Tensor&,int64_t)";

CallOptions way(bool boxed) {
  if (boxed) return {.boxed = true};
  return {.signature = kBinary};
}

DispatchObject define(Session& subject) {
  return subject.dispatch().def(kOp + "(Tensor x, int n) -> Tensor");
}

/// An observer that requests all details.
DispatchObject watch(Session& subject) {
  return subject.dispatch().observe({.inputs = true, .outputs = true});
}

/// The events of this operator, as `start` and `end`.
std::vector<Observed> seen(Session& subject, const DispatchObject& observer) {
  std::vector<Observed> mine;
  for (const Observed& event : subject.dispatch().observed(observer)) {
    if (event.op.starts_with("see::")) mine.push_back(event);
  }
  return mine;
}

void expect_count(const std::vector<Observed>& events, std::int64_t wanted,
                  Where where = Where::current()) {
  expect_equal(static_cast<std::int64_t>(events.size()), wanted, where);
}

}  // namespace

CASES("dispatch/observer") {
  for (const bool boxed : {true, false}) {
    conformance(std::string("a_") + (boxed ? "boxed" : "typed") + "_call_is_seen_once", {"DSP-807"},
                [boxed](Session& subject) {
                  const auto def = define(subject);
                  at(subject, kOp, "CPU");
                  const auto observer = watch(subject);
                  subject.dispatch().call(kOp, {probe(subject, "CPU"), 3}, way(boxed));

                  const auto events = seen(subject, observer);
                  expect_count(events, 2);
                  expect_text(events.at(0).event, "start");
                  expect_text(events.at(0).op, kOp);
                  expect_equal(events.at(0).schema, true);
                  expect_equal(events.at(0).inputs, 2);
                  expect_text(events.at(1).event, "end");
                  expect_text(events.at(1).op, kOp);
                  expect_equal(events.at(1).outputs, 1);
                  expect_count(seen(subject, observer), 0);
                });
  }

  conformance("inputs_and_outputs_come_only_when_asked_for", {"DSP-807"}, [](Session& subject) {
    const auto def = define(subject);
    at(subject, kOp, "CPU");
    const auto plain = subject.dispatch().observe();
    subject.dispatch().call(kOp, {probe(subject, "CPU"), 3}, {.boxed = true});
    const auto events = seen(subject, plain);
    expect_count(events, 2);
    expect_equal(events.at(0).inputs, 0);
    expect_equal(events.at(1).outputs, 0);
  });

  conformance("redispatch_and_calls_for_a_key_are_not_seen", {"DSP-807", "DSP-605", "DSP-602"},
              [](Session& subject) {
                const auto def = define(subject);
                at(subject, kOp, "CPU");
                const auto observer = watch(subject);
                const auto x = probe(subject, "CPU");
                subject.dispatch().call(kOp, {x, 3}, {.boxed = true, .keys = KeySet("CPU")});
                subject.dispatch().call(kOp, {x, 3}, {.signature = kBinary, .keys = KeySet("CPU")});
                subject.dispatch().call(kOp, {x, 3}, {.for_key = "CPU"});
                expect_count(seen(subject, observer), 0);
              });

  conformance("a_call_inside_a_kernel_is_seen_inside", {"DSP-807"}, [](Session& subject) {
    const auto def = define(subject);
    subject.dispatch().def("see::g(Tensor x) -> Tensor");
    at(subject, kOp, "CPU");
    const auto kernel = running_kernel(subject, "outer", [](Session& s) {
      s.dispatch().call(kOp, {Ref{"$0"}, 3}, {.boxed = true});
    });
    subject.dispatch().impl("see::g", kernel, {.key = "CPU"});
    const auto observer = watch(subject);

    subject.dispatch().call("see::g", {probe(subject, "CPU")}, {.boxed = true});

    const auto events = seen(subject, observer);
    expect_count(events, 4);
    expect_text(events.at(0).op, "see::g");
    expect_text(events.at(1).op, kOp);
    expect_text(events.at(2).event + events.at(2).op, "end" + kOp);
    expect_text(events.at(3).event + events.at(3).op, "endsee::g");
  });

  conformance("a_boxed_call_shows_its_arguments", {"DSP-807"}, [](Session& subject) {
    const auto def = define(subject);
    at(subject, kOp, "CPU");
    const auto observer = watch(subject);
    subject.dispatch().call(kOp, {probe(subject, "CPU"), 3},
                            {.boxed = true, .below = std::vector<Value>{"below", 7, 8}});
    const auto events = seen(subject, observer);
    expect_equal(events.at(0).inputs, 2);
    expect_equal(events.at(1).outputs, 1);
  }).only(Deviations::kStrict);

  conformance("a_boxed_call_shows_the_whole_stack_in_pytorch", {"DSP-807"}, [](Session& subject) {
    const auto def = define(subject);
    at(subject, kOp, "CPU");
    const auto observer = watch(subject);
    subject.dispatch().call(kOp, {probe(subject, "CPU"), 3},
                            {.boxed = true, .below = std::vector<Value>{"below", 7}});
    const auto events = seen(subject, observer);
    expect_equal(events.at(0).inputs, 4);
    expect_equal(events.at(1).outputs, 3);
  }).only(Deviations::kCompat);

  conformance("a_suspended_thread_is_not_seen", {"DSP-807"}, [](Session& subject) {
    const auto def = define(subject);
    at(subject, kOp, "CPU");
    const auto observer = watch(subject);
    const auto x = probe(subject, "CPU");
    const auto call = [&](Session& s) { s.dispatch().call(kOp, {x, 3}, {.boxed = true}); };
    within(
        subject, [](Session& s) { s.dispatch().observer_off(); }, call);
    expect_count(seen(subject, observer), 0);
    call(subject);
    expect_count(seen(subject, observer), 2);
  });

  conformance("another_thread_is_seen_while_one_is_suspended", {"DSP-807", "DSP-804"},
              [](Session& subject) {
                const auto def = define(subject);
                at(subject, kOp, "CPU");
                const auto observer = watch(subject);
                const auto x = probe(subject, "CPU");
                within(
                    subject, [](Session& s) { s.dispatch().observer_off(); },
                    [&](Session& s) {
                      s.on("other", s.block([&](Session& inner) {
                        inner.dispatch().call(kOp, {x, 3}, {.boxed = true});
                      }));
                    });
                expect_count(seen(subject, observer), 2);
              });

  conformance("a_dropped_observer_is_not_called", {"DSP-807"}, [](Session& subject) {
    const auto def = define(subject);
    at(subject, kOp, "CPU");
    const auto first = watch(subject);
    const auto second = watch(subject);
    const auto x = probe(subject, "CPU");
    first.drop();
    subject.dispatch().call(kOp, {x, 3}, {.boxed = true});
    expect_count(seen(subject, second), 2);
  });

  conformance("several_observers_see_what_each_asked_for", {"DSP-807", "DSP-808"},
              [](Session& subject) {
                const auto def = define(subject);
                at(subject, kOp, "CPU");
                const auto first = watch(subject);
                const auto second = subject.dispatch().observe();
                const auto never = subject.dispatch().observe({.inputs = true, .probability = 0});
                const auto x = probe(subject, "CPU");
                for (const bool boxed : {true, false}) {
                  subject.dispatch().call(kOp, {x, 3}, way(boxed));

                  const auto details = seen(subject, first);
                  expect_count(details, 2);
                  expect_equal(details.at(0).inputs, 2);
                  expect_equal(details.at(1).outputs, 1);
                  const auto plain = seen(subject, second);
                  expect_count(plain, 2);
                  expect_text(plain.at(0).event + plain.at(1).event, "startend");
                }
                second.drop();
                subject.dispatch().call(kOp, {x, 3}, {.boxed = true});
                expect_count(seen(subject, first), 2);
                expect_count(seen(subject, never), 0);
              });

  conformance("the_end_is_seen_when_the_kernel_raises", {"DSP-808"}, [](Session& subject) {
    const auto def = define(subject);
    subject.dispatch().impl(
        kOp, subject.dispatch().kernel({.behaviour = "raise", .kind = "value", .message = "no"}),
        {.key = "CPU"});
    const auto x = probe(subject, "CPU");
    for (const bool boxed : {true, false}) {
      const auto observer = watch(subject);
      expect_error(
          [&] {
            subject.dispatch().call(kOp, {x, 3}, way(boxed));
          },
          ErrorKind::kValue, {"no"});
      const auto events = seen(subject, observer);
      expect_count(events, 2);
      expect_text(events.at(1).event, "end");
      expect_equal(events.at(1).outputs, 0);
      observer.drop();
    }
  });

  conformance("a_call_below_autograd_has_no_sequence_number", {"DSP-808"}, [](Session& subject) {
    const auto def = define(subject);
    at(subject, kOp, "CPU");
    const auto observer = watch(subject);
    subject.dispatch().call(kOp, {probe(subject, "CPU"), 3}, {.boxed = true});
    expect_equal(seen(subject, observer).at(0).sequence, -1);
  });

  conformance("a_call_that_autograd_sees_has_a_sequence_number", {"DSP-808"}, [](Session& subject) {
    const auto def = define(subject);
    at(subject, kOp, "CPU");
    subject.dispatch().impl(kOp,
                            subject.dispatch().kernel({.behaviour = "redispatch", .label = "ag"}),
                            {.key = "AutogradCPU"});
    const auto observer = watch(subject);
    subject.dispatch().call(kOp, {probe(subject, {"CPU", "AutogradCPU"}), 3}, {.boxed = true});
    expect_true(seen(subject, observer).at(0).sequence >= 0, "it has a number");
  });

  conformance("a_key_above_autograd_hid_the_sequence_number", {"DSP-808"}, [](Session& subject) {
    const auto def = define(subject);
    at(subject, kOp, "Tracer");
    at(subject, kOp, "AutogradCPU");
    const auto observer = watch(subject);
    const auto x = probe(subject, {"CPU", "AutogradCPU", "Tracer"});
    subject.dispatch().call(kOp, {x, 3}, {.boxed = true});
    expect_equal(seen(subject, observer).at(0).sequence, -1);
  }).until(Release::k1_13);

  conformance("any_autograd_key_gives_a_sequence_number", {"DSP-808"}, [](Session& subject) {
    const auto def = define(subject);
    at(subject, kOp, "Tracer");
    at(subject, kOp, "AutogradCPU");
    const auto observer = watch(subject);
    const auto x = probe(subject, {"CPU", "AutogradCPU", "Tracer"});
    subject.dispatch().call(kOp, {x, 3}, {.boxed = true});
    expect_true(seen(subject, observer).at(0).sequence >= 0, "it has a number");
  }).since(Release::k2_4);

  conformance("an_operator_without_schema_is_seen_by_its_name", {"DSP-808"}, [](Session& subject) {
    at(subject, kOp, "CPU");
    const auto observer = watch(subject);
    subject.dispatch().call(kOp, {probe(subject, "CPU"), 3}, {.signature = kBinary});
    const auto events = seen(subject, observer);
    expect_count(events, 2);
    expect_equal(events.at(0).schema, false);
  }).only(Deviations::kStrict);

  conformance("an_operator_without_schema_cannot_be_observed_in_pytorch", {"DSP-808"},
              [](Session& subject) {
                at(subject, kOp, "CPU");
                const auto observer = watch(subject);
                const auto x = probe(subject, "CPU");
                expect_error(
                    [&] {
                      subject.dispatch().call(kOp, {x, 3}, {.signature = kBinary});
                    },
                    ErrorKind::kInternal);
              })
      .only(Deviations::kCompat);

  conformance("a_probability_lies_between_0_and_1", {"DSP-808"}, [](Session& subject) {
    for (const double probability : {-0.1, 1.5, static_cast<double>(kNaN)}) {
      expect_error([&] { subject.dispatch().observe({.probability = probability}); },
                   ErrorKind::kError);
    }
    for (const double probability : {0.0, 1.0}) {
      subject.dispatch().observe({.probability = probability});
    }
  });

  conformance("a_probability_of_0_sees_nothing_and_1_everything", {"DSP-808"},
              [](Session& subject) {
                const auto def = define(subject);
                at(subject, kOp, "CPU");
                const auto never = subject.dispatch().observe({.probability = 0.0});
                const auto always = subject.dispatch().observe({.probability = 1.0});
                const auto x = probe(subject, "CPU");
                for (int i = 0; i < 20; ++i) {
                  subject.dispatch().call(kOp, {x, 3}, {.boxed = true});
                }
                expect_count(seen(subject, never), 0);
                expect_count(seen(subject, always), 40);
              });
}

}  // namespace assay::suites
