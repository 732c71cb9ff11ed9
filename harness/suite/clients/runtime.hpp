// Streams, events and guards, as test authors ask for them.
#pragma once

#include "harness/suite/session.hpp"

namespace assay {

class RuntimeClient {
 public:
  explicit RuntimeClient(Session& session) : session_(&session) {}

 private:
  [[maybe_unused]] Session* session_;
};

}  // namespace assay
