// Calling an operator by its name, as derivatives and composite operators do.
#pragma once

#include <string_view>

#include "reference/dispatch/dispatcher.hpp"

namespace assay::reference {

/// `args` filled up with the schema's defaults. Raises `schema` when an argument without default is
/// missing.
Stack with_defaults(const FunctionSchema& schema, Stack args);

/// Through the dispatcher: `call_op(dispatcher, "aten::mm", {IValue(a), IValue(b)})`.
Stack call_op(Dispatcher& dispatcher, std::string_view name, Stack args);
/// The one result, a tensor.
Tensor call_tensor(Dispatcher& dispatcher, std::string_view name, Stack args);

IValue boxed(const std::vector<std::int64_t>& values);
IValue boxed(const std::vector<Tensor>& values);
/// None for the undefined tensor.
IValue boxed_or_none(const Tensor& tensor);

}  // namespace assay::reference
