// Runs a case: selects the contract, runs the body, resets or restarts the subject.
#include "harness/suite/runner/runner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <stdexcept>
#include <utility>

#include "harness/protocol/json.hpp"
#include "harness/subject/process/time_limit.hpp"
#include "harness/suite/card/excerpt.hpp"
#include "harness/suite/labels.hpp"
#include "harness/suite/mistake.hpp"
#include "harness/suite/unsupported_case.hpp"

namespace assay {
namespace {

/// Sweeps may take this many times the time limit of a case.
constexpr int kPatienceForSweeps = 10;
/// A longer case has more time with each answer, so that a slow subject can finish it; the
/// transport still limits the silence before an answer.
constexpr std::size_t kCommandsInTime = 100;

/// Tells of each reply, with the number of replies so far.
class CountedLink final : public Link {
 public:
  CountedLink(Link& link, std::function<void(std::size_t)> told)
      : link_(link), told_(std::move(told)) {}

  Reply exchange(const Command& command) override {
    Reply reply = link_.exchange(command);
    told_(++replies_);
    return reply;
  }
  void restart() override { link_.restart(); }

 private:
  Link& link_;
  std::function<void(std::size_t)> told_;
  std::size_t replies_ = 0;
};

std::string in_short(const Place& where) {
  return fmt::format("{}:{}", std::filesystem::path(where.file).filename().string(), where.line);
}

Failure failure_of(const CaseResult& result, std::string sentence) {
  Failure failure;
  failure.sentence = take_unwound_labels() + std::move(sentence);
  failure.where = in_short(result.test->where);
  return failure;
}

/// A check without a position in a source file belongs to the case itself.
Failure failure_of(const CaseResult& result, const CheckFailed& failed) {
  Failure failure;
  failure.sentence = failed.what();
  failure.expected = failed.expected();
  failure.got = failed.got();
  const bool nowhere = failed.where().line() == 0;
  failure.where = in_short(nowhere ? result.test->where : place_of(failed.where()));
  return failure;
}

Outcome outcome_of(LinkBroken::Cause cause) {
  switch (cause) {
    case LinkBroken::Cause::kDied:
      return Outcome::kCrash;
    case LinkBroken::Cause::kTimedOut:
      return Outcome::kTimeout;
    case LinkBroken::Cause::kGarbled:
      break;
  }
  return Outcome::kFail;
}

/// Sends `reset`; true if the subject released everything.
bool reset(Link& link) {
  Command command;
  command.id = 0;
  command.verb = "reset";
  const Reply reply = link.exchange(command);
  if (!reply.succeeded()) throw BadReply("reset: expected ok, got " + to_json(reply));
  const Value* uncleaned = reply.ok.find("uncleaned");
  const List* areas = uncleaned == nullptr ? nullptr : uncleaned->get_if<List>();
  const bool is_list_of_names =
      areas != nullptr && std::ranges::all_of(areas->items, [](const Value& area) {
        return area.get_if<std::string>() != nullptr;
      });
  if (!is_list_of_names) {
    throw BadReply("reset: expected 'uncleaned', a list of areas, got " + to_json(reply));
  }
  return areas->items.empty();
}

bool offers(const SubjectInfo& info, const std::string& case_id) {
  return std::ranges::find(info.areas, area_of_case(case_id)) != info.areas.end();
}

/// Why the case says nothing about this subject; empty if it does.
std::string why_not_judged(const Hello& hello, const Case& test) {
  if (hello.foreign && reach_of(test) == Reach::kWords) {
    return "the subject is foreign: PyTorch's words and names are not judged";
  }
  const auto found = std::ranges::find_first_of(test.unless, hello.properties);
  return found == test.unless.end() ? "" : std::string(in_words(*found));
}

}  // namespace

const Hello& Runner::prepare(const Task& task) {
  const bool again = broken_ || (unclean_ && task.test->fresh);
  if (again) started_ = unclean_ = false;
  if (!started_ || info_.contract != task.contract) {
    info_ = hello_with_retries(link_, task.contract, again);
    check_identity(options_.introduced, task.contract, info_);
    started_ = true;
  }
  broken_ = false;
  if (info_.contract != task.contract) {
    throw BadReply(fmt::format("hello: expected the contract {}, which it offered before, got {}",
                               to_text(task.contract), to_text(info_.contract)));
  }
  return info_;
}

std::chrono::milliseconds Runner::patience_for(const Case& test) const {
  const std::size_t beyond = answered_ > kCommandsInTime ? answered_ - kCommandsInTime : 0;
  return options_.timeout * (test.full ? kPatienceForSweeps : 1) +
         options_.timeout * beyond / kCommandsInTime;
}

void Runner::note(CaseResult& result, Outcome outcome, Failure failure) {
  result.outcome = outcome;
  result.failure = std::move(failure);
}

void Runner::note_broken_link(CaseResult& result, const LinkBroken& broken,
                              const std::string& when) {
  broken_ = true;
  // The case's own finding takes precedence.
  if (result.outcome != Outcome::kPass && result.outcome != Outcome::kUnsupported) return;
  Failure failure = failure_of(result, when + broken.what());
  if (broken.cause() == LinkBroken::Cause::kTimedOut) {
    failure.sentence +=
        fmt::format("; the case may take {} ms (--timeout)", patience_for(*result.test).count());
  }
  failure.last_words = broken.last_words();
  note(result, outcome_of(broken.cause()), std::move(failure));
}

void Runner::run_body(Session& session, const Body& body, CaseResult& result) {
  try {
    body(session);
  } catch (const CheckFailed& failed) {
    note(result, Outcome::kFail, failure_of(result, failed));
  } catch (const NotOffered& missing) {
    note(result, Outcome::kUnsupported, failure_of(result, missing.what()));
    result.excused = true;
    result.excuse = std::string("hello: ") + missing.what();
  } catch (const Blind& blind) {
    note(result, Outcome::kUnsupported, failure_of(result, blind.what()));
    result.lacks = blind_at(session.history(), blind.field());
  } catch (const NotShown& missing) {
    note(result, Outcome::kUnsupported, failure_of(result, missing.what()));
    result.not_shown = missing.fields();
  } catch (const NotCounted& missing) {
    note(result, Outcome::kUnsupported, failure_of(result, missing.what()));
    result.lacks = "counts";
  } catch (const Unsupported& missing) {
    note(result, Outcome::kUnsupported, failure_of(result, missing.what()));
  } catch (const SubjectError& raised) {
    note(result, Outcome::kFail,
         failure_of(result, fmt::format("expected no error, got {}: {}",
                                        name_of(raised.error().kind), raised.error().message)));
  } catch (const BadReply& bad) {
    note(result, Outcome::kFail, failure_of(result, bad.what()));
  } catch (const std::out_of_range& missing) {  // from `at`: the reply is too short
    note(result, Outcome::kFail,
         failure_of(result, fmt::format("a reply lacks what the case reads: {}", missing.what())));
  } catch (const LinkBroken& broken) {
    note_broken_link(result, broken, "");
  } catch (const std::exception& unexpected) {
    note(result, Outcome::kInternal, failure_of(result, unexpected.what()));
  }
}

void Runner::run_on_session(const Hello& info, const Body& body, CaseResult& result) {
  const Case& test = *result.test;
  if (!offers(info, test.id)) {
    note(result, Outcome::kUnsupported, failure_of(result, "the subject does not offer this area"));
    return;
  }
  if (const std::string why = why_not_judged(info, test); !why.empty()) {
    note(result, Outcome::kUnsupported, failure_of(result, why));
    result.excused = true;
    result.excuse = std::string(kNotJudged) + why;
    return;
  }
  used_ = true;
  take_unwound_labels();
  take_mistake();
  const WithoutWords of_a_foreign_subject(info.foreign);
  auto* limit = dynamic_cast<TimeLimit*>(&link_);
  const auto begin = std::chrono::steady_clock::now();
  const auto on_reply = [&](std::size_t commands) {
    answered_ = commands;
    if (limit != nullptr) limit->expect_by(begin + patience_for(test));
    const bool is_due = commands > 0 && commands % kCommandsInTime == 0;
    if (is_due && options_.on_commands) options_.on_commands(commands);
  };
  on_reply(0);
  CountedLink link(link_, on_reply);
  Session session(link, info);
  run_body(session, body, result);
  if (limit != nullptr) limit->expect_by(std::nullopt);
  if (std::string seen = take_mistake(); result.outcome == Outcome::kPass) {
    result.mistake = std::move(seen);
  }
  result.history = session.take_history();
}

void Runner::attempt(const Task& task, const Body& body, CaseResult& result) {
  try {
    run_on_session(prepare(task), body, result);
  } catch (const BadReply& bad) {
    note(result, Outcome::kFail, failure_of(result, bad.what()));
    broken_ = true;
  }
}

/// If a subject breaks during reset, the preceding case is responsible.
void Runner::reset_subject(CaseResult& result) {
  const bool used = std::exchange(used_, false);
  if (!used || broken_) return;
  try {
    unclean_ = !reset(link_) || unclean_;
  } catch (const LinkBroken& broken) {
    note_broken_link(result, broken, "after the case: ");
  } catch (const BadReply& bad) {
    broken_ = true;
    if (!result.spoils()) note(result, Outcome::kFail, failure_of(result, bad.what()));
  }
}

CaseResult Runner::run(const Task& task, const Body& body) {
  CaseResult result;
  result.test = task.test;
  result.contract = task.contract;
  const auto begin = std::chrono::steady_clock::now();
  attempt(task, body, result);
  result.duration = std::chrono::steady_clock::now() - begin;
  reset_subject(result);
  return result;
}

CaseResult Runner::run(const Task& task) {
  CaseResult result = run(task, task.test->body);
  if (result.outcome == Outcome::kPass && options_.afterwards) {
    options_.afterwards(result, info_, [&](const Body& body) { return run(task, body); });
  }
  const bool is_open =
      result.outcome == Outcome::kUnsupported && why_not_judged(info_, *task.test).empty();
  if (is_open) options_.support.judge(result, info_);
  if (result.outcome == Outcome::kPass && !options_.keep_history) result.history.clear();
  if (!options_.keep_history) shorten(result);
  return result;
}

}  // namespace assay
