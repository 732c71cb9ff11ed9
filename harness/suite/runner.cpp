// The loop around a case: settle the contract, run, reset, restart.
#include "harness/suite/runner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "harness/protocol/json.hpp"
#include "harness/suite/hello.hpp"
#include "harness/suite/labels.hpp"

namespace assay {
namespace {

/// A subject that cannot be made ready so many times in a row is given up.
constexpr int kMostRefusals = 3;

std::string in_short(const Place& where) {
  return fmt::format("{}:{}", std::filesystem::path(where.file).filename().string(), where.line);
}

Failure failure_of(const CaseResult& result, std::string sentence) {
  Failure failure;
  failure.sentence = take_unwound_labels() + std::move(sentence);
  failure.where = in_short(result.test->where);
  return failure;
}

/// A check that has no place in a source file is one of the case itself.
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

/// Sends `reset`; true when the subject cleaned everything.
bool reset(Link& link) {
  Command command;
  command.id = 0;
  command.verb = "reset";
  const Reply reply = link.exchange(command);
  if (!reply.succeeded()) throw BadReply("reset: expected ok, got " + to_json(reply));
  const Value* uncleaned = reply.ok.find("uncleaned");
  const List* areas = uncleaned == nullptr ? nullptr : uncleaned->get_if<List>();
  return areas == nullptr || areas->items.empty();
}

bool offers(const SubjectInfo& info, const std::string& case_id) {
  const std::string area = case_id.substr(0, case_id.find('/'));
  return std::find(info.areas.begin(), info.areas.end(), area) != info.areas.end();
}

}  // namespace

SubjectInfo Runner::prepare(const Task& task) {
  if (used_ && !broken_) unclean_ = !reset(link_) || unclean_;
  if (broken_ || (unclean_ && task.test->fresh)) {
    link_.restart();
    started_ = unclean_ = false;
  }
  used_ = broken_ = false;
  if (!started_ || info_.contract != task.contract) {
    info_ = say_hello(link_, task.contract);
    started_ = true;
  }
  if (info_.contract != task.contract) {
    throw BadReply(fmt::format("hello: expected the contract {}, which it offered before, got {}",
                               to_text(task.contract), to_text(info_.contract)));
  }
  return info_;
}

void Runner::note(CaseResult& result, Outcome outcome, Failure failure) const {
  result.outcome = outcome;
  result.failure = std::move(failure);
  if (outcome != Outcome::kUnsupported) return;
  const auto excuse = options_.support.excuse(result.test->id);
  result.excused = excuse.has_value();
  result.excuse = excuse.value_or("");
}

void Runner::broke(CaseResult& result, const LinkBroken& broken) {
  Failure failure = failure_of(result, broken.what());
  failure.last_words = broken.last_words();
  note(result, outcome_of(broken.cause()), std::move(failure));
  broken_ = true;
}

void Runner::converse(const SubjectInfo& info, CaseResult& result) {
  const Case& test = *result.test;
  if (!offers(info, test.id)) {
    note(result, Outcome::kUnsupported, failure_of(result, "the subject does not offer this area"));
    return;
  }
  used_ = true;
  take_unwound_labels();
  Session session(link_, info);
  try {
    test.body(session);
  } catch (const CheckFailed& failed) {
    note(result, Outcome::kFail, failure_of(result, failed));
  } catch (const Unsupported& missing) {
    note(result, Outcome::kUnsupported, failure_of(result, missing.what()));
  } catch (const Raised& raised) {
    note(result, Outcome::kFail,
         failure_of(result, fmt::format("expected no error, got {}: {}",
                                        name_of(raised.error().kind), raised.error().message)));
  } catch (const BadReply& bad) {
    note(result, Outcome::kFail, failure_of(result, bad.what()));
  } catch (const LinkBroken& broken) {
    broke(result, broken);
  } catch (const std::exception& unexpected) {
    note(result, Outcome::kInternal, failure_of(result, unexpected.what()));
  }
  if (result.outcome != Outcome::kPass || options_.keep_history) {
    result.history = session.history();
  }
}

void Runner::attempt(const Task& task, CaseResult& result) {
  if (refusals_ >= kMostRefusals) {
    note(result, Outcome::kCrash, failure_of(result, "the subject could not be started again"));
    return;
  }
  ++refusals_;
  try {
    const SubjectInfo info = prepare(task);
    refusals_ = 0;
    converse(info, result);
  } catch (const LinkBroken& broken) {
    broke(result, broken);
  } catch (const BadReply& bad) {
    note(result, Outcome::kFail, failure_of(result, bad.what()));
    broken_ = true;
  }
}

CaseResult Runner::run(const Task& task) {
  if (options_.on_start) options_.on_start(task);
  CaseResult result;
  result.test = task.test;
  result.contract = task.contract;
  const auto begin = std::chrono::steady_clock::now();
  attempt(task, result);
  result.duration = std::chrono::steady_clock::now() - begin;
  if (options_.judge) options_.judge(result);
  if (options_.on_result) options_.on_result(result);
  return result;
}

std::vector<CaseResult> Runner::run_all(const std::vector<Task>& tasks) {
  std::vector<CaseResult> results;
  for (const Task& task : tasks) {
    if (options_.stop != nullptr && options_.stop->load()) break;
    results.push_back(run(task));
  }
  return results;
}

}  // namespace assay
