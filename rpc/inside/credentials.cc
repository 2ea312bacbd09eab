#include "rpc/inside/credentials.h"

#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <grpcpp/create_channel.h>
#include <string>
#include <utility>

#include <grpcpp/security/credentials.h>

#include "common/text_file.h"
#include "rpc/inside/start.h"

namespace tacho {

namespace {

struct Pems {
  std::string authority;
  std::string certificate;
  std::string key;
};

Result<std::string> ReadPem(const std::filesystem::path& file) {
  auto text = ReadTextFile(file);
  if (!text.ok()) return Status(Code::kInvalid, text.error()->message());
  if (text->find("-----BEGIN") == std::string::npos) {
    return Status(Code::kInvalid, fmt::format("{} is no PEM file", file.string()));
  }
  return text;
}

Result<Pems> ReadPems(const TlsFiles& files) {
  auto authority = ReadPem(files.authority);
  if (!authority.ok()) return std::move(authority).status();
  auto certificate = ReadPem(files.certificate);
  if (!certificate.ok()) return std::move(certificate).status();
  auto key = ReadPem(files.key);
  if (!key.ok()) return std::move(key).status();
  return Pems{*std::move(authority), *std::move(certificate), *std::move(key)};
}

}  // namespace

Result<std::shared_ptr<grpc::Channel>> ConnectChannel(const Endpoint& endpoint,
                                                      const grpc::ChannelArguments& arguments) {
  StartRpc();
  TACHO_TRY(CheckEndpoint(endpoint));
  if (!endpoint.tls.is_set()) {
    return grpc::CreateCustomChannel(endpoint.address, grpc::InsecureChannelCredentials(),
                                     arguments);
  }
  auto pems = ReadPems(endpoint.tls);
  if (!pems.ok()) return std::move(pems).status();
  grpc::SslCredentialsOptions options;
  options.pem_root_certs = std::move(pems->authority);
  options.pem_cert_chain = std::move(pems->certificate);
  options.pem_private_key = std::move(pems->key);
  return grpc::CreateCustomChannel(endpoint.address, grpc::SslCredentials(options), arguments);
}

Result<std::shared_ptr<grpc::ServerCredentials>> CredentialsOf(const Endpoint& endpoint) {
  StartRpc();
  TACHO_TRY(CheckEndpoint(endpoint));
  if (!endpoint.tls.is_set()) return grpc::InsecureServerCredentials();
  auto pems = ReadPems(endpoint.tls);
  if (!pems.ok()) return std::move(pems).status();
  grpc::SslServerCredentialsOptions options(
      GRPC_SSL_REQUEST_AND_REQUIRE_CLIENT_CERTIFICATE_AND_VERIFY);
  options.pem_root_certs = std::move(pems->authority);
  options.pem_key_cert_pairs.push_back({std::move(pems->key), std::move(pems->certificate)});
  return grpc::SslServerCredentials(options);
}

}  // namespace tacho
