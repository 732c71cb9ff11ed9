// A complete forward and backward pass: kernels, devices of results, and casts.
#include <cmath>

#include "harness/suite/clients/autocast.hpp"
#include "harness/suite/clients/autograd.hpp"
#include "harness/suite/clients/dispatch.hpp"
#include "harness/suite/itself.hpp"
#include "suites/module/network.hpp"

namespace assay::suites {
namespace {

Ref forward(Session& subject, const ModuleHandle& module, std::vector<Value> args) {
  const std::string name = subject.fresh_name("result");
  module.forward(std::move(args), name);
  return {name};
}

/// The computing operators in order, with the key of their kernel if it can be observed. Keys above
/// the backends are left out.
std::vector<std::string> kernels_of(const std::vector<RanKernel>& runs,
                                    const std::string& backend) {
  std::vector<std::string> found;
  for (const RanKernel& run : runs) {
    const bool computes =
        run.op == "aten::addmm" || run.op == "aten::relu" || run.op == "aten::mse_loss";
    if (computes && (!run.key.is_reported() || run.key == backend)) found.push_back(run.op);
  }
  return found;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

/// The kernels that ran inside `program`.
std::vector<RanKernel> traced(Session& subject, const std::function<void(Session&)>& program) {
  std::optional<DispatchObject> trace;
  const Block enter = subject.block([&](Session& inside) { trace = inside.dispatch().trace(); });
  subject.scope(enter, subject.block(program));
  return subject.dispatch().traced(*trace);
}

/// The bound of CORE-22 for sums of up to 20 products in float32; every term is at most the sum of
/// magnitudes, which is below 16 here.
void expect_gradients(Session& subject, const Built& built, const Network& network) {
  const std::vector<Matrix> wanted = gradients_of(network);
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const ScopedTrace at{"parameter " + std::to_string(i)};
    const TensorValue got = subject.core().read(grad_of(subject, built.parameters[i]));
    const std::vector<double> bound(wanted[i].values.size(), 16 * 24 * std::ldexp(1, -24));
    expect_within(got, wanted[i].values, bound, "CORE-22, sums of 20 products");
  }
}

}  // namespace

CASES("module/forward") {
  conformance("computes_outputs_loss_and_gradients", {"DSP-811"}, [](Session& subject) {
    const Network net = network();
    const Built built = build(subject, net, subject.device());

    const Ref output = forward(subject, built.model, {built.input});
    const Ref loss = forward(subject, built.loss, {output, built.target});
    subject.autograd().backward(loss);

    expect_bits(subject.core().read(output), tensor(net.output()));
    expect_bits(subject.core().read(loss), scalar_of(Dtype::kFloat32, 4));
    expect_gradients(subject, built, net);
  });

  conformance("every_call_reaches_the_kernel_of_its_device", {"DSP-811"}, [](Session& subject) {
    const bool is_cuda = subject.contract().cuda();
    const Device device = subject.device(is_cuda ? 1 : 0);
    const Built built = build(subject, network(), device);
    Ref output;
    Ref loss;

    const std::vector<RanKernel> runs = traced(subject, [&](Session& inside) {
      output = forward(inside, built.model, {built.input});
      loss = forward(inside, built.loss, {output, built.target});
    });

    const std::vector<std::string> wanted{"aten::addmm", "aten::relu", "aten::addmm",
                                          "aten::mse_loss"};
    const std::vector<std::string> found = kernels_of(runs, is_cuda ? "CUDA" : "CPU");
    expect_equal(joined(found), joined(wanted));
    expect_device(subject, output, device);
    expect_device(subject, loss, device);
    expect_bits(subject.core().read(loss), scalar_of(Dtype::kFloat32, 4));
  });

  conformance("results_are_on_the_device_of_the_operands_not_on_the_current_one", {"DSP-811"},
              [](Session& subject) {
                const Built built = build(subject, network(), subject.device(1));
                subject.core().set_device(subject.device(2));

                const Ref output = forward(subject, built.model, {built.input});
                const Ref loss = forward(subject, built.loss, {output, built.target});
                subject.autograd().backward(loss);

                expect_device(subject, output, subject.device(1));
                expect_device(subject, loss, subject.device(1));
                for (const Ref& parameter : built.parameters) {
                  expect_device(subject, grad_of(subject, parameter), subject.device(1));
                }
                expect_equal(to_text(subject.core().current_device()), to_text(subject.device(2)));
              })
      .only(DeviceRules::kCuda);

  conformance("the_loss_is_never_moved", {"DSP-811", "MOVE-12"}, [](Session& subject) {
    const Built built = build(subject, network(), subject.device());
    const Device device = subject.device().type == "cpu" ? kMeta : subject.device(1);
    const Ref there = subject.core().to(built.input, {.device = device});
    const Ref target = subject.core().to(built.target, {.device = device});

    built.model.to({.device = device});
    const Ref output = forward(subject, built.model, {there});

    expect_device(subject, forward(subject, built.loss, {output, target}), device);
  });

  conformance("the_loss_broadcasts_before_it_chooses_a_type", {"DSP-811", "CORE-22"},
              [](Session& subject) {
                const ModuleHandle loss = subject.modules().mse_loss();

                const Value made = loss.forward({scalar_of(Dtype::kFloat64, 3), f16({1, 5})});

                expect_bits(made, scalar_of(Dtype::kFloat64, 4));
                expect_warning(subject.warnings(), "UserWarning", {"target size"});
              });

  conformance("labels_left_on_the_cpu_are_an_error", {"DSP-811"}, [](Session& subject) {
    const Network net = network();
    const Built built = build(subject, net, subject.device());
    const Ref labels = subject.core().tensor(on(tensor(net.target), kHost));
    const Ref output = forward(subject, built.model, {built.input});

    expect_error(
        [&] {
          built.loss.forward({output, labels});
        },
        ErrorKind::kError, {"at least two devices", "cuda:0", "cpu"});

    expect_bits(subject.core().read(output), tensor(net.output()));
    expect_bits(subject.core().read(labels), on(tensor(net.target), kHost));
    expect_equal(subject.core().grad(built.parameters[0]), None{});
    const Ref loss = forward(subject, built.loss, {output, built.target});
    subject.autograd().backward(loss);
    expect_gradients(subject, built, net);
  }).only(DeviceRules::kCuda);

  conformance("autocast_in_bfloat16_casts_six_times", {"DSP-811"}, [](Session& subject) {
    expect_cpu_itself(subject);
    const Network net = network();
    const Built built = build(subject, net, subject.device());
    const std::int64_t before = subject.autocast().stat("conversions");
    Ref output;
    Ref loss;

    subject.scope(subject.autocast().region({.device = "cpu", .dtype = Dtype::kBfloat16}),
                  subject.block([&](Session& inside) {
                    output = forward(inside, built.model, {built.input});
                    loss = forward(inside, built.loss, {output, built.target});
                  }));

    expect_equal(subject.autocast().stat("conversions") - before, 6);
    expect_bits(subject.core().read(output), tensor(net.output(), Dtype::kBfloat16));
    expect_bits(subject.core().read(loss), scalar_of(Dtype::kFloat32, 4));
    subject.autograd().backward(loss);
    for (const Ref& parameter : built.parameters) {
      expect_dtype(subject, grad_of(subject, parameter), Dtype::kFloat32);
    }
  }).only(DeviceRules::kCpu);

  conformance("two_calls_in_a_region_share_the_casts_of_the_parameters", {"DSP-811", "CAST-502"},
              [](Session& subject) {
                const Built built = build(subject, network(), subject.device());
                const std::int64_t before = subject.autocast().stat("conversions");

                subject.scope(subject.autocast().region({.device = subject.device().type}),
                              subject.block([&](Session& inside) {
                                forward(inside, built.model, {built.input});
                                forward(inside, built.model, {built.input});
                              }));

                // The input twice, and each weight and bias once.
                expect_equal(subject.autocast().stat("conversions") - before, 6);
              });
}

}  // namespace assay::suites
