// Random litmus programs: small ones, for which two searches must find the same outcomes, and long
// ones, whose outcomes the axioms judge.
#include <algorithm>

#include "harness/program/litmus_random.hpp"
#include "suites/litmus/showing.hpp"

namespace assay::suites {
namespace {

constexpr std::uint64_t kSeed = 5;
constexpr std::uint64_t kSmallPrograms = 300;
constexpr std::uint64_t kLongPrograms = 12;
constexpr std::size_t kDevices = 2;

const std::vector<std::string> kAxioms = {"ORD-A1", "ORD-A2", "ORD-A3", "ORD-A4", "ORD-A5",
                                          "ORD-A6", "ORD-A7", "ORD-A8", "ORD-A9"};

void agree(Session& subject) {
  for (std::uint64_t number = 0; number < kSmallPrograms; ++number) {
    Random random(kSeed, number);
    const litmus::Program program = litmus::random_program(random);
    const ScopedTrace at(to_text(program));
    expect_agreement(explored(subject, program), litmus::permitted(program));
  }
}

void judge_one(Session& subject, const litmus::LongProgram& made) {
  const auto once = [&](LitmusRun& attempt) { return attempt.once(made.calls); };
  const litmus::Outcome seen = shown_in_time(subject, made.program, once);
  const auto complaint = litmus::judge(made.program, made.calls, seen);
  if (!complaint) return;
  throw CheckFailed(*complaint, "what the axioms permit", litmus::to_text(seen), Where::current());
}

void judge_long_ones(Session& subject, std::uint64_t first, bool copies) {
  const litmus::DrawOptions options{
      .devices = std::min<std::size_t>(kDevices, subject.info().devices.size()),
      .copies = copies,
      .per_thread = subject.contract().release != Release::k1_13};
  for (std::uint64_t number = first; number < first + kLongPrograms; ++number) {
    Random random(kSeed + 1, number);
    const litmus::LongProgram made = litmus::random_long_program(random, options);
    const ScopedTrace at(to_text(made.program));
    under_schedules(subject, 2, [&] { judge_one(subject, made); });
  }
}

}  // namespace

CASES("runtime/litmus/random") {
  on_cuda("axioms_and_schedules_permit_the_same", kAxioms, agree);

  for (std::uint64_t part = 0; part < 6; ++part) {
    const std::string number = std::to_string(part);
    on_cuda("long_programs_keep_the_axioms_" + number, kAxioms,
            [part](Session& subject) { judge_long_ones(subject, part * kLongPrograms, false); });
    on_cuda(
        "long_programs_with_copies_keep_the_axioms_" + number, kAxioms,
        [part](Session& subject) { judge_long_ones(subject, 1000 + part * kLongPrograms, true); });
  }
}

}  // namespace assay::suites
