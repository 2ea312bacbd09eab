#include "rpc/endpoint.h"

#include <array>
#include <fmt/format.h>
#include <string_view>

namespace tacho {

namespace {

// "127.0.0.1:4440" -> "127.0.0.1", "[::1]:4440" -> "::1".
std::string_view HostOf(std::string_view address) {
  if (address.starts_with('[')) return address.substr(1, address.find(']') - 1);
  return address.substr(0, address.rfind(':'));
}

bool IsLoopbackV4(std::string_view host) {
  if (!host.starts_with("127.")) return false;
  // Digits and dots only: "127.example.com" is a name that anybody may own.
  return host.find_first_not_of("0123456789.") == std::string_view::npos;
}

}  // namespace

bool IsLocalAddress(const std::string& address) {
  if (address.starts_with("unix:") || address.starts_with("unix-abstract:")) return true;
  const std::string_view host = HostOf(address);
  return host == "localhost" || host == "::1" || IsLoopbackV4(host);
}

Status CheckEndpoint(const Endpoint& endpoint) {
  if (endpoint.address.empty()) return Status(Code::kInvalid, "no address is given");
  const TlsFiles& tls = endpoint.tls;
  if (!tls.is_set()) {
    if (IsLocalAddress(endpoint.address)) return Status();
    return Status(Code::kDenied,
                  fmt::format("\"{}\" can be reached from other machines: give tls.authority, "
                              "tls.certificate and tls.key, or use a loopback address or a "
                              "unix socket",
                              endpoint.address));
  }
  const std::array<std::pair<std::string_view, const std::filesystem::path*>, 3> files = {
      {{"authority", &tls.authority}, {"certificate", &tls.certificate}, {"key", &tls.key}}};
  for (const auto& [name, file] : files) {
    if (!file->empty()) continue;
    return Status(Code::kInvalid,
                  fmt::format("tls.{} is missing: TLS needs authority, certificate and key", name));
  }
  return Status();
}

}  // namespace tacho
