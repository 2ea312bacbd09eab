// Who is at the other end, as its certificate says.
#pragma once

#include <string>

#include <grpcpp/security/auth_context.h>

namespace tacho {

// Stands for whoever proved something, but no name of one: nobody is called so.
inline constexpr const char* kNamelessPeer = "(a certificate without a name)";

// The common name; empty where nobody had to prove anything, on a plain connection.
inline std::string PeerName(const grpc::AuthContext& context) {
  if (!context.IsPeerAuthenticated()) return "";
  const auto names = context.FindPropertyValues("x509_common_name");
  // More than one name is nobody's: which of them would count?
  if (names.size() != 1 || names[0].empty()) return kNamelessPeer;
  return {names[0].data(), names[0].size()};
}

}  // namespace tacho
