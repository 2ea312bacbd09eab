// Where to connect or listen, and with which certificates: "127.0.0.1:4440",
// "unix:/run/tacho/server.sock".
#pragma once

#include <filesystem>
#include <string>

#include "common/status.h"
#include "common/toml.h"

namespace tacho {

// PEM files. All empty: speak plainly, which is allowed on loopback and unix sockets only.
struct TlsFiles {
  std::filesystem::path authority;    // whose signature the other side must bear
  std::filesystem::path certificate;  // ours; its common name is our name
  std::filesystem::path key;
  bool is_set() const { return !authority.empty() || !certificate.empty() || !key.empty(); }
};

struct Endpoint {
  std::string address;
  TlsFiles tls;
};

// Whether `address` is a unix socket or a loopback address.
bool IsLocalAddress(const std::string& address);
// kInvalid with the sentence for an operator: no address, or it would speak plainly to the world.
Status CheckEndpoint(const Endpoint& endpoint);

// Reads the table [tls] of a configuration: authority, certificate, key.
void ReadTls(TomlReader& root, TlsFiles& to);

}  // namespace tacho
