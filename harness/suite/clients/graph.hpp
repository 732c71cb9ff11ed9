// Work that is captured once and replayed, as test authors ask for it.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "harness/suite/session.hpp"

namespace assay {

struct CaptureOptions {
  std::optional<Value> stream = {};
  std::optional<std::string> mode = {};  ///< `global`, `thread_local`, `relaxed`
};

/// A graph of the subject, by its name. Passes wherever a value goes.
class GraphObject {
 public:
  GraphObject(Session& session, std::string name) : session_(&session), name_(std::move(name)) {}

  const std::string& name() const { return name_; }
  operator Value() const { return Ref{name_}; }

  void begin(const CaptureOptions& options = {}) const;
  void end() const;
  void replay() const;
  void reset() const;

  /// Begins, calls `body`, ends. What `body` throws ends the capture as well.
  void capture(const std::function<void()>& body, const CaptureOptions& options = {}) const;

 private:
  Session* session_;
  std::string name_;
};

class GraphClient {
 public:
  explicit GraphClient(Session& session) : session_(&session) {}

  GraphObject make() const;
  /// Of what `body` asks for.
  GraphObject of(const std::function<void()>& body) const;
  bool is_capturing() const;

 private:
  Session* session_;
};

}  // namespace assay
