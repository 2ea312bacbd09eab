// Channels and listening ports with the certificates of an endpoint.
#pragma once

#include <grpcpp/channel.h>
#include <memory>

#include <grpcpp/security/server_credentials.h>
#include <grpcpp/support/channel_arguments.h>

#include "common/status.h"
#include "rpc/endpoint.h"

namespace tacho {

// Reads the certificate files now, so that renewed ones count from the next connection on.
// Fails as CheckEndpoint does, or with the file that cannot be read.
Result<std::shared_ptr<grpc::Channel>> ConnectChannel(const Endpoint& endpoint,
                                                      const grpc::ChannelArguments& arguments);
Result<std::shared_ptr<grpc::ServerCredentials>> CredentialsOf(const Endpoint& endpoint);

}  // namespace tacho
