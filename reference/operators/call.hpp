// Calls operators by name, for derivatives and composite operators.
#pragma once

#include <string_view>

#include "reference/dispatch/dispatcher.hpp"

namespace assay::reference {

/// Appends the schema's defaults to `args`. Raises
/// `schema` if a required argument is missing.
Stack with_defaults(const FunctionSchema& schema, Stack args);

/// Calls through the dispatcher: `call_op(dispatcher, "aten::mm", {IValue(a), IValue(b)})`.
Stack call_op(Dispatcher& dispatcher, std::string_view name, Stack args);
/// Returns the single tensor result.
Tensor call_tensor(Dispatcher& dispatcher, std::string_view name, Stack args);

IValue boxed(const std::vector<std::int64_t>& values);
IValue boxed(const std::vector<Tensor>& values);
/// torch.nn.functional.mse_loss broadcasts, with a warning, before it calls the operator (CORE-22).
void broadcast_loss(Dispatcher& dispatcher, IValue& input, IValue& target);

/// Boxes the undefined tensor as None.
IValue boxed_or_none(const Tensor& tensor);

}  // namespace assay::reference
