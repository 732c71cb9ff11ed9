// The program `assay-libtorch`: PyTorch's C++ library answers the waist on its standard streams.
#include "harness/adapters/libtorch/subject.hpp"
#include "harness/subject/serve.hpp"

int main() { return assay::serve(*assay::libtorch::make_subject()); }
