// Makes cases from transcripts.
#include "harness/recorded/recorded_cases.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/program/transcript.hpp"
#include "harness/recorded/replay.hpp"
#include "harness/suite/clauses.hpp"
#include "harness/suite/runner/runner.hpp"

namespace assay {
namespace {

List list_of(const std::vector<std::string>& texts) {
  List list;
  for (const std::string& text : texts) list.items.emplace_back(text);
  return list;
}

Reply hello_of(const TranscriptHeader& header, const Contract& contract) {
  List devices;
  for (const std::string& text : header.devices) {
    if (const auto device = device_from_text(text)) devices.items.emplace_back(*device);
  }
  return Reply::make_ok({{"protocol", kProtocolVersion},
                         {"name", header.name},
                         {"version", header.version},
                         {"devices", std::move(devices)},
                         {"areas", list_of(header.areas)},
                         {"threads", true},
                         {"release", name_of(contract.release)},
                         {"device_rules", name_of(contract.device_rules)},
                         {"deviations", name_of(contract.deviations)}});
}

const Case* find_case(const std::string& id) {
  const auto& cases = all_cases();
  const auto found = std::ranges::find(cases, id, &Case::id);
  return found == cases.end() ? nullptr : &*found;
}

/// True if a clause of this case permits different correct answers.
bool leaves_room(const Case& test) {
  return std::ranges::any_of(test.clauses, [](const std::string& id) {
    const Clause* clause = find_clause(id);
    if (clause == nullptr) return false;
    const std::string_view comparator = clause->comparator;
    return comparator == "bound" || comparator == "ulp" || comparator == "set";
  });
}

/// Subjects list the executed kernels differently, and may choose operator results that nothing
/// specifies.
bool asks_what_ran(const Command& command) {
  return command.verb == "dispatch.call" || command.verb == "dispatch.traced" ||
         std::ranges::any_of(command.body, asks_what_ran);
}

/// If replies differ within what a clause permits, or in what ran, the case itself decides: unless
/// it did not pass what was recorded, since it would then pass another reply. Then every reply must
/// be the recorded one.
void replay_or_judge(Session& subject, const Exchanges& exchanges, const Case& judge,
                     bool has_passed) {
  try {
    if (replay(subject, exchanges, has_passed ? asks_what_ran : nullptr)) return;
  } catch (const CheckFailed&) {
    if (!leaves_room(judge) || !has_passed) throw;
  }
  subject.send("reset");
  judge.body(subject);
}

bool admits(const Selection& selection, const Contract& contract) {
  const std::vector<Contract> wanted = wanted_contracts(selection);
  return std::ranges::find(wanted, contract) != wanted.end();
}

/// The case's verdict on the recorded replies.
struct Judgement {
  CaseResult result;
  std::string stale;  ///< why the recording no longer matches
};

Judgement judge_recorded(const TranscriptHeader& header, const TranscriptEntry& entry,
                         const Case& judge) {
  Playback playback(entry.exchanges, hello_of(header, entry.contract));
  Runner runner(playback, {});
  Judgement found{runner.run({&judge, entry.contract}), ""};
  // A case that fails halfway sends no further commands; that does not make it stale.
  const bool is_alike = name_of(found.result.outcome) == entry.outcome;
  if (is_alike || found.result.outcome == Outcome::kInternal) found.stale = playback.stale();
  return found;
}

/// All transcripts of one run have the same header and name.
class Maker {
 public:
  Maker(std::string file, const Transcript& transcript, RecordedCases& made)
      : file_(std::move(file)), header_(transcript.header), made_(made) {}

  void add(const TranscriptEntry& entry, const Selection& selection, std::uint32_t line) {
    const Case* judge = find_case(entry.case_id);
    Case wanted;
    wanted.id = entry.case_id;
    if (judge != nullptr) {
      wanted.clauses = judge->clauses;
      wanted.reach = judge->reach;
      wanted.unless = judge->unless;
    }
    if (!selection.selects(wanted) || !admits(selection, entry.contract)) return;
    if (judge == nullptr) return note_stale(entry, "the case no longer exists");
    wanted.applies = {entry.contract.release, entry.contract.release, entry.contract.device_rules,
                      entry.contract.deviations, std::nullopt};
    wanted.fresh = judge->fresh;
    wanted.where = {file_, line};
    finish(entry, *judge, std::move(wanted));
  }

 private:
  void note_stale(const TranscriptEntry& entry, const std::string& why) {
    made_.stale.push_back(fmt::format("{}  [{}]: {}", entry.case_id, to_text(entry.contract), why));
  }

  /// First runs the case on the recorded replies.
  void finish(const TranscriptEntry& entry, const Case& judge, Case wanted) {
    const auto [result, why] = judge_recorded(header_, entry, judge);
    if (!why.empty()) return note_stale(entry, why);
    if (name_of(result.outcome) == entry.outcome) {
      const bool has_passed = result.outcome == Outcome::kPass;
      wanted.body = [exchanges = entry.exchanges, &judge, has_passed](Session& subject) {
        replay_or_judge(subject, exchanges, judge, has_passed);
      };
    } else {
      const std::string sentence =
          fmt::format("was recorded as {}, and the case now calls it {}{}", entry.outcome,
                      name_of(result.outcome),
                      result.failure ? ": " + result.failure->sentence : std::string());
      wanted.body = [sentence](Session&) {
        throw CheckFailed(sentence, "", "", std::source_location());
      };
    }
    made_.cases.push_back(std::move(wanted));
  }

  std::string file_;
  const TranscriptHeader& header_;
  RecordedCases& made_;
};

}  // namespace

void narrow_to_recorded(Selection& selection, const std::vector<Case>& cases) {
  selection.full = true;
  if (cases.empty()) return;
  const Applicability& first = cases.front().applies;
  for (const Case& test : cases) {
    if (test.applies.since != first.since || test.applies.device_rules != first.device_rules)
      return;
  }
  selection.release = first.since;
  selection.device_rules = first.device_rules;
  selection.deviations = first.deviations;
}

bool is_repeatable(const TranscriptHeader& header, const TranscriptEntry& entry) {
  const Case* judge = find_case(entry.case_id);
  if (judge == nullptr) return false;
  const Judgement found = judge_recorded(header, entry, *judge);
  return found.stale.empty() && name_of(found.result.outcome) == entry.outcome;
}

RecordedCases recorded_cases(const std::vector<std::string>& files, const Selection& selection) {
  RecordedCases made;
  for (const std::string& file : files) {
    const Transcript transcript = read_transcript(file);
    Maker maker(file, transcript, made);
    std::uint32_t line = 1;
    for (const TranscriptEntry& entry : transcript.entries) maker.add(entry, selection, ++line);
  }
  std::ranges::sort(made.cases, {}, &Case::id);
  return made;
}

}  // namespace assay
