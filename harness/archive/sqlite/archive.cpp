// Answers questions from the tables.
#include "harness/archive/archive.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <cstdlib>
#include <stdexcept>

#include "harness/archive/entry.hpp"
#include "harness/archive/sqlite/store.hpp"
#include "harness/console/usage_error.hpp"
#include "harness/program/text_file.hpp"
#include "harness/text/neutral.hpp"

namespace assay::archive {
namespace {

// CROSS JOIN keeps the order of the tables: the first is the one that an index narrows.
constexpr const char* kSeries =
    "SELECT id, subject, contract, name, quantity, unit, better, exact FROM series "
    "ORDER BY subject, contract, name, quantity";
constexpr const char* kPoints =
    "SELECT m.subject, m.center, m.medians, m.sm_clock_mhz, m.throttled_by, r.hash, r.started, "
    "r.synthetic, r.null_call_ns FROM measurement m "
    "CROSS JOIN subject s ON s.id = m.subject CROSS JOIN record r ON r.id = s.record "
    "WHERE m.series = ?1 AND m.status = 'measured' AND s.copy_of IS NULL AND r.complete "
    "AND (?2 OR NOT r.quick) ORDER BY r.started, r.id";
constexpr const char* kJudged =
    "SELECT s.id, s.subject, s.contract, s.verdict, s.exit_code, r.hash, r.started, r.synthetic, "
    "(SELECT sum(o.cases) FROM outcome o WHERE o.subject = s.id), (SELECT sum(o.cases) FROM "
    "outcome o WHERE o.subject = s.id AND o.outcome = 'pass') "
    "FROM subject s CROSS JOIN record r ON r.id = s.record "
    "WHERE s.verdict IS NOT NULL AND r.complete ORDER BY s.subject, s.contract, r.started, r.id";
constexpr const char* kFailed =
    "SELECT e.id, e.subject, e.contract, e.name, e.quantity, e.unit, e.better, e.exact, r.hash, "
    "r.started, s.commit_id, coalesce(m.reason, m.status) FROM measurement m "
    "JOIN series e ON e.id = m.series JOIN subject s ON s.id = m.subject "
    "JOIN record r ON r.id = s.record "
    "WHERE m.status IN ('failed', 'unsupported') AND s.copy_of IS NULL AND r.complete "
    "AND (e.exact OR NOT r.quick) ORDER BY r.started, r.id";
constexpr const char* kRed = "SELECT test FROM red WHERE subject = ? ORDER BY test";
constexpr const char* kCauses = "SELECT sentence FROM cause WHERE subject = ? ORDER BY id";
constexpr const char* kCircumstances =
    "SELECT s.commit_id, s.dirty, r.tool, r.revision, s.compiler, s.flags, s.build_type, s.via, "
    "r.machine, r.gpu, r.cpu, r.kernel, r.driver, r.governor, r.smt, r.aslr, r.min_time_ns, "
    "r.samples, r.device_clock, s.record, r.cores, r.virtualization "
    "FROM subject s CROSS JOIN record r ON r.id = s.record WHERE s.id = ?";
constexpr const char* kDevices =
    "SELECT name, most_sm_clock_mhz, ecc, mig, persistence, application_sm_clock_mhz, "
    "power_limit_w FROM device WHERE record = ? ORDER BY position";
constexpr const char* kListed =
    "SELECT r.hash, r.kind, r.file, r.started, r.machine, r.gpu, r.line, r.synthetic, "
    "length(r.text), (SELECT group_concat(subject, ', ') FROM subject s WHERE s.record = r.id AND "
    "s.copy_of IS NULL), "
    "(SELECT commit_id FROM subject s WHERE s.record = r.id LIMIT 1) FROM record r";
constexpr const char* kTexts = "SELECT r.text, r.hash FROM record r";

/// Of a JSON array, whatever else stands there.
std::vector<double> numbers_in(const std::string& list) {
  std::vector<double> numbers;
  for (const char* at = list.c_str(); *at != '\0';) {
    char* end = nullptr;
    const double number = std::strtod(at, &end);
    if (end != at && std::isfinite(number)) numbers.push_back(number);
    at = end == at ? at + 1 : end;
  }
  return numbers;
}

/// `ECC on`; empty if it is unknown.
std::string flag_in_words(const Statement& row, int column, const char* name) {
  if (row.is_null(column)) return "";
  return fmt::format(", {} {}", name, row.number(column) != 0 ? "on" : "off");
}

/// The condition and its values, in order.
struct Condition {
  std::string sql;
  std::vector<std::string> values;

  void add(const std::string& value, const std::string& condition) {
    if (value.empty()) return;
    sql += (sql.empty() ? " WHERE " : " AND ") + condition;
    values.push_back(value);
  }

