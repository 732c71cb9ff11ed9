// The toy subject as a process: an example of the main function of a C++ subject.
#include "harness/subject/serve.hpp"
#include "harness/subject/toy_subject.hpp"

int main() {
  assay::ToySubject subject;
  return assay::serve(subject);
}
