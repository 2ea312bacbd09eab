#include "rpc/inside/grpc_status.h"

namespace tacho {

namespace {

Code CodeOf(grpc::StatusCode code) {
  switch (code) {
    case grpc::StatusCode::CANCELLED:
      return Code::kCancelled;
    case grpc::StatusCode::INVALID_ARGUMENT:
    case grpc::StatusCode::FAILED_PRECONDITION:
    case grpc::StatusCode::OUT_OF_RANGE:
      return Code::kInvalid;
    case grpc::StatusCode::DEADLINE_EXCEEDED:
      return Code::kTimeout;
    case grpc::StatusCode::NOT_FOUND:
      return Code::kNotFound;
    case grpc::StatusCode::ALREADY_EXISTS:
      return Code::kExists;
    case grpc::StatusCode::PERMISSION_DENIED:
    case grpc::StatusCode::UNAUTHENTICATED:
      return Code::kDenied;
    case grpc::StatusCode::RESOURCE_EXHAUSTED:
      return Code::kExhausted;
    case grpc::StatusCode::UNIMPLEMENTED:
      return Code::kUnsupported;
    case grpc::StatusCode::UNAVAILABLE:
    case grpc::StatusCode::ABORTED:
      return Code::kUnavailable;
    case grpc::StatusCode::DATA_LOSS:
      return Code::kCorrupt;
    default:
      return Code::kInternal;
  }
}

}  // namespace

grpc::Status ToGrpc(const Status& status) {
  if (status.ok()) return grpc::Status::OK;
  return grpc::Status(static_cast<grpc::StatusCode>(status.code()), status.message());
}

Status FromGrpc(const grpc::Status& status) {
  if (status.ok()) return Status();
  const std::string& message = status.error_message();
  if (message.find("CERTIFICATE_VERIFY_FAILED") != std::string::npos ||
      message.find("certificate verify failed") != std::string::npos) {
    return Status(Code::kDenied,
                  "the other side's certificate is not signed by our authority: " + message);
  }
  return Status(CodeOf(status.error_code()), message.empty() ? "no reason was given" : message);
}

}  // namespace tacho
