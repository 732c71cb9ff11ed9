// Modules and their movement, as test authors ask for them.
#pragma once

#include "harness/suite/session.hpp"

namespace assay {

class ModuleClient {
 public:
  explicit ModuleClient(Session& session) : session_(&session) {}

 private:
  Session* session_;
};

}  // namespace assay
