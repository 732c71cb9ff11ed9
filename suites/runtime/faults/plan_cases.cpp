// The plan of failures (FLT-018): its options, and requirements for all scenarios.
#include "harness/suite/unsupported_case.hpp"
#include "suites/runtime/faults/campaign.hpp"

namespace assay::suites {
namespace {

/// The driver's codes for this many calls.
std::vector<std::int64_t> answers(Session& subject, int times, const std::string& call) {
  std::vector<std::int64_t> codes;
  for (int i = 0; i < times; ++i) {
    codes.push_back(subject.runtime().checked({.call = call, .how = "handled"}));
  }
  return codes;
}

}  // namespace

CASES("runtime/plan") {
  on_cuda("the_occurrence_that_is_named_fails", {"FLT-018"}, [](Session& subject) {
    subject.sim().faults({{.call = "get_device", .code = 5, .occurrence = 3}});

    expect_equal(answers(subject, 5, "get_device"), {0, 0, 5, 0, 0});
  });

  on_cuda("occurrences_are_counted_a_call_each", {"FLT-018"}, [](Session& subject) {
    subject.sim().faults({{.call = "get_device", .code = 5, .occurrence = 2},
                          {.call = "device_count", .code = 6, .occurrence = 1}});

    expect_equal(answers(subject, 1, "device_count"), {6});
    expect_equal(answers(subject, 3, "get_device"), {0, 5, 0});
    expect_equal(answers(subject, 2, "device_count"), {0, 0});
  });

  on_cuda("every_occurrence_may_fail_until_the_plan_ends", {"FLT-018"}, [](Session& subject) {
    subject.sim().faults({{.call = "get_device", .code = 5, .occurrence = 0}});
    expect_equal(answers(subject, 3, "get_device"), {5, 5, 5});

    stop_failing(subject);

    expect_equal(answers(subject, 2, "get_device"), {0, 0});
  });

  on_cuda("a_call_that_fails_before_has_no_effect", {"FLT-018"}, [](Session& subject) {
    fail_next(subject, "set_device", 5);

    subject.runtime().checked({.call = "set_device", .arguments = {{1}}, .how = "ignore"});

    expect_at(subject.runtime().get_device(), subject.device(0));
  });

  on_cuda("a_call_that_fails_after_has_its_effect", {"FLT-018"}, [](Session& subject) {
    fail_next(subject, "set_device", 5, true);

    subject.runtime().checked({.call = "set_device", .arguments = {{1}}, .how = "ignore"});

    expect_at(subject.runtime().get_device(), subject.device(1));
  });

  on_cuda("a_failure_may_be_meant_for_one_thread", {"FLT-018"}, [](Session& subject) {
    if (!subject.info().threads) throw NotOffered("the subject has one thread only");
    subject.sim().faults({{.call = "get_device", .code = 5, .occurrence = 1, .thread = "other"}});

    expect_equal(answers(subject, 2, "get_device"), {0, 0});
    const auto there = subject.on("other", subject.block([](Session& s) {
      s.runtime().checked({.call = "get_device", .how = "handled"});
    }));
    expect_equal(field(there.at(0), "result"), 5);
  });

  on_cuda("the_log_shows_what_was_planned", {"FLT-018"}, [](Session& subject) {
    fail_next(subject, "get_device", 5);
    subject.sim().log();

    answers(subject, 2, "get_device");

    const auto calls = calls_of(driver_calls(subject), "get_device");
    expect_equal(static_cast<std::int64_t>(calls.size()), 2);
    expect_true(calls.at(0).failed && !calls.at(1).failed, "the first shows that it failed");
  });

  on_cuda("a_sticky_failure_stays", {"FLT-018", "FLT-002"}, [](Session& subject) {
    const auto stream = pool_on(subject);
    subject.sim().faults({{.call = "stream_sync", .code = 5, .occurrence = 1, .sticky = true}});

    for (int i = 0; i < 3; ++i) {
      expect_device_error(
          subject, [&] { stream.synchronize(); }, 5);
      expect_device_error(
          subject, [&] { subject.runtime().synchronize_device(); }, 5);
    }
  }).fresh();
}

CASES("runtime/campaign") {
  struct Way {
    const char* name;
    Failing how;
  };
  const std::vector<Way> ways = {{"before", {}},
                                 {"after", {.after = true}},
                                 {"before_and_stays", {.sticky = true}},
                                 {"after_and_stays", {.after = true, .sticky = true}}};
  for (const Scenario& scenario : scenarios()) {
    for (const Way& way : ways) {
      const auto options = on_cuda(
          scenario.name + "_" + way.name, {"FLT-018"},
          [scenario, how = way.how](Session& subject) { run_campaign(subject, scenario, how); });
      CaseOptions narrowed = options;
      narrowed.only(Deviations::kStrict).fresh();
    }
  }
}

}  // namespace assay::suites
