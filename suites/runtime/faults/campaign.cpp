// Makes each driver call of a scenario fail, one per run.
#include "suites/runtime/faults/campaign.hpp"

#include <algorithm>
#include <stdexcept>

#include "harness/suite/reading.hpp"

namespace assay::suites {

void Stage::keep_block(const std::string& name, MemoryBlock block) {
  has_allocated_ = true;
  blocks_.insert_or_assign(name, block);
  keep(name, block);
}

void Stage::free_block(const std::string& name) {
  const MemoryBlock block = blocks_.at(name);
  block.free();
  blocks_.erase(name);
}

void Stage::leave_guard() {
  if (guards_.empty()) throw std::out_of_range("there is no guard");
  const GuardObject guard = guards_.back();
  guards_.pop_back();
  guard.leave();
}

void Stage::drop(const std::string& name) {
  const std::string object = held_in<Ref>(made_.at(name)).name;
  made_.erase(name);
  subject_->drop(object);
}

void Stage::attempt(const std::function<void()>& action) {
  try {
    action();
  } catch (const SubjectError&) {
    // A lost device cannot be reset.
  }
}

/// Larger than any pinned block of a scenario, so that no cached block is used.
constexpr std::int64_t kUnused = 1 << 20;

void Stage::clear() {
  while (!guards_.empty()) {
    attempt([&] { leave_guard(); });
  }
  while (!blocks_.empty()) {
    const std::string name = blocks_.begin()->first;
    attempt([&] { free_block(name); });
    blocks_.erase(name);
  }
  while (!made_.empty()) {
    const std::string name = made_.begin()->first;
    attempt([&] { drop(name); });
    made_.erase(name);
  }
  // A later request processes the events of pinned memory (MEM-028), whose pool keeps completed
  // blocks for reuse.
  if (has_pinned_) attempt([&] { memory().pin(kUnused).free(); });
  if (has_allocated_) attempt([&] { memory().empty_cache(); });
}

namespace {

constexpr std::int64_t kStickyCode = 700;

/// The state of the runtime that is visible to callers between two steps.
struct ObservedState {
  Device device;
  std::vector<std::int64_t> streams;  ///< current streams, one id per device
  LiveObjects live;
};

/// A step and the number of its call that fails.
struct Planned {
  std::size_t step = 0;
  std::string call;
  std::int64_t occurrence = 0;
  std::int64_t code = 1;
};

ObservedState look(Session& subject) {
  ObservedState seen{
      .device = subject.runtime().get_device(), .streams = {}, .live = subject.sim().live()};
  for (int i = 0; i < 2; ++i) {
    seen.streams.push_back(subject.runtime().current_stream(subject.device(i)).id());
  }
  return seen;
}

void begin_again(Session& subject) {
  const Reply reply = subject.send("reset");
  const auto& uncleaned = field_as<List>(reply, "uncleaned").items;
  if (!uncleaned.empty()) throw Unsupported("the subject cannot be brought back by reset");
  // Two priority levels, to limit the number of streams.
  subject.sim().machine({.devices = 2, .least = 0, .greatest = -1});
}

/// The numbers of the driver calls in each step.
std::vector<Planned> calls_of_steps(Session& subject, const Scenario& scenario) {
  begin_again(subject);
  Stage stage(subject);
  std::vector<Planned> all;
  std::map<std::string, std::int64_t> counts;
  subject.sim().log();
  for (std::size_t step = 0; step < scenario.steps.size(); ++step) {
    const ScopedTrace place(scenario.steps[step].name);
    scenario.steps[step].call(stage);
    for (const DriverCall& call : driver_calls(subject)) {
      all.push_back({.step = step, .call = call.name, .occurrence = ++counts[call.name]});
    }
  }
  stage.clear();
  return all;
}

/// The state before each step, and at the end.
std::vector<ObservedState> states_of_steps(Session& subject, const Scenario& scenario) {
  begin_again(subject);
  Stage stage(subject);
  std::vector<ObservedState> states = {look(subject)};
  for (const Step& step : scenario.steps) {
    step.call(stage);
    states.push_back(look(subject));
  }
  stage.clear();
  states.push_back(look(subject));
  return states;
}

bool is_one_of(const std::string& call, const std::vector<std::string>& calls) {
  return std::find(calls.begin(), calls.end(), call) != calls.end();
}

/// Whether the call is in the plan's list; others cannot be made to fail.
bool can_fail(const std::string& call) {
  return is_one_of(
      call, {"device_count",    "get_device",     "set_device",  "stream_create", "priority_range",
             "stream_priority", "stream_query",   "stream_sync", "stream_wait",   "event_create",
             "event_record",    "event_query",    "event_sync",  "event_elapsed", "event_destroy",
             "malloc",          "free",           "mem_info",    "launch",        "memcpy_async",
             "device_sync",     "capture_status", "ipc_get",     "ipc_open"});
}

class Run {
 public:
  Run(Session& subject, const Scenario& scenario, const std::vector<ObservedState>& states,
      Failing how)
      : subject_(subject), scenario_(scenario), states_(states), how_(how) {}

