// The typed client of the area graph: capture and replay of work.
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

/// A graph of the subject, referred to by name. Converts to a value.
class GraphObject {
 public:
  GraphObject(Session& session, std::string name) : session_(&session), name_(std::move(name)) {}

  const std::string& name() const { return name_; }
  operator Value() const { return Ref{name_}; }

  void begin(const CaptureOptions& options = {}) const;
  void end() const;
  void replay() const;
  void reset() const;

  /// Begins the capture, calls `body`, and ends it, even if `body` throws.
  void capture(const std::function<void()>& body, const CaptureOptions& options = {}) const;

 private:
  Session* session_;
  std::string name_;
};

class GraphClient {
 public:
  explicit GraphClient(Session& session) : session_(&session) {}

  GraphObject make() const;
  /// A graph of the work that `body` requests.
  GraphObject of(const std::function<void()>& body) const;
  bool is_capturing() const;

 private:
  Session* session_;
};

}  // namespace assay
