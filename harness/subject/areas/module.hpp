// The answers to the commands of area module, for every runtime in C++.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "harness/subject/arguments.hpp"

namespace assay {

/// `Runtime` names the types of a runtime and decides what the runtime decides. `make_parameter` is
/// found by its name.
///
///   Call, Object, Tensor, Device, Dtype
///   Module, Kind, Attribute                  Attribute is a tensor or a vector of tensors
///   MoveOptions, Format
///   kHalf, kFloat, kDouble, kBFloat16, kCpu
///   is_parameter(tensor)                     undefined tensors are
///   requires_grad_by_default(tensor)
///   current_cuda()                           the device of `cuda` without an index
///   parameter_paths(module), buffer_paths(module)
///   device(call)                             the argument `device` as it was given
///   has_recurse(call), has_swap(call)        whether the release knows these arguments
///   move(call, module, options), cast_floating(call, module, dtype), cast_all(call, module, dtype)
///   to_empty(call, module, device, recurses)
///   apply(call, module, recurses, function)
///   call_back(call, name, tensor)            the tensor that the client's callback returns
///   forward(call, module, inputs)
///   flags(call)                              `overwrite` and `swap`
template <typename Runtime>
struct ModuleCommandsOf {
  using Call = typename Runtime::Call;
  using Tensor = typename Runtime::Tensor;
  using Module = typename Runtime::Module;

  // Making and looking at modules.

  static void new_(Call& call) {
    const auto made = std::make_shared<Module>(kind(call));
    if (made->kind() == Runtime::Kind::kLinear) {
      made->set_parameter("weight", optional_parameter(call, "weight"));
      made->set_parameter("bias", optional_parameter(call, "bias"));
    }
    if (made->kind() == Runtime::Kind::kSequential) add_modules(call, *made);
    give(call, made);
  }
  static void set_parameter(Call& call) {
    const auto held = module(call);
    const Tensor parameter = parameter_from(call, call.arguments().value("tensor"));
    const std::string name = call.arguments().text("name");
    if (call.flag("raw") && !Runtime::is_parameter(parameter)) {
      held->put_parameter(name, parameter);
    } else {
      held->set_parameter(name, parameter);
    }
    give_tensor(call, parameter);
  }
  static void set_buffer(Call& call) {
    const auto held = module(call);
    const Tensor buffer = call.tensor_or_none("tensor");
    call.flag("persistent");  // matters to saving alone
    held->set_buffer(call.arguments().text("name"), buffer);
    give_tensor(call, buffer);
  }
  static void set_child(Call& call) {
    const bool is_empty = call.arguments().value("child").is_none();
    const auto child = is_empty ? nullptr : module(call, "child");
    module(call)->set_child(call.arguments().text("name"), child);
  }
  static void set_attribute(Call& call) {
    typename Runtime::Attribute attribute = Tensor();
    if (call.arguments().value("value").template is<List>()) {
      attribute = call.tensors("value");
    } else {
      attribute = call.tensor("value");
    }
    module(call)->set_attribute(call.arguments().text("name"), std::move(attribute));
  }
  static void parameter(Call& call) {
    give_tensor(call, module(call)->parameter(call.arguments().text("path")));
  }
  static void buffer(Call& call) {
    give_tensor(call, module(call)->buffer(call.arguments().text("path")));
  }
  static void attribute(Call& call) {
    const auto held = module(call);
    const auto& found = held->attribute(call.arguments().text("path"));
    if (const auto* tensor = std::get_if<Tensor>(&found)) return call.result(*tensor);
    List list;
    for (const Tensor& tensor : std::get<std::vector<Tensor>>(found)) {
      list.items.push_back(call.give_as(std::to_string(list.items.size()), tensor));
    }
    call.set("result", Value(std::move(list)));
  }
  static void list(Call& call) {
    const auto held = module(call);
    call.set("parameters", list_of(Runtime::parameter_paths(*held)));
    call.set("buffers", list_of(Runtime::buffer_paths(*held)));
  }
  static void train(Call& call) { module(call)->set_training(call.arguments().boolean("value")); }
  static void is_training(Call& call) { call.result(Value(module(call)->is_training())); }
  static void forward(Call& call) {
    const auto held = module(call);
    call.result(Runtime::forward(call, *held, call.tensors("args")));
  }

  // Moving modules.

