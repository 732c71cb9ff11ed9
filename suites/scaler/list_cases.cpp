// Lists that change between calls: nothing is remembered of an earlier list.
#include "harness/suite/clients/core.hpp"
#include "harness/suite/clients/module.hpp"
#include "harness/suite/clients/runtime.hpp"
#include "suites/scaler/training.hpp"

namespace assay::suites {
namespace {

ScalerHandle dividing_by_four(Session& subject) {
  return ready(subject, {.init_scale = 4, .growth_factor = 1.5, .growth_interval = 1000});
}

/// An iteration in which nothing is stepped.
void unscale_and_update(const ScalerHandle& scaler, const Value& optimizer) {
  scaler.unscale_(optimizer);
  scaler.update();
}

/// The first elements of the memory, so far apart.
Value view_of(Session& subject, const Tensor& memory, std::int64_t count, std::int64_t stride) {
  return subject.core().as_strided(memory, {.shape = {count}, .strides = {stride}});
}

/// Flags are on these devices, in this order.
void expect_devices(const FoundInf& flags, const std::vector<Device>& wanted,
                    Where where = Where::current()) {
  std::string got;
  for (const auto& [device, flag] : flags) got += to_text(device) + " ";
  for (const auto& [device, flag] : flags) {
    const TensorValue* tensor = flag.tensor();
    if (tensor == nullptr || tensor->device != device) got += "with a flag elsewhere ";
  }
  std::string expected;
  for (const Device& device : wanted) expected += to_text(device) + " ";
  expect_equal(got, expected, where);
}

}  // namespace

CASES("scaler/lists") {
  scaling(
      "gradients_that_replace_others_are_unscaled", {"SCL-215", "SCL-203"}, [](Session& subject) {
        auto scaler = dividing_by_four(subject);
        const Tensor params[] = {parameter(subject, 1, 0), parameter(subject, 1, 0)};
        const OptimizerHandle optimizers[] = {sgd(subject, {params[0]}), sgd(subject, {params[1]})};
        for (const float grad : {8.0F, 16.0F, 24.0F}) {
          params[0].set_grad(f32({grad}));
          params[1].set_grad(f32({grad + 4}));

          for (const OptimizerHandle& each : optimizers) scaler.unscale_(each);
          scaler.update();

          expect_bits(params[0].grad(), f32({grad / 4}));
          expect_bits(params[1].grad(), f32({grad / 4 + 1}));
        }
      });

  scaling("a_gradient_in_the_memory_of_one_of_another_type", {"SCL-215", "SCL-204"},
          [](Session& subject) {
            auto scaler = dividing_by_four(subject);
            const Tensor single = parameter(subject, f32({0, 0}), f32({8, 16}));
            const Tensor wide = parameter(subject, f64({0, 0}));
            const auto of_single = sgd(subject, {single});
            const auto of_wide = sgd(subject, {wide});

            unscale_and_update(scaler, of_single);
            single.set_grad(Value());
            wide.set_grad(f64({32, 64}));
            unscale_and_update(scaler, of_wide);

            expect_bits(wide.grad(), f64({8, 16}));
          });

  scaling("views_of_other_strides_and_sizes_in_the_same_memory", {"SCL-215"}, [](Session& subject) {
    auto scaler = dividing_by_four(subject);
    const Tensor memory(subject, f32({16, 16, 16, 16}));
    const Tensor pair = parameter(subject, f32({0, 0}));
    const Tensor four = parameter(subject, f32({0, 0, 0, 0}));
    const auto of_pair = sgd(subject, {pair});
    const auto of_four = sgd(subject, {four});

    pair.set_grad(view_of(subject, memory, 2, 1));
    unscale_and_update(scaler, of_pair);
    expect_bits(memory.read(), f32({4, 4, 16, 16}));

    pair.set_grad(view_of(subject, memory, 2, 2));
    unscale_and_update(scaler, of_pair);
    expect_bits(memory.read(), f32({1, 4, 4, 16}));

    pair.set_grad(view_of(subject, memory, 2, 1));
    unscale_and_update(scaler, of_pair);
    four.set_grad(view_of(subject, memory, 4, 1));
    unscale_and_update(scaler, of_four);
    expect_bits(memory.read(), f32({0.0625F, 0.25F, 1, 4}));
  });

  scaling("the_same_list_written_in_place", {"SCL-215", "SCL-202"}, [](Session& subject) {
    auto scaler = dividing_by_four(subject);
    const Tensor memory(subject, f32({8}));
    const Tensor param = parameter(subject, f32({0}));
    param.set_grad(memory);
    const auto optimizer = sgd(subject, {param});

    for (const float grad : {8.0F, 16.0F, kInf}) {
      memory.fill_(grad);
      scaler.unscale_(optimizer);
      expect_flags(scaler, optimizer, {grad == kInf ? 1.0 : 0.0});
      expect_bits(memory.read(), f32({grad / 4}));
      scaler.update();
    }
  }).reach(Reach::kTraining);

  scaling("the_same_gradients_in_another_order", {"SCL-215", "SCL-208"}, [](Session& subject) {
    auto scaler = dividing_by_four(subject);
    const Tensor first = parameter(subject, 1, 8, subject.device(0));
    const Tensor second = parameter(subject, 1, kInf, subject.device(1));
    const auto forward = sgd(subject, {first, second});
    const auto backward = sgd(subject, {second, first});

    for (int iteration = 0; iteration < 2; ++iteration) {
      expect_devices(scaler.check_inf(forward), {subject.device(0), subject.device(1)});
      expect_flags(scaler, forward, {0, 1});
      expect_devices(scaler.check_inf(backward), {subject.device(1), subject.device(0)});
      expect_flags(scaler, backward, {1, 0});
      scaler.update();
    }
  }).only(DeviceRules::kCuda);

  scaling("a_flag_outlives_the_lists_behind_it", {"SCL-204", "SCL-208"}, [](Session& subject) {
    auto scaler = dividing_by_four(subject);
    const auto list_of = [&](Dtype dtype, double grad, std::size_t tensors) {
      std::vector<Value> made;
      for (std::size_t i = 0; i < tensors; ++i) {
        made.emplace_back(parameter(subject, tensor_of(dtype, {1}), tensor_of(dtype, {grad})));
      }
      return made;
    };
    // Another dtype is another list, and so are many tensors.
    for (const Dtype other : {Dtype::kFloat64, Dtype::kFloat32}) {
      for (const bool is_last : {false, true}) {
        const ScopedTrace at(std::string(name_of(other)) + (is_last ? ", last" : ", first"));
        std::vector<Value> params = list_of(Dtype::kFloat32, is_last ? 8 : kInf, 1);
        for (Value& each : list_of(other, 8, 120)) params.push_back(std::move(each));
        for (Value& each : list_of(other, is_last ? kInf : 8, 1)) params.push_back(std::move(each));
        const auto optimizer = sgd(subject, params);

        scaler.unscale_(optimizer);

        expect_flags(scaler, optimizer, {1});
        scaler.update();
      }
    }
  });

  scaling("a_module_that_moves_between_iterations", {"SCL-215", "SCL-208"}, [](Session& subject) {
    auto scaler = dividing_by_four(subject);
    const Value plain = subject.core().tensor(on(f32({1}), subject.device(0)));
    const auto model = subject.modules().plain();
    const Tensor param = Tensor::named(subject, model.set_parameter("weight", plain).name);
    const auto optimizer = sgd(subject, {param});

    for (const int device : {0, 1, 0}) {
      model.to({.device = subject.device(device)});
      param.set_grad(on(f32({8}), subject.device(device)));
      scaler.unscale_(optimizer);
      expect_devices(scaler.found_inf(optimizer), {subject.device(device)});
      expect_bits(param.grad(), on(f32({2}), subject.device(device)));
      scaler.update();
    }
  }).only(DeviceRules::kCuda);

  scaling("an_iteration_on_another_stream_that_does_not_wait", {"SCL-215", "SCL-208"},
          [](Session& subject) {
            auto scaler = dividing_by_four(subject);
            const auto runtime = subject.runtime();
            const auto held = sgd(subject, {parameter(subject, 1, kInf)});
            const auto free = sgd(subject, {parameter(subject, 1, 8)});
            const auto streams = {runtime.pool_stream({.device = subject.device(0)}),
                                  runtime.pool_stream({.device = subject.device(0)})};
            runtime.set_current_stream(*streams.begin());
            unscale_and_update(scaler, free);
            const auto gate = runtime.gate(*streams.begin());
            unscale_and_update(scaler, held);

            runtime.set_current_stream(*(streams.begin() + 1));
            scaler.unscale_(free);
            expect_equal(gate.state(), "closed");
            gate.open();
            streams.begin()->synchronize();

            expect_flags(scaler, free, {0});
          })
      .only(DeviceRules::kCuda);
}

}  // namespace assay::suites
