// The litmus rows: permitted outcomes by the axioms and by all schedules of the simulated machine,
// and outcomes of runs.
#include "suites/litmus/showing.hpp"

namespace assay::suites {
namespace {

constexpr std::uint64_t kRandomSchedules = 6;
constexpr std::int64_t kRounds = 30;

litmus::Permitted only(const litmus::Outcome& outcome) { return {{outcome}, false}; }

void search(Session& subject, const LitmusRow& row) {
  if (row.program) {
    const ScopedTrace at("the program");
    expect_agreement(litmus::permitted(*row.program), row.allowed);
    expect_agreement(explored(subject, *row.program), row.allowed);
  }
  if (row.gated) {
    const ScopedTrace at("the gated form");
    expect_agreement(explored(subject, *row.gated), only(row.shows));
  }
}

void run(Session& subject, const LitmusRow& row) {
  const auto calls = litmus::one_by_one(*row.program);
  under_schedules(subject, kRandomSchedules, [&] {
    const auto once = [&](LitmusRun& attempt) { return attempt.once(*calls); };
    expect_permitted(shown_in_time(subject, *row.program, once), row.allowed);
  });
}

void gated(Session& subject, const LitmusRow& row) {
  const auto calls = litmus::one_by_one(*row.gated);
  const auto once = [&](LitmusRun& attempt) { return attempt.once(*calls); };
  expect_permitted(shown_in_time(subject, *row.gated, once), only(row.shows));
}

void stress(Session& subject, const LitmusRow& row) {
  under_schedules(subject, 1, [&] {
    LitmusRun attempt(subject, *row.program);
    for (const auto& [seen, times] : attempt.together(kRounds)) expect_permitted(seen, row.allowed);
  });
}

}  // namespace

CASES("runtime/litmus/permitted") {
  for (const auto* rows : {&litmus_rows(), &litmus_axiom_rows()}) {
    for (const LitmusRow& row : *rows) {
      if (!row.program && !row.gated) continue;
      row_case(row, search);
    }
  }
}

CASES("runtime/litmus/run") {
  for (const LitmusRow& row : litmus_rows()) {
    if (!row.program || !litmus::one_by_one(*row.program)) continue;
    row_case(row, run);
  }
}

CASES("runtime/litmus/gated") {
  for (const auto* rows : {&litmus_rows(), &litmus_axiom_rows()}) {
    for (const LitmusRow& row : *rows) {
      if (!row.gated) continue;
      row_case(row, gated);
    }
  }
}

CASES("runtime/litmus/stress") {
  for (const LitmusRow& row : litmus_rows()) {
    if (!row.program || !litmus::one_by_one(*row.program)) continue;
    if (!LitmusRun::fits_together(*row.program)) continue;
    row_case(row, stress);
  }
}

}  // namespace assay::suites
