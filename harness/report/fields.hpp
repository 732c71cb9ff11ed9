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

}  // namespace assay::report
