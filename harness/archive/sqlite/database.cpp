// Calls SQLite, and turns its codes into errors.
#include "harness/archive/sqlite/database.hpp"

#include <fmt/format.h>
#include <sqlite3.h>

#include <cmath>

#include "harness/console/usage_error.hpp"
#include "harness/program/text_file.hpp"

namespace assay::archive {
namespace {

/// How long a writer waits for the others.
constexpr int kPatienceMs = 120'000;

int flags_of(Database::Access access) {
  switch (access) {
    case Database::Access::kRead:
      return SQLITE_OPEN_READONLY;
    case Database::Access::kWrite:
      return SQLITE_OPEN_READWRITE;
    case Database::Access::kMake:
      return SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  }
  return 0;
}

/// SQLite keeps `:memory:` and an empty name in memory, and loses what is added there.
std::string name_for_sqlite(const std::string& path) {
  return path.starts_with('/') ? path : "./" + path;
}

/// The file may be anybody's: nothing in it may run, or change the tables of SQLite itself.
void distrust(sqlite3* handle) {
  constexpr int kOff[] = {SQLITE_DBCONFIG_ENABLE_TRIGGER, SQLITE_DBCONFIG_ENABLE_VIEW,
                          SQLITE_DBCONFIG_TRUSTED_SCHEMA, SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER,
                          SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION};
  for (const int option : kOff) sqlite3_db_config(handle, option, 0, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, static_cast<int>(kMostUnpackedBytes));
}

}  // namespace

Statement::Statement(Database& database, std::string_view sql) : database_(database) {
  sqlite3_stmt* statement = nullptr;
  const int code = sqlite3_prepare_v3(database.handle(), sql.data(), static_cast<int>(sql.size()),
                                      SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
  statement_.reset(statement);
  if (code != SQLITE_OK) database.fail();
}

void Statement::Finalize::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

Statement& Statement::bind(int index, std::string_view text) {
  // A null pointer, as an empty view may have, would be NULL.
  const char* begin = text.empty() ? "" : text.data();
  if (sqlite3_bind_text64(statement_.get(), index, begin, text.size(), SQLITE_TRANSIENT,
                          SQLITE_UTF8) != SQLITE_OK) {
    database_.fail();
  }
  return *this;
}

Statement& Statement::bind(int index, std::int64_t number) {
  if (sqlite3_bind_int64(statement_.get(), index, number) != SQLITE_OK) database_.fail();
  return *this;
}

Statement& Statement::bind(int index, double number) {
  if (sqlite3_bind_double(statement_.get(), index, number) != SQLITE_OK) database_.fail();
  return *this;
}

Statement& Statement::bind_null(int index) {
  if (sqlite3_bind_null(statement_.get(), index) != SQLITE_OK) database_.fail();
  return *this;
}

Statement& Statement::bind_bytes(int index, std::string_view bytes) {
  if (sqlite3_bind_blob64(statement_.get(), index, bytes.data(), bytes.size(), SQLITE_TRANSIENT) !=
      SQLITE_OK) {
    database_.fail();
  }
  return *this;
}

bool Statement::step() {
  const int code = sqlite3_step(statement_.get());
  if (code != SQLITE_ROW && code != SQLITE_DONE) {
    sqlite3_reset(statement_.get());
    database_.fail();
  }
  return code == SQLITE_ROW;
}

void Statement::run() {
  while (step()) {
  }
  reset();
}

void Statement::reset() { sqlite3_reset(statement_.get()); }

bool Statement::is_null(int column) const {
  return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL;
}

std::string Statement::text(int column) const {
  const void* bytes = sqlite3_column_blob(statement_.get(), column);
  const int count = sqlite3_column_bytes(statement_.get(), column);
  if (bytes == nullptr) return {};
  return {static_cast<const char*>(bytes), static_cast<std::size_t>(count)};
}

std::int64_t Statement::number(int column) const {
  return sqlite3_column_int64(statement_.get(), column);
}

double Statement::real(int column) const {
  const double number = sqlite3_column_double(statement_.get(), column);
  if (!std::isfinite(number)) {
    throw UsageError(fmt::format("cannot use {}: a number in it is not finite", database_.path()));
  }
  return number;
}

std::optional<double> Statement::maybe_real(int column) const {
  return is_null(column) ? std::nullopt : std::optional(real(column));
}

Database::Database(const std::string& path, Access access) : path_(path) {
  sqlite3* handle = nullptr;
  const int code =
      sqlite3_open_v2(name_for_sqlite(path).c_str(), &handle, flags_of(access), nullptr);
  handle_.reset(handle);
  if (code != SQLITE_OK) fail();
  distrust(handle);
  sqlite3_busy_timeout(handle, kPatienceMs);
}

void Database::Close::operator()(sqlite3* handle) const { sqlite3_close_v2(handle); }

void Database::run(const char* sql) {
  if (sqlite3_exec(handle_.get(), sql, nullptr, nullptr, nullptr) != SQLITE_OK) fail();
}

std::int64_t Database::number(std::string_view sql) {
  Statement statement(*this, sql);
  return statement.step() ? statement.number(0) : 0;
}

std::int64_t Database::last_id() const { return sqlite3_last_insert_rowid(handle_.get()); }

std::int64_t Database::changes() const { return sqlite3_changes64(handle_.get()); }

void Database::fail() const {
  throw UsageError(fmt::format("cannot use {}: {}", path_, sqlite3_errmsg(handle_.get())));
}

Transaction::Transaction(Database& database) : database_(database) {
  database_.run("BEGIN IMMEDIATE");
}

Transaction::~Transaction() {
  if (is_open_) sqlite3_exec(database_.handle(), "ROLLBACK", nullptr, nullptr, nullptr);
}

void Transaction::commit() {
  database_.run("COMMIT");
  is_open_ = false;
}

}  // namespace assay::archive
