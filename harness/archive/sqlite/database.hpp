// SQLite's connection and statements as objects.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace assay::archive {

class Database;

/// A prepared statement. Parameters count from 1, columns from 0, as in SQLite.
class Statement {
 public:
  Statement(Database& database, std::string_view sql);

  Statement& bind(int index, std::string_view text);
  Statement& bind(int index, const std::string& text) {
    return bind(index, std::string_view(text));
  }
  Statement& bind(int index, const char* text) { return bind(index, std::string_view(text)); }
  Statement& bind(int index, std::int64_t number);
  Statement& bind(int index, double number);
  Statement& bind(int index, bool flag) { return bind(index, std::int64_t{flag}); }
  Statement& bind_null(int index);
  Statement& bind_bytes(int index, std::string_view bytes);
  template <typename T>
  Statement& bind(int index, const std::optional<T>& value) {
    return value ? bind(index, *value) : bind_null(index);
  }

  /// True if there is a row.
  bool step();
  /// Steps to the end, and is ready to be bound again.
  void run();
  void reset();

  bool is_null(int column) const;
  std::string text(int column) const;  ///< empty for NULL
  std::int64_t number(int column) const;
  double real(int column) const;
  std::optional<double> maybe_real(int column) const;

 private:
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };
  Database& database_;
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

/// Throws UsageError, with the file's name and SQLite's words, if SQLite refuses.
class Database {
 public:
  enum class Access { kRead, kWrite, kMake };

  Database(const std::string& path, Access access);
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  void run(const char* sql);
  std::int64_t number(std::string_view sql);
  std::int64_t last_id() const;
  std::int64_t changes() const;

  [[noreturn]] void fail() const;
  sqlite3* handle() const { return handle_.get(); }
  const std::string& path() const { return path_; }

 private:
  struct Close {
    void operator()(sqlite3* handle) const;
  };
  std::string path_;
  std::unique_ptr<sqlite3, Close> handle_;
};

/// Takes SQLite's lock for writers at once; rolls back unless it was committed.
class Transaction {
 public:
  explicit Transaction(Database& database);
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;

  void commit();

 private:
  Database& database_;
  bool is_open_ = true;
};

}  // namespace assay::archive
