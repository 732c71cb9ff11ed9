// The subject as a process: `assay run --subject ./my_server`.
#include <assay/subject/serve.hpp>

#include "my_subject.hpp"

int main() { return assay::serve(*make_my_subject()); }
