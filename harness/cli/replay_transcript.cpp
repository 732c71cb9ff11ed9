// Replaying one entry of a transcript.
#include "harness/cli/replay_transcript.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/program/compare_replies.hpp"
#include "harness/program/playback.hpp"
#include "harness/protocol/json.hpp"
#include "harness/suite/card.hpp"
#include "harness/suite/clauses.hpp"
#include "harness/suite/hello.hpp"
#include "harness/suite/runner.hpp"

namespace assay::cli {
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
  const auto found =
      std::find_if(cases.begin(), cases.end(), [&](const Case& test) { return test.id == id; });
  return found == cases.end() ? nullptr : &*found;
}

EntryResult finding(EntryResult::Outcome outcome, const TranscriptEntry& entry,
                    const std::string& text) {
  return {outcome, fmt::format("{}  [{}]\n", entry.case_id, to_text(entry.contract)) +
                       wrapped(text, 2, 100, 6)};
}

EntryResult judge_recorded(const Transcript& transcript, const TranscriptEntry& entry) {
  const Case* test = find_case(entry.case_id);
  if (test == nullptr) {
    return finding(EntryResult::Outcome::kStale, entry, "there is no such case any more");
  }
  Playback playback(entry.exchanges, hello_of(transcript.header, entry.contract));
  Runner runner(playback, {});
  const CaseResult result = runner.run({test, entry.contract});
  if (const std::string why = playback.stale(); !why.empty()) {
    return finding(EntryResult::Outcome::kStale, entry, why);
  }
  if (name_of(result.outcome) == entry.outcome) return {};
  return finding(
      EntryResult::Outcome::kDifferent, entry,
      fmt::format("was recorded as {}, and the case now calls it {}: {}", entry.outcome,
                  name_of(result.outcome), result.failure ? result.failure->sentence : ""));
}

EntryResult differs(const TranscriptEntry& entry, std::size_t index, const Difference& difference,
                    const Reply& got) {
  const auto& [command, wanted] = entry.exchanges[index];
  EntryResult result =
      finding(EntryResult::Outcome::kDifferent, entry,
              fmt::format("command {} of {}: {} differs{}", index + 1, entry.exchanges.size(),
                          difference.where.empty() ? "the reply" : difference.where,
                          difference.distance.empty() ? "" : " by " + difference.distance));
  result.finding += wrapped("recorded  " + difference.wanted, 2, 100, 4);
  result.finding += wrapped("got       " + difference.got, 2, 100, 4);
  result.finding += wrapped("> " + to_json(command), 2, 100, 4);
  result.finding += wrapped("< " + to_json(got), 2, 100, 4);
  return result;
}

/// Does a clause of this case leave room between two right answers?
bool leaves_room(const Case& test) {
  return std::ranges::any_of(test.clauses, [](const std::string& id) {
    const Clause* clause = find_clause(id);
    if (clause == nullptr) return false;
    const std::string_view comparator = clause->comparator;
    return comparator == "bound" || comparator == "ulp" || comparator == "set";
  });
}

void reset(Link& link) {
  Command command;
  command.id = 0;
  command.verb = "reset";
  if (!link.exchange(command).succeeded()) link.restart();
}

/// Each subject sees in its own way which kernels ran, and may make up what operators return that
/// nobody asked to compute.
bool asks_what_ran(const Command& command) {
  return command.verb == "dispatch.call" || command.verb == "dispatch.traced" ||
         std::ranges::any_of(command.body, asks_what_ran);
}

/// Replies that differ within what the clause allows, or in how they are seen: there the case is
/// the judge.
bool is_judged_alike(const TranscriptEntry& entry, const Command& command, Link& link) {
  const Case& test = *find_case(entry.case_id);
  if (!leaves_room(test) && !asks_what_ran(command)) return false;
  reset(link);
  Runner runner(link, {});
  return name_of(runner.run({&test, entry.contract}).outcome) == entry.outcome;
}

EntryResult compare_on(const TranscriptEntry& entry, Link& link) {
  if (say_hello(link, entry.contract).contract != entry.contract) {
    return {EntryResult::Outcome::kNotApplicable, ""};
  }
  for (std::size_t i = 0; i < entry.exchanges.size(); ++i) {
    const auto& [command, wanted] = entry.exchanges[i];
    const Reply got = link.exchange(command);
    if (const auto difference = compare_replies(command, got, wanted)) {
      if (is_judged_alike(entry, command, link)) return {};
      return differs(entry, i, *difference, got);
    }
  }
  return {};
}

}  // namespace

EntryResult replay_entry(const Transcript& transcript, const TranscriptEntry& entry,
                         ConnectedSubject& subject) {
  EntryResult recorded = judge_recorded(transcript, entry);
  if (recorded.outcome != EntryResult::Outcome::kSame) return recorded;
  try {
    EntryResult compared = compare_on(entry, *subject.link);
    reset(*subject.link);
    return compared;
  } catch (const LinkBroken& broken) {
    subject.link->restart();
    return finding(EntryResult::Outcome::kDifferent, entry, broken.what());
  } catch (const BadReply& bad) {
    return finding(EntryResult::Outcome::kDifferent, entry, bad.what());
  }
}

}  // namespace assay::cli
