// Which addresses may be spoken to plainly.
#include "rpc/endpoint.h"

#include <gtest/gtest.h>

namespace tacho {

namespace {

TEST(Endpoint, IsLocalOnLoopbackAndUnixSockets) {
  for (const char* address : {"127.0.0.1:4440", "127.8.9.10:0", "[::1]:4440", "localhost:4440",
                              "unix:/run/tacho/server.sock", "unix-abstract:tacho"}) {
    EXPECT_TRUE(IsLocalAddress(address)) << address;
  }
}

TEST(Endpoint, IsNotLocalElsewhere) {
  for (const char* address :
       {"0.0.0.0:4440", "[::]:4440", "10.0.0.1:4440", "fleet.example.com:4440",
        "127.example.com:4440", "localhost.example.com:1", ""}) {
    EXPECT_FALSE(IsLocalAddress(address)) << address;
  }
}

TEST(Endpoint, MaySpeakPlainlyOnlyWhereItIsLocal) {
  EXPECT_TRUE(CheckEndpoint({"127.0.0.1:4440", {}}).ok());
  const Status status = CheckEndpoint({"10.0.0.1:4440", {}});
  EXPECT_EQ(status.code(), Code::kInvalid);
  EXPECT_NE(status.message().find("tls.authority"), std::string::npos);
}

TEST(Endpoint, RefusesWhatIsNoAddress) {
  for (const char* address :
       {"nonsense", "127.0.0.1:99999", "127.0.0.1:-1", "127.0.0.1:", "127.0.0.1:80x", ":4440",
        "http://127.0.0.1:4440", "localhost:4440/", "unix:", "::1:4440", "127.0.0.1:1:2"}) {
    const Status status = CheckEndpoint({address, {"ca", "crt", "key"}});
    EXPECT_EQ(status.code(), Code::kInvalid) << address;
    EXPECT_NE(status.message().find(address), std::string::npos) << address;
  }
  EXPECT_TRUE(CheckEndpoint({"[::1]:65535", {}}).ok());
  EXPECT_FALSE(CheckEndpoint({"unix:/" + std::string(107, 'x'), {}}).ok());
  EXPECT_TRUE(CheckEndpoint({"unix:/" + std::string(106, 'x'), {}}).ok());
}

TEST(Endpoint, NamesTheTlsFileThatIsMissing) {
  EXPECT_TRUE(CheckEndpoint({"10.0.0.1:4440", {"ca", "crt", "key"}}).ok());
  const Status status = CheckEndpoint({"127.0.0.1:4440", {"ca", "crt", ""}});
  EXPECT_EQ(status.code(), Code::kInvalid);
  EXPECT_NE(status.message().find("tls.key"), std::string::npos);
}

}  // namespace

}  // namespace tacho
