// The program `assay-libtorch`: serves PyTorch's C++ library on its standard streams.
#include "harness/adapters/libtorch/subject.hpp"
#include "harness/subject/serve.hpp"

int main() { return assay::serve(*assay::libtorch::make_subject()); }
