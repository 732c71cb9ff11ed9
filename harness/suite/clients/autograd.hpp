// Gradients, as test authors ask for them.
#pragma once

#include "harness/suite/session.hpp"

namespace assay {

class AutogradClient {
 public:
  explicit AutogradClient(Session& session) : session_(&session) {}

 private:
  Session* session_;
};

}  // namespace assay
