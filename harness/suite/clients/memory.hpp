// The caching allocator, as test authors ask for them.
#pragma once

#include "harness/suite/session.hpp"

namespace assay {

class MemoryClient {
 public:
  explicit MemoryClient(Session& session) : session_(&session) {}

 private:
  [[maybe_unused]] Session* session_;
};

}  // namespace assay
