// Looks up device loops by name.
#include "cuda_impl/subject/bench/works.hpp"

namespace assay::cuda {

std::unique_ptr<BenchWork> make_bench_work(Call& call) {
  const std::string name = call.arguments().text("loop");
  for (const auto& theme :
       {kernel_works(), update_works(), copy_works(), step_works(), runtime_works()}) {
    for (const auto& [known, make] : theme) {
      if (known != name) continue;
      if (home().is_cuda()) return make(call);
      throw NotSupported("under the device rules of a CPU there is no device");
    }
  }
  throw NotSupported("there is no loop " + name);
}

}  // namespace assay::cuda
