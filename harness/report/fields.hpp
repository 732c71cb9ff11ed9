// The members of records with the same name in JSON, listed once for writer and reader.
#pragma once

#include "harness/report/record.hpp"

namespace assay::report {

/// Each calls `each(name, member)` in the order of the file; `record` may be const.
template <typename Record, typename Each>
void for_each_of_environment(Record& record, const Each& each) {
  each("host", record.host);
  each("cpu", record.cpu);
  each("cores", record.cores);
  each("kernel", record.kernel);
  each("compiler", record.compiler);
  each("flags", record.flags);
  each("build_type", record.build_type);
  each("revision", record.revision);
  each("dirty", record.dirty);
  each("version", record.version);
  each("driver", record.driver);
}

template <typename Record, typename Each>
void for_each_of_case(Record& record, const Each& each) {
  each("id", record.id);
  each("contract", record.contract);
  each("outcome", record.outcome);
  each("clauses", record.clauses);
  each("seconds", record.seconds);
  each("file", record.file);
  each("line", record.line);
}

template <typename Record, typename Each>
void for_each_of_failure(Record& record, const Each& each) {
  each("sentence", record.sentence);
  each("expected", record.expected);
  each("got", record.got);
  each("where", record.where);
  each("last_words", record.last_words);
}

template <typename Record, typename Each>
void for_each_of_hello(Record& record, const Each& each) {
  each("name", record.name);
  each("version", record.version);
  each("devices", record.devices);
  each("areas", record.areas);
  each("threads", record.threads);
}

template <typename Record, typename Each>
void for_each_of_cause(Record& record, const Each& each) {
  each("sentence", record.sentence);
  each("clause", record.clause);
  each("fault", record.fault);
  each("others", record.others);
  each("cases", record.cases);
  each("exact", record.exact);
  each("perhaps", record.perhaps);
}

/// The members between the reply to hello and the cases.
template <typename Record, typename Each>
void for_each_of_subject(Record& record, const Each& each) {
  each("contracts", record.contracts);
  each("outcomes", record.outcomes);
  each("planned", record.planned);
  each("not_applicable", record.not_applicable);
  each("seconds", record.seconds);
  each("verdict", record.verdict);
  each("exit", record.exit_code);
  each("line", record.line);
  each("waiver_findings", record.waiver_findings);
}

template <typename Record, typename Each>
void for_each_of_waiver(Record& record, const Each& each) {
  each("cases", record.cases);
  each("subject", record.subject);
  each("device", record.device);
  each("releases", record.releases);
  each("reason", record.reason);
  each("link", record.link);
  each("owner", record.owner);
  each("expires", record.expires);
  each("signature", record.signature);
  each("pattern", record.pattern);
  each("place", record.place);
  each("has_case", record.has_case);
}

template <typename Record, typename Each>
void for_each_of_support(Record& record, const Each& each) {
  each("cases", record.cases);
  each("command", record.command);
  each("device", record.device);
  each("releases", record.releases);
  each("reason", record.reason);
  each("place", record.place);
}

/// The members before the lists of waivers and support entries.
template <typename Record, typename Each>
void for_each_of_basis(Record& record, const Each& each) {
  each("key", record.key);
  each("cases", record.cases);
  each("whole", record.whole);
  each("unclaimed", record.unclaimed);
  each("narrowed", record.narrowed);
  each("stale", record.stale);
  each("strict_end", record.strict_end);
  each("strict_waivers", record.strict_waivers);
  each("partial", record.partial);
}

template <typename Record, typename Each>
void for_each_of_profile(Record& record, const Each& each) {
  each("name", record.name);
  each("judged", record.judged);
  each("all", record.all);
}

template <typename Record, typename Each>
void for_each_of_part(Record& record, const Each& each) {
  each("subject", record.subject);
  each("recordings", record.recordings);
  each("by_default", record.by_default);
  each("absent", record.absent);
}

}  // namespace assay::report