  void operator()(const Planned& planned) {
    const ScopedTrace place(planned.call + " number " + std::to_string(planned.occurrence) +
                            " in '" + scenario_.steps[planned.step].name + "'");
    begin_again(subject_);
    Stage stage(subject_);
    subject_.sim().faults({{.call = planned.call,
                            .code = planned.code,
                            .occurrence = planned.occurrence,
                            .after = how_.after,
                            .sticky = how_.sticky}});
    for (std::size_t step = 0; step < planned.step; ++step) scenario_.steps[step].call(stage);
    const bool failed = fails(stage, planned);
    if (how_.sticky) return expect_lost(stage);
    subject_.sim().faults({});
    expect_equal(subject_.runtime().peek_last_error(), 0);
    if (failed) expect_as_before(planned);
    const bool is_guarded = stage.has_guards();
    stage.clear();
    expect_put_away(planned, failed, is_guarded);
    // Memory that was freed although the call reported a failure is still considered allocated.
    const bool is_gone = how_.after && planned.call == "free";
    if (planned.call != "device_count" && !is_gone) run_undisturbed();
  }

 private:
  /// Runs the step; true if it raises, which must match the plan.
  bool fails(Stage& stage, const Planned& planned) {
    subject_.sim().log();
    try {
      scenario_.steps[planned.step].call(stage);
    } catch (const SubjectError& raised) {
      expect_documented(raised.error(), planned);
      return true;
    }
    expect_accounted(planned, subject_.warnings());
    return false;
  }

  /// STR-018: an `internal` in 1.13.
  static bool is_out_of_range(const ErrorReply& error) {
    return error.kind == ErrorKind::kError || error.kind == ErrorKind::kInternal;
  }

  static void expect_documented(const ErrorReply& error, const Planned& planned) {
    // GRD-028: if devices cannot be counted, there are none, and every index is out of range.
    if (planned.call == "device_count" && is_out_of_range(error)) return;
    const bool is_short = planned.call == "malloc" && planned.code == 2;
    if (is_short && error.kind == ErrorKind::kOutOfMemory) return;  // FLT-011
    const bool is_device = error.kind == ErrorKind::kDevice;
    expect_true(is_device, "the error is of the kind device: " + error.message);
    expect_equal(error.code.value_or(Value()), planned.code);
  }

  /// Only calls in destructors and retried calls may hide a failure.
  static void expect_accounted(const Planned& planned, const std::vector<Warning>& warnings) {
    if (planned.call == "device_count") return;
    if (planned.call == "malloc" && planned.code == 2) return;
    const bool is_warned = std::any_of(warnings.begin(), warnings.end(), [](const Warning& each) {
      return each.text.find("CUDA warning") != std::string::npos;
    });
    expect_true(is_warned, "the failure is raised, or a warning says so");
  }

  /// After a step that raised: checks the device, the current streams and the live objects.
  void expect_as_before(const Planned& planned) {
    const ObservedState& before = states_[planned.step];
    const ObservedState& after = states_[planned.step + 1];
    // A device that was set although the call reported a failure is not restored.
    const bool was_set = how_.after && planned.call == "set_device";
    if (!was_set && planned.call != "device_count") {
      expect_equal(subject_.runtime().get_device(), before.device);
      for (int i = 0; i < 2; ++i) {
        expect_equal(subject_.runtime().current_stream(subject_.device(i)).id(),
                     before.streams[static_cast<std::size_t>(i)]);
      }
    }
    expect_live_between(subject_.sim().live(), before.live, after.live, planned);
  }

