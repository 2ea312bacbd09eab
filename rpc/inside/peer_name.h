// Who is at the other end, as its certificate says.
#pragma once

#include <string>

#include <grpcpp/security/auth_context.h>

namespace tacho {

// The common name; empty where nobody proved anything.
inline std::string PeerName(const grpc::AuthContext& context) {
  if (!context.IsPeerAuthenticated()) return "";
  const auto names = context.FindPropertyValues("x509_common_name");
  // More than one name is nobody's: which of them would count?
  return names.size() == 1 ? std::string(names[0].data(), names[0].size()) : "";
}

}  // namespace tacho
