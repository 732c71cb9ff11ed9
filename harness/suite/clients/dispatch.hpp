// Keys, schemas, registration and calls, as test authors ask for them.
#pragma once

#include "harness/suite/session.hpp"

namespace assay {

class DispatchClient {
 public:
  explicit DispatchClient(Session& session) : session_(&session) {}

 private:
  Session* session_;
};

}  // namespace assay
