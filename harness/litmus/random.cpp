// Runs random litmus programs: compares two searches, or judges runs.
#include "harness/litmus/random.hpp"

#include <fmt/format.h>

#include <chrono>

#include "harness/console/interrupt.hpp"
#include "harness/console/terminal.hpp"
#include "harness/console/usage_error.hpp"
#include "harness/program/litmus_random.hpp"
#include "harness/suite/card/card.hpp"
#include "harness/suite/litmus/run.hpp"
#include "harness/suite/runner/verdict.hpp"

namespace assay {
namespace {

constexpr std::uint64_t kMostShown = 5;

struct Counts {
  std::uint64_t programs = 0;
  std::uint64_t wrong = 0;
  std::uint64_t too_large = 0;
  std::uint64_t lacking = 0;
  bool interrupted = false;
  std::string lack;  ///< the first unsupported request
};

class Campaign {
 public:
  Campaign(LitmusSession& subject, const RandomLitmus& wanted)
      : subject_(subject), wanted_(wanted) {}

  Counts run() {
    try {
      Session session = subject_.begin();
      for (std::uint64_t number = 0; number < wanted_.count && !stop_.is_set(); ++number)
        draw(session, number);
    } catch (const Interrupted&) {
      // Reports the counts so far.
    } catch (const Unsupported& lack) {
      note(lack);
    } catch (const CheckFailed& failed) {  // it does not begin a session
      ++counts_.wrong;
      print("WRONG\n" + wrapped(failed.what(), 4, columns_of_terminal(), 20));
    }
    counts_.interrupted = stop_.is_set();
    return counts_;
  }

 private:
  void draw(Session& session, std::uint64_t number) {
    progress_.show(
        fmt::format("{} of {} programs, {} wrong", number, wanted_.count, counts_.wrong));
    Random random(wanted_.seed, number);
    wanted_.run ? judge(session, random) : compare(session, random);
  }

  void compare(Session& session, Random& random) {
    const litmus::Program program = litmus::random_program(random);
    guarded(program, [&] {
      const litmus::Permitted wanted = litmus::permitted(program);
      const litmus::Permitted got = explored(session, program);
      ++counts_.programs;
      if (got == wanted) return;
      wrong(program, "the axioms permit    " + to_text(wanted),
            "the search found     " + to_text(got));
    });
  }

  void judge(Session& session, Random& random) {
    const std::size_t devices = subject_.info().devices.size() > 1 ? 2 : 1;
    const litmus::LongProgram made = litmus::random_long_program(
        random, {.devices = devices,
                 .copies = random.one_in(4),
                 .per_thread = subject_.info().contract.release != Release::k1_13});
    guarded(made.program, [&] {
      LitmusRun attempt(session, made.program);
      const litmus::Outcome seen = attempt.once(made.calls);
      ++counts_.programs;
      const auto complaint = litmus::judge(made.program, made.calls, seen);
      if (complaint) wrong(made.program, *complaint, "it produced " + litmus::to_text(seen));
    });
  }

  /// Whatever the subject does in an attempt is a result of the program.
  template <typename Attempt>
  void guarded(const litmus::Program& program, const Attempt& attempt) {
    try {
      attempt();
    } catch (const litmus::TooLarge&) {
      ++counts_.too_large;
    } catch (const GateExpired& expired) {
      wrong(program, expired.what(), "a call blocks that must not block");
    } catch (const SubjectError& raised) {
      wrong(program, raised.what(), "the subject raised");
    } catch (const BadReply& reply) {
      wrong(program, reply.what(), "the subject's reply is invalid");
    } catch (const CheckFailed& failed) {
      wrong(program, failed.what(), "the subject's reply is wrong");
    } catch (const Unsupported& lack) {
      note(lack);
    }
  }

  void note(const Unsupported& lack) {
    if (counts_.lacking++ == 0) counts_.lack = lack.what();
  }

  void wrong(const litmus::Program& program, const std::string& first, const std::string& second) {
    if (++counts_.wrong > kMostShown) return;
    progress_.clear();
    print("WRONG\n" + wrapped(to_text(program), 4, columns_of_terminal(), 20) +
          wrapped(first, 4, columns_of_terminal(), 20) +
          wrapped(second, 4, columns_of_terminal(), 20));
  }

  LitmusSession& subject_;
  RandomLitmus wanted_;
  const StopSignal& stop_ = catch_interrupts();
  Progress progress_;
  Counts counts_;
};

}  // namespace

int random_litmus(LitmusSession& session, const RandomLitmus& wanted, const std::string& subject) {
  if (!wanted.run && !session.is_simulated()) {
    throw UsageError(
        fmt::format("--random compares with sim.permitted, and {} does not offer the area sim; "
                    "with --run it runs programs and checks their outcomes",
                    subject));
  }
  const auto begin = std::chrono::steady_clock::now();
  const Counts counts = Campaign(session, wanted).run();
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  const int code = counts.interrupted     ? kExitInterrupted
                   : counts.wrong > 0     ? kExitFailure
                   : counts.programs == 0 ? kExitNothingRan
                                          : kExitOk;
  std::string line =
      fmt::format("{} {} random programs {} on {}: {} wrong", word_of(code), counts.programs,
                  wanted.run ? "run" : "searched", subject, counts.wrong);
  if (counts.too_large > 0) line += fmt::format(", {} too large to compare", counts.too_large);
  if (counts.lacking > 0) line += fmt::format(", {} not run ({})", counts.lacking, counts.lack);
  print(line + fmt::format("; seed {}; {:.1f} s\n", wanted.seed, seconds.count()));
  return code;
}

}  // namespace assay
