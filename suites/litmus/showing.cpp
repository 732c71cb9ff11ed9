// Runs litmus programs in cases.
#include "suites/litmus/showing.hpp"

#include <algorithm>
#include <cctype>

#include "harness/suite/clients/sim.hpp"

namespace assay::suites {
namespace {

/// The time-outs of gates in the first and second attempt.
constexpr std::int64_t kGateMs[] = {300, 1000};

bool is_simulated(const Session& subject) {
  return std::ranges::find(subject.info().areas, "sim") != subject.info().areas.end();
}

/// `lt_04_message_passing`
std::string case_name(const LitmusRow& row) {
  std::string name = row.id.starts_with("LT-") ? row.id + " " + row.name : row.id;
  for (char& letter : name) {
    const auto byte = static_cast<unsigned char>(letter);
    letter = std::isalnum(byte) != 0 ? static_cast<char>(std::tolower(byte)) : '_';
  }
  const auto twice = [](char left, char right) { return left == '_' && right == '_'; };
  name.erase(std::unique(name.begin(), name.end(), twice), name.end());
  return name;
}

bool has_streams_of_threads(const LitmusRow& row) {
  const auto has = [](const litmus::Operation* operation) {
    return operation->stream.kind == litmus::StreamKind::kPerThread;
  };
  return (row.program && std::ranges::any_of(row.program->operations(), has)) ||
         (row.gated && std::ranges::any_of(row.gated->operations(), has));
}

}  // namespace

void row_case(const LitmusRow& row, void (*body)(Session&, const LitmusRow&),
              std::source_location where) {
  const auto run = [&row, body](Session& subject) { body(subject, row); };
  CaseOptions made = on_cuda(case_name(row), row.clauses(), run, where);
  if (has_streams_of_threads(row)) made.since(Release::k2_4);
}

void under_schedules(Session& subject, std::uint64_t random_ones,
                     const std::function<void()>& body) {
  if (!is_simulated(subject)) return body();
  for (const char* const mode : {"eager", "lazy"}) {
    const ScopedTrace at(std::string("schedule ") + mode);
    subject.sim().schedule(mode);
    body();
  }
  for (std::uint64_t seed = 1; seed <= random_ones; ++seed) {
    const ScopedTrace at("schedule random, seed " + std::to_string(seed));
    subject.sim().schedule("random", static_cast<std::int64_t>(seed));
    body();
  }
}

litmus::Outcome shown_in_time(Session& subject, const litmus::Program& program,
                              const std::function<litmus::Outcome(LitmusRun&)>& run) {
  std::string last;
  for (const std::int64_t gate_ms : kGateMs) {
    try {
      LitmusRun attempt(subject, program,
                        {.gate_ms = gate_ms, .patience = std::chrono::milliseconds(2)});
      return run(attempt);
    } catch (const GateExpired& expired) {
      last = expired.what();
    }
  }
  throw CheckFailed("a call waits although it must not: " + to_text(program),
                    "calls that return while the gates are closed", last, Where::current());
}

void expect_agreement(const litmus::Permitted& got, const litmus::Permitted& wanted, Where where) {
  if (got == wanted) return;
  throw CheckFailed("the permitted outcomes differ", to_text(wanted), to_text(got), where);
}

void expect_permitted(const litmus::Outcome& seen, const litmus::Permitted& permitted,
                      Where where) {
  if (permitted.outcomes.contains(seen)) return;
  throw CheckFailed("an outcome is not permitted", to_text(permitted), litmus::to_text(seen),
                    where);
}

}  // namespace assay::suites