  void bind(Statement& statement) const {
    for (std::size_t i = 0; i < values.size(); ++i) {
      statement.bind(static_cast<int>(i) + 1, values[i]);
    }
  }
};

/// The end of the range of texts that begin like `text`.
std::string after(std::string text) { return text + "\xf4\x8f\xbf\xbf"; }

std::string unpacked_or_refused(const std::string& bytes, const std::string& path) {
  try {
    return unpacked(bytes);
  } catch (const std::runtime_error& error) {
    throw UsageError(fmt::format("cannot use {}: {}", path, error.what()));
  }
}

Condition condition_of(const Choice& choice) {
  Condition condition;
  const auto begins = [&](const std::string& value, const char* sql) {
    if (value.empty()) return;
    condition.add(value, sql);
    condition.values.push_back(after(value));
  };
  begins(choice.hash, "r.hash >= ? AND r.hash <= ?");
  condition.add(choice.kind, "r.kind = ?");
  condition.add(choice.machine, "r.machine = ?");
  condition.add(choice.gpu, "r.gpu = ?");
  condition.add(choice.since, "r.started >= ?");
  condition.add(choice.before, "r.started < ?");
  begins(choice.commit,
         "r.id IN (SELECT record FROM subject WHERE commit_id >= ? AND commit_id <= ?)");
  if (!choice.subject.empty()) {
    condition.add(choice.subject,
                  "EXISTS (SELECT 1 FROM subject s WHERE s.record = r.id AND (s.subject = ? OR "
                  "s.typed = ?))");
    condition.values.push_back(choice.subject);
  }
  return condition;
}

std::vector<std::string> column_of(Statement& statement, std::int64_t subject) {
  std::vector<std::string> texts;
  statement.bind(1, subject);
  while (statement.step()) texts.push_back(statement.text(0));
  statement.reset();
  return texts;
}

std::string devices_in_words(Statement& devices, std::int64_t record) {
  std::string text;
  devices.bind(1, record);
  while (devices.step()) {
    text += fmt::format("; {}", devices.text(0));
    if (!devices.is_null(1)) text += fmt::format(", at most {} MHz", devices.number(1));
    text += flag_in_words(devices, 2, "ECC") + flag_in_words(devices, 3, "MIG");
    text += flag_in_words(devices, 4, "persistence");
    if (!devices.is_null(5)) text += fmt::format(", set to {} MHz", devices.number(5));
    if (!devices.is_null(6)) text += fmt::format(", at most {} W", devices.real(6));
  }
  devices.reset();
  return text;
}

}  // namespace

bool Choice::chooses_all() const {
  return hash.empty() && kind.empty() && subject.empty() && machine.empty() && gpu.empty() &&
         commit.empty() && since.empty() && before.empty();
}

Archive::Archive(const std::string& path, Access access)
    : store_(std::make_unique<Store>(path, access)) {}
Archive::~Archive() = default;

bool Archive::add(const Entry& entry) { return store_->add(entry); }

std::set<std::string> Archive::hashes() {
  Statement rows(store_->database, "SELECT hash FROM record");
  std::set<std::string> hashes;
  while (rows.step()) hashes.insert(rows.text(0));
  return hashes;
}

std::vector<Listed> Archive::list(const Choice& choice) {
  const Condition condition = condition_of(choice);
  Statement rows(store_->database, kListed + condition.sql + " ORDER BY r.started, r.id");
  condition.bind(rows);
  std::vector<Listed> listed;
  while (rows.step()) {
    Listed& one = listed.emplace_back();
    one = {rows.text(0), rows.text(1), rows.text(2), rows.text(3), rows.text(10),
           rows.text(4), rows.text(5), rows.text(9), rows.text(6)};
    one.synthetic = rows.number(7) != 0;
    one.size_bytes = rows.number(8);
  }
  return listed;
}

void Archive::each_text(const Choice& choice, const std::function<void(const std::string&)>& use) {
  const Condition condition = condition_of(choice);
  Statement rows(store_->database, kTexts + condition.sql + " ORDER BY r.started, r.id");
  condition.bind(rows);
  while (rows.step()) {
    const std::string text = unpacked_or_refused(rows.text(0), store_->database.path());
    // An earlier assay took the text as it is.
    if (hash_of(text) != rows.text(1) && sha256_of(text) != rows.text(1)) {
      throw UsageError(
          fmt::format("cannot use {}: the text of its record {} is not the one that "
                      "was added",
                      store_->database.path(), one_line(rows.text(1))));
    }
    use(text);
  }
}

std::size_t Archive::remove(const Choice& choice) {
  Database& database = store_->database;
  const Condition condition = condition_of(choice);
  Transaction transaction(database);
  Statement rows(database,
                 "DELETE FROM record WHERE id IN (SELECT r.id FROM record r" + condition.sql + ")");
  condition.bind(rows);
  rows.run();
  const auto removed = static_cast<std::size_t>(database.changes());
  database.run(
      "DELETE FROM series WHERE NOT EXISTS "
      "(SELECT 1 FROM measurement WHERE measurement.series = series.id)");
  transaction.commit();
  const bool is_loose =
      database.number("PRAGMA freelist_count") * 4 > database.number("PRAGMA page_count");
  if (is_loose) database.run("VACUUM");
  return removed;
}

namespace {

/// In the first eight columns.
SeriesName series_in(const Statement& row) {
  return {row.number(0),
          row.text(1),
          row.text(2),
          row.text(3),
          row.text(4),
          row.text(5),
          row.text(6) == "higher",
          row.number(7) != 0};
}

Circumstances circumstances_in(const Statement& row) {
  Circumstances found;
  found.commit = row.text(0);
  found.dirty = row.number(1) != 0;
  // The commit of a built-in subject is the harness's own: then its version says enough.
  found.tool = row.text(2);
  if (row.text(3) != found.commit && !row.text(3).empty()) found.tool += " " + row.text(3);
  found.compiler = row.text(4);
  found.flags = row.text(5);
  found.build_type = row.text(6);
  found.via = row.text(7);
  found.machine = row.text(8);
  if (!row.text(9).empty()) found.machine += ", " + row.text(9);
  found.cpu = fmt::format("{}, {} cores, virtualization {}", row.text(10), row.number(20),
                          row.is_null(21) ? "unknown" : row.text(21));
  found.kernel = row.text(11);
  found.driver = row.text(12);
  found.settings = row.is_null(13) ? "governor unknown" : "governor " + row.text(13);
  found.settings += flag_in_words(row, 14, "SMT") + flag_in_words(row, 15, "ASLR");
  if (!row.is_null(16)) {
    found.loops = fmt::format("{} samples of at least {} ns", row.number(17), row.real(16));
    if (!row.is_null(18)) found.loops += ", device times by " + row.text(18);
  }
  return found;
}

}  // namespace

std::vector<SeriesName> Archive::series() {
  Statement& rows = store_->prepared(kSeries);
  std::vector<SeriesName> found;
  while (rows.step()) found.push_back(series_in(rows));
  rows.reset();
  return found;
}

std::vector<Failed> Archive::failed() {
  Statement& rows = store_->prepared(kFailed);
  std::vector<Failed> found;
  while (rows.step()) {
    found.push_back({series_in(rows), rows.text(8), rows.text(9), rows.text(10), rows.text(11)});
  }
  rows.reset();
  return found;
}

std::vector<Point> Archive::points(const SeriesName& series) {
  std::vector<std::int64_t> subjects;
  std::vector<Point> points;
  Statement& rows = store_->prepared(kPoints);
  rows.bind(1, series.id).bind(2, series.exact);
  while (rows.step()) {
    subjects.push_back(rows.number(0));
    Point& point = points.emplace_back();
    point.center = rows.real(1);
    point.medians = numbers_in(rows.text(2));
    point.sm_clock_mhz = rows.maybe_real(3);
    point.throttled_by = rows.text(4);
    point.hash = rows.text(5);
    point.started = rows.text(6);
    point.synthetic = rows.number(7) != 0;
    point.null_call_ns = rows.maybe_real(8);
  }
  rows.reset();
  for (std::size_t i = 0; i < points.size(); ++i) {
    points[i].circumstances = store_->circumstances_of(subjects[i]);
  }
  return points;
}

const Circumstances& Archive::Store::circumstances_of(std::int64_t subject) {
  const auto known = circumstances_.find(subject);
  if (known != circumstances_.end()) return known->second;
  Statement& row = prepared(kCircumstances);
  Circumstances& found = circumstances_[subject];
  std::int64_t record = 0;
  if (row.bind(1, subject).step()) {
    found = circumstances_in(row);
    record = row.number(19);
  }
  row.reset();
  found.settings += devices_in_words(prepared(kDevices), record);
  return found;
}

std::vector<Judged> Archive::judged() {
  std::vector<std::int64_t> subjects;
  std::vector<Judged> found;
  Statement& rows = store_->prepared(kJudged);
  while (rows.step()) {
    subjects.push_back(rows.number(0));
    Judged& one = found.emplace_back();
    one.subject = rows.text(1);
    one.contract = rows.text(2);
    one.verdict = rows.text(3);
    one.exit_code = static_cast<int>(rows.number(4));
    one.hash = rows.text(5);
    one.started = rows.text(6);
    one.synthetic = rows.number(7) != 0;
    one.cases = rows.number(8);
    one.passed = rows.number(9);
  }
  rows.reset();
  for (std::size_t i = 0; i < found.size(); ++i) {
    found[i].circumstances = store_->circumstances_of(subjects[i]);
    found[i].red = column_of(store_->prepared(kRed), subjects[i]);
    found[i].causes = column_of(store_->prepared(kCauses), subjects[i]);
  }
  return found;
}

std::vector<std::string> Archive::plans() {
  std::vector<std::string> plans;
  const auto explain = [&](const std::string& sql) {
    Statement plan(store_->database, "EXPLAIN QUERY PLAN " + sql);
    while (plan.step()) plans.push_back(plan.text(3));
  };
  for (const char* sql : {kPoints, kJudged, kRed, kCauses, kCircumstances, kDevices}) explain(sql);
  for (const Choice& choice : {Choice{.hash = "a"}, Choice{.gpu = "a"}, Choice{.commit = "a"},
                               Choice{.since = "a"}, Choice{.before = "a"}}) {
    explain(kListed + condition_of(choice).sql);
    explain(kTexts + condition_of(choice).sql);
  }
  return plans;
}

}  // namespace assay::archive
