// The toy subject as a process: what the main function of a C++ subject looks like.
#include "harness/subject/serve.hpp"
#include "harness/subject/toy_subject.hpp"

int main() {
  assay::ToySubject subject;
  return assay::serve(subject);
}
