// A generator for devices that this build of PyTorch does not support.
#include "harness/adapters/libtorch/generators.hpp"

#include <ATen/CPUGeneratorImpl.h>
#include <c10/core/DispatchKeySet.h>
#include <c10/core/TensorImpl.h>
#include <c10/core/TensorOptions.h>

#include "harness/adapters/libtorch/tensors.hpp"
#include "harness/subject/arguments.hpp"

namespace assay::libtorch {
namespace {

/// Produces no numbers; it only has a key.
class KeyOnly final : public c10::GeneratorImpl {
 public:
  KeyOnly(c10::Device device, std::uint64_t seed)
      : GeneratorImpl(device, key_set_of(device)), seed_(seed) {}

  void set_current_seed(std::uint64_t seed) override { seed_ = seed; }
  // Without `override`, because 1.13 has no offsets.
  void set_offset(std::uint64_t) { no_numbers(); }
  std::uint64_t get_offset() const { no_numbers(); }
  std::uint64_t current_seed() const override { return seed_; }
  std::uint64_t seed() override { return seed_; }
  void set_state(const c10::TensorImpl&) override { no_numbers(); }
  c10::intrusive_ptr<c10::TensorImpl> get_state() const override { no_numbers(); }

 private:
  static c10::DispatchKeySet key_set_of(c10::Device device) {
    return c10::DispatchKeySet(c10::computeDispatchKey(at::kFloat, c10::kStrided, device));
  }
  [[noreturn]] static void no_numbers() {
    throw NotSupported("this generator has only a key, and makes no random numbers");
  }
  KeyOnly* clone_impl() const override { return new KeyOnly(device(), seed_); }

  std::uint64_t seed_;
};

}  // namespace

at::Generator generator_of(const Generator& generator) {
  const c10::Device device = to_torch(generator.device);
  if (device.is_cpu()) return at::detail::createCPUGenerator(generator.seed);
  return at::make_generator<KeyOnly>(device, generator.seed);
}

}  // namespace assay::libtorch