  static void to(Call& call) { move(call, move_options(call)); }
  static void cuda(Call& call) {
    typename Runtime::MoveOptions options;
    options.device = Runtime::device(call);
    if (!options.device) options.device = Runtime::current_cuda();
    move(call, options);
  }
  static void cpu(Call& call) {
    typename Runtime::MoveOptions options;
    options.device = Runtime::kCpu;
    move(call, options);
  }
  static void half(Call& call) { cast(call, Runtime::kHalf); }
  static void float_(Call& call) { cast(call, Runtime::kFloat); }
  static void double_(Call& call) { cast(call, Runtime::kDouble); }
  static void bfloat16(Call& call) { cast(call, Runtime::kBFloat16); }
  static void type(Call& call) {
    const auto held = module(call);
    Runtime::cast_all(call, *held, call.dtype("dtype"));
    give(call, held);
  }
  static void to_empty(Call& call) {
    const auto held = module(call);
    const auto device = Runtime::device(call);
    if (!device) throw InvalidArgument("module.to_empty: 'device' is missing");
    Runtime::to_empty(call, *held, *device, recurses(call));
    give(call, held);
  }
  static void apply_tensors(Call& call) {
    const auto held = module(call);
    const auto* function = call.arguments().value("function").template get_if<Callable>();
    if (function == nullptr) throw InvalidArgument("'function' must be something callable");
    Runtime::apply(call, *held, recurses(call), [&](const Tensor& tensor) {
      return Runtime::call_back(call, function->name, call.lend(typename Runtime::Object(tensor)));
    });
    give(call, held);
  }
  static void flags(Call& call) {
    auto& flags = Runtime::flags(call);
    flags.overwrite = call.arguments().boolean("overwrite", flags.overwrite);
    if (!call.has("swap")) return;
    if (!Runtime::has_swap(call)) throw NotSupported("this release has no flag 'swap'");
    flags.swap = call.arguments().boolean("swap");
  }

 private:
  static std::shared_ptr<Module> module(Call& call, std::string_view name = "module") {
    return call.template held<Module>(name, "module");
  }
  static void give(Call& call, std::shared_ptr<Module> module) {
    call.result(typename Runtime::Object(std::move(module), "module"));
  }
  static void give_tensor(Call& call, const Tensor& tensor) {
    if (!tensor.defined()) return call.result(Value());
    call.result(tensor);
  }
  static Value list_of(const std::vector<std::string>& paths) {
    return List{{paths.begin(), paths.end()}};
  }

  static typename Runtime::Kind kind(Call& call) {
    using Kind = typename Runtime::Kind;
    const std::string word = call.arguments().text("kind", "plain");
    if (word == "plain") return Kind::kPlain;
    if (word == "linear") return Kind::kLinear;
    if (word == "relu") return Kind::kRelu;
    if (word == "mse_loss") return Kind::kMseLoss;
    if (word == "sequential") return Kind::kSequential;
    throw NotSupported("no kind of module '" + word + "'");
  }
  /// A named parameter is shared; any other tensor is made into a parameter.
  static Tensor parameter_from(Call& call, const Value& value) {
    if (value.is_none()) return {};
    const Tensor tensor = call.tensor_from(value);
    if (call.flag("raw") || Runtime::is_parameter(tensor)) return tensor;
    const bool requires_grad =
        call.arguments().boolean("requires_grad", Runtime::requires_grad_by_default(tensor));
    return make_parameter(tensor, requires_grad);
  }
  static Tensor optional_parameter(Call& call, std::string_view name) {
    const Value* value = call.arguments().optional(name);
    return value == nullptr ? Tensor() : parameter_from(call, *value);
  }
  static void add_modules(Call& call, Module& module) {
    for (const Value& item : call.arguments().items("modules")) {
      const auto* ref = item.get_if<Ref>();
      const auto child =
          ref == nullptr ? nullptr : call.names().get(ref->name).template as<Module>();
      if (child == nullptr) throw InvalidArgument("module.new: 'modules' must name modules");
      module.set_child(std::to_string(module.named_children().size()), child);
    }
  }

  static typename Runtime::MoveOptions move_options(Call& call) {
    typename Runtime::MoveOptions options;
    options.dtype = call.dtype_or_none("dtype");
    options.device = Runtime::device(call);
    options.copy = call.flag("copy");
    options.non_blocking = call.flag("non_blocking");
    if (call.has("memory_format")) options.format = format(call);
    if (call.has("like")) {
      const Tensor like = call.tensor("like");
      options.dtype = like.dtype();
      options.device = like.device();
    }
    return options;
  }
  static typename Runtime::Format format(Call& call) {
    using Format = typename Runtime::Format;
    const std::string word = call.arguments().text("memory_format");
    if (word == "preserve") return Format::kPreserve;
    if (word == "contiguous") return Format::kContiguous;
    if (word == "channels_last") return Format::kChannelsLast;
    throw NotSupported("no memory format '" + word + "'");
  }
  static void move(Call& call, const typename Runtime::MoveOptions& options) {
    const auto held = module(call);
    Runtime::move(call, *held, options);
    give(call, held);
  }
  static void cast(Call& call, typename Runtime::Dtype dtype) {
    const auto held = module(call);
    Runtime::cast_floating(call, *held, dtype);
    give(call, held);
  }
  static bool recurses(Call& call) {
    if (!call.has("recurse")) return true;
    if (!Runtime::has_recurse(call)) throw NotSupported("this release has no 'recurse'");
    return call.arguments().boolean("recurse");
  }
};

}  // namespace assay
