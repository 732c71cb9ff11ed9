// Runs litmus programs for the command `assay litmus`.
#include "harness/litmus/session.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/console/interrupt.hpp"
#include "harness/console/usage_error.hpp"
#include "harness/program/random.hpp"
#include "harness/subject/process/time_limit.hpp"
#include "harness/suite/clients/sim.hpp"
#include "harness/suite/expect.hpp"
#include "harness/suite/litmus/run.hpp"
#include "harness/suite/runner/hello.hpp"

namespace assay {
namespace {

constexpr const char* kNeeds =
    "a litmus program needs the commands runtime.pool_stream, raw_stream, event, record, block, "
    "query, synchronize, store, load, kernel, gate and open, and core.tensor and "
    "read (harness/protocol/areas/runtime.md)";

/// Lists every permitted outcome, if they can be enumerated.
report::LitmusEntry entry_of(const LitmusTest& test) {
  report::LitmusEntry entry;
  entry.id = test.id;
  entry.name = test.name;
  entry.program = to_text(test.program);
  for (const litmus::Thread& thread : test.program.threads) {
    for (const litmus::Operation& operation : thread.operations) {
      if (operation.observes()) entry.observations.push_back(to_text(operation));
    }
  }
  try {
    const litmus::Permitted permitted = litmus::permitted(test.program);
    entry.hangs = permitted.hangs;
    for (const litmus::Outcome& outcome : permitted.outcomes) {
      entry.seen.push_back({outcome, true, 0});
    }
  } catch (const litmus::TooLarge&) {
    entry.listed = false;
  }
  return entry;
}

void count(report::LitmusEntry& entry, const litmus::Outcome& outcome, std::int64_t times,
           bool permitted = false) {
  entry.runs += times;
  const auto row = std::ranges::find(entry.seen, outcome, &report::LitmusSeen::outcome);
  if (row != entry.seen.end()) {
    row->times += times;
    row->permitted = row->permitted && (permitted || entry.listed);
  } else {
    entry.seen.push_back({outcome, permitted, times});
  }
}

}  // namespace

LitmusSession::LitmusSession(LitmusSettings settings)
    : settings_(std::move(settings)), subject_(connect(settings_.subject, settings_.connection)) {
  end_early_on(*subject_.link, &catch_interrupts());
  info_ = hello_with_retries(*subject_.link, subject_.preferred.value_or(settings_.contract));
  if (!settings_.schedule.empty() && !is_simulated()) {
    throw UsageError(
        fmt::format("--schedule is for simulated machines, and {} does not offer the area sim: "
                    "real devices have no schedule. Leave it out",
                    settings_.subject));
  }
  if (!settings_.schedule.empty() || !is_simulated()) return;
  // Behind gates, an eager machine shows a missing edge in every run.
  settings_.schedule = settings_.gated ? "eager" : "random";
}

bool LitmusSession::is_simulated() const {
  return std::ranges::find(info_.areas, "sim") != info_.areas.end();
}

std::string LitmusSession::schedule() const {
  if (settings_.schedule.empty()) return "";
  const bool random = settings_.schedule == "random";
  return "schedule " + settings_.schedule +
         (random ? fmt::format(", seed {}", settings_.seed) : "");
}

Session LitmusSession::begin() {
  if (broken_) info_ = hello_with_retries(*subject_.link, info_.contract, true);
  broken_ = false;
  Session session(*subject_.link, info_);
  session.send("reset");
  if (settings_.schedule == "random") {
    session.sim().schedule("random", static_cast<std::int64_t>(settings_.seed));
  } else if (!settings_.schedule.empty()) {
    session.sim().schedule(settings_.schedule);
  }
  return session;
}

report::LitmusEntry LitmusSession::run(const LitmusTest& test) {
  report::LitmusEntry entry = entry_of(test);
  try {
    Session session = begin();
    run_all(session, test, entry);
  } catch (const litmus::BadProgram& error) {
    throw UsageError(fmt::format("{}: {}", test.id, error.what()));
  } catch (const Unsupported& lack) {
    entry.lacking = fmt::format("{}; {}", lack.what(), kNeeds);
  } catch (const GateExpired& expired) {
    entry.broken = fmt::format("{}: a call waits although it must not", expired.what());
  } catch (const SubjectError& raised) {
    entry.broken = fmt::format("the subject raised: {}", raised.what());
  } catch (const CheckFailed& failed) {
    entry.broken = failed.what();
  } catch (const BadReply& reply) {
    entry.broken = reply.what();
  } catch (const LinkBroken& broken) {
    entry.broken = fmt::format("the subject was lost: {}", broken.what());
    broken_ = true;
  }
  return entry;
}

void LitmusSession::run_all(Session& session, const LitmusTest& test, report::LitmusEntry& entry) {
  if (!litmus::one_by_one(test.program)) {
    entry.lacking = "one host cannot make its calls, because one of them waits for a later one";
    return;
  }
  LitmusOptions options;
  if (settings_.gated) options.patience = std::chrono::milliseconds(2);
  LitmusRun attempt(session, test.program, options);
  if (!settings_.gated && entry.listed && LitmusRun::fits_together(test.program)) {
    try {
      for (const auto& [outcome, times] : attempt.together(settings_.runs)) {
        count(entry, outcome, times);
      }
      return;
    } catch (const Unsupported&) {
      // The subject does not support blocks: send the commands one by one.
    }
  }
  Random random(settings_.seed, 0);
  const auto pick = [&](std::size_t threads) { return random.below(threads); };
  for (std::int64_t i = 0; i < settings_.runs; ++i) {
    const auto calls = litmus::one_by_one(test.program, pick);
    if (!calls) continue;
    const litmus::Outcome outcome = attempt.once(*calls);
    count(entry, outcome, 1, !entry.listed && !litmus::judge(test.program, *calls, outcome));
  }
}

}  // namespace assay