  /// Objects whose creation reported a failure are leaked; those not destroyed remain.
  std::int64_t lost(const Planned& planned, const std::vector<std::string>& makers,
                    const std::vector<std::string>& enders) const {
    if (how_.after) return is_one_of(planned.call, makers) ? 1 : 0;
    return is_one_of(planned.call, enders) ? 1 : 0;
  }

  void expect_live_between(const LiveObjects& got, const LiveObjects& before,
                           const LiveObjects& after, const Planned& planned) {
    const auto between = [](std::string_view what, std::int64_t value, std::int64_t one,
                            std::int64_t other, std::int64_t more) {
      const bool is_between = value >= std::min(one, other) && value <= std::max(one, other) + more;
      expect_true(is_between, std::string(what) + " alive: " + std::to_string(value) + ", before " +
                                  std::to_string(one) + ", and " + std::to_string(other) +
                                  " had nothing failed");
    };
    between("streams", got.streams, before.streams, after.streams,
            lost(planned, {"stream_create"}, {"stream_destroy"}));
    between("events", got.events, before.events, after.events,
            lost(planned, {"event_create", "ipc_open"}, {"event_destroy"}));
    // Cached memory may have been freed meanwhile.
    between("device blocks", got.device_blocks, 0,
            std::max(before.device_blocks, after.device_blocks),
            lost(planned, {"malloc"}, {"free"}));
    between("host blocks", got.host_blocks, before.host_blocks, after.host_blocks, 0);
  }

  /// After cleanup, no more objects are alive than after an undisturbed run.
  void expect_put_away(const Planned& planned, bool failed, bool is_guarded) {
    const LiveObjects got = subject_.sim().live();
    const LiveObjects& wanted = states_.back().live;
    expect_live_between(got, {.streams = got.streams}, wanted, planned);
    // What a destructor could not restore remains, with a warning (FLT-008).
    const bool was_warned = !failed && is_one_of(planned.call, {"get_device", "set_device"});
    const bool was_set = how_.after && planned.call == "set_device";
    if (!was_warned && !was_set && planned.call != "device_count") {
      const ObservedState& wanted_then =
          failed && !is_guarded ? states_[planned.step] : states_.back();
      expect_equal(subject_.runtime().get_device(), wanted_then.device);
    }
  }

  void run_undisturbed() {
    const ScopedTrace place("once more, undisturbed");
    subject_.runtime().set_device(subject_.device(0));
    Stage stage(subject_);
    for (const Step& step : scenario_.steps) {
      const ScopedTrace where(step.name);
      step.call(stage);
    }
    stage.clear();
    expect_equal(subject_.runtime().peek_last_error(), 0);
  }

  /// The device is lost: every call returns, with the same code or without an error.
  void expect_lost(Stage& stage) {
    for (const Step& step : scenario_.steps) {
      const ScopedTrace place(step.name);
      try {
        step.call(stage);
      } catch (const SubjectError& raised) {
        expect_documented_when_lost(raised.error());
      } catch (const std::out_of_range&) {
        continue;  // it needs an object that an earlier step could not make
      }
    }
    stage.clear();
  }

  static void expect_documented_when_lost(const ErrorReply& error) {
    expect_true(error.kind != ErrorKind::kOutOfMemory, "the error is not about missing memory");
    // Other errors are consequences of earlier steps: no gradients, no devices (GRD-028).
    if (error.kind != ErrorKind::kDevice) return;
    expect_equal(error.code.value_or(Value()), kStickyCode);
  }

  Session& subject_;
  const Scenario& scenario_;
  const std::vector<ObservedState>& states_;
  Failing how_;
};

}  // namespace

void run_campaign(Session& subject, const Scenario& scenario, const Failing& how) {
  const std::vector<Planned> all = calls_of_steps(subject, scenario);
  const std::vector<ObservedState> states = states_of_steps(subject, scenario);
  Run run(subject, scenario, states, how);
  std::size_t runs = 0;
  for (Planned planned : all) {
    if (!can_fail(planned.call)) continue;
    planned.code = how.sticky ? kStickyCode : 1;
    run(planned);
    ++runs;
    if (planned.call != "malloc" || how.sticky || how.after) continue;
    planned.code = 2;
    run(planned);
  }
  expect_true(runs > 0, "the scenario calls the driver");
}

}  // namespace assay::suites
