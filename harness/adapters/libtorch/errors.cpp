// Maps PyTorch's exceptions to error kinds.
#include "harness/adapters/libtorch/errors.hpp"

#include <c10/util/Exception.h>
#include <torch/csrc/jit/frontend/error_report.h>

#include <new>
#include <stdexcept>

#include "harness/subject/arguments.hpp"

namespace assay::libtorch {
namespace {

ErrorKind kind_of_error(const c10::Error& error) {
  if (dynamic_cast<const c10::IndexError*>(&error) != nullptr) return ErrorKind::kIndex;
  if (dynamic_cast<const c10::ValueError*>(&error) != nullptr) return ErrorKind::kValue;
  if (dynamic_cast<const c10::TypeError*>(&error) != nullptr) return ErrorKind::kType;
  if (dynamic_cast<const c10::NotImplementedError*>(&error) != nullptr) {
    return ErrorKind::kNotImplemented;
  }
  if (dynamic_cast<const c10::OutOfMemoryError*>(&error) != nullptr) {
    return ErrorKind::kOutOfMemory;
  }
  const std::string message = error.what_without_backtrace();
  return message.find("INTERNAL ASSERT FAILED") == std::string::npos ? ErrorKind::kError
                                                                     : ErrorKind::kInternal;
}

}  // namespace

Reply reply_to_current_exception() {
  try {
    throw;
  } catch (const ClientError& error) {
    return Reply::make_error(error.kind(), error.what());
  } catch (const InvalidArgument& wrong) {
    return Reply::make_invalid(wrong.what());
  } catch (const NotSupported& missing) {
    return Reply::make_unsupported(missing.what());
  } catch (const torch::jit::ErrorReport& error) {
    return Reply::make_error(ErrorKind::kSchema, error.what());
  } catch (const c10::Error& error) {
    return Reply::make_error(kind_of_error(error), error.what_without_backtrace());
  } catch (const std::bad_alloc&) {
    return Reply::make_error(ErrorKind::kOutOfMemory, "out of memory on the host");
  } catch (const std::invalid_argument& error) {
    return Reply::make_error(ErrorKind::kValue, error.what());
  } catch (const std::out_of_range& error) {
    return Reply::make_error(ErrorKind::kIndex, error.what());
  } catch (const std::exception& error) {
    return Reply::make_error(ErrorKind::kError, error.what());
  }
}

}  // namespace assay::libtorch
