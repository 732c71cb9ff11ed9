// The reference as a program that answers the waist: all that a C++ subject of one's own needs, and
// what the suites of a plain build are run against when the reference is built with a sanitizer.
#include "harness/subject/serve.hpp"
#include "reference/subject/reference_subject.hpp"

int main() {
  const auto subject = assay::reference::make_subject();
  return assay::serve(*subject);
}
