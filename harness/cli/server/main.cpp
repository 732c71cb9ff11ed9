// The reference as a program that serves the protocol: a minimal example of a C++ subject, and the
// subject for the suites when only the reference is built with a sanitizer.
#include "harness/subject/serve.hpp"
#include "reference/subject/reference_subject.hpp"

int main() {
  const auto subject = assay::reference::make_subject();
  return assay::serve(*subject);
}
