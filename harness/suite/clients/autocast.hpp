// Autocast state and regions, as test authors ask for them.
#pragma once

#include "harness/suite/session.hpp"

namespace assay {

class AutocastClient {
 public:
  explicit AutocastClient(Session& session) : session_(&session) {}

 private:
  Session* session_;
};

}  // namespace assay
