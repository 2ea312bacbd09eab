#include "rpc/endpoint.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <fmt/format.h>
#include <string_view>

namespace tacho {

namespace {

// "127.0.0.1:4440" -> "127.0.0.1", "[::1]:4440" -> "::1".
std::string_view HostOf(std::string_view address) {
  if (address.starts_with('[')) return address.substr(1, address.find(']') - 1);
  return address.substr(0, address.rfind(':'));
}

constexpr std::string_view kUnix = "unix:";
constexpr std::string_view kAbstract = "unix-abstract:";
constexpr std::size_t kMostUnixPath = 107;  // sockaddr_un holds 108 with its end

bool IsUnix(std::string_view address) {
  return address.starts_with(kUnix) || address.starts_with(kAbstract);
}

// gRPC takes a port modulo 65536 and dials somebody else.
Status CheckAddress(std::string_view address) {
  if (IsUnix(address)) {
    const std::string_view path = address.substr(address.find(':') + 1);
    if (!path.empty() && path.size() <= kMostUnixPath) return {};
    return {Code::kInvalid, fmt::format("\"{}\": the path of a unix socket has 1 to {} bytes",
                                        address, kMostUnixPath)};
  }
  const std::string_view port = address.substr(std::min(address.rfind(':'), address.size()));
  std::uint16_t number = 0;
  const char* end = address.data() + address.size();
  const bool has_port = port.size() > 1 && std::from_chars(port.data() + 1, end, number) ==
                                               std::from_chars_result{end, std::errc()};
  // An IPv6 host stands in brackets: of "::1:4440" nobody knows where the port begins.
  const bool is_one_host =
      address.starts_with('[') || HostOf(address).find(':') == std::string_view::npos;
  if (has_port && is_one_host && !HostOf(address).empty() &&
      address.find('/') == std::string_view::npos)
    return {};
  return {Code::kInvalid,
          fmt::format("\"{}\" is no address: \"host:port\" with a port up to 65535, or "
                      "\"unix:/path\"",
                      address)};
}

bool IsLoopbackV4(std::string_view host) {
  if (!host.starts_with("127.")) return false;
  // Digits and dots only: "127.example.com" is a name that anybody may own.
  return host.find_first_not_of("0123456789.") == std::string_view::npos;
}

}  // namespace

bool IsLocalAddress(const std::string& address) {
  if (IsUnix(address)) return true;
  const std::string_view host = HostOf(address);
  return host == "localhost" || host == "::1" || IsLoopbackV4(host);
}

Status CheckEndpoint(const Endpoint& endpoint) {
  if (endpoint.address.empty()) return Status(Code::kInvalid, "no address is given");
  TACHO_TRY(CheckAddress(endpoint.address));
  const TlsFiles& tls = endpoint.tls;
  if (!tls.is_set()) {
    if (IsLocalAddress(endpoint.address)) return Status();
    return Status(Code::kInvalid,
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

void ReadTls(TomlReader& root, TlsFiles& to) {
  auto table = root.Table("tls");
  if (!table) return;
  table->Path("authority", to.authority);
  table->Path("certificate", to.certificate);
  table->Path("key", to.key);
  table->Finish();
}

}  // namespace tacho
