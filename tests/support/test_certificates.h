// Certificates made for one test with the script that makes the real ones.
#pragma once

#include <cstdlib>
#include <gtest/gtest.h>
#include <string>

#include "rpc/endpoint.h"
#include "tests/support/temp_folder.h"

namespace tacho {

// An authority of its own; what it signs, another one's does not accept.
class TestCertificates {
 public:
  // For a server that is reached as 127.0.0.1, ::1 or localhost.
  TlsFiles Server() { return Make("fleet-server", " --server 127.0.0.1 ::1 localhost"); }
  // For a robot or a person.
  TlsFiles Client(const std::string& name) { return Make(name, ""); }
  // Signed by the authority, and nobody's.
  TlsFiles WithoutName() {
    TlsFiles files = Client("nameless");
    const std::string folder = folder_.path().string();
    const std::string command =
        "cd " + folder +
        " && openssl req -new -key nameless.key -subj /O=fleet -out nameless.req >log 2>&1"
        " && openssl x509 -req -in nameless.req -CA ca.crt -CAkey ca.key -set_serial 2 -days 1"
        " -out nameless.crt >log 2>&1";
    EXPECT_EQ(std::system(command.c_str()), 0) << command;
    return files;
  }
  std::filesystem::path authority() const { return folder_.path() / "ca.crt"; }

 private:
  TlsFiles Make(const std::string& name, const std::string& options) {
    const std::string folder = folder_.path().string();
    const std::string command = std::string(TACHO_SOURCE_DIR) + "/deploy/make-certs.sh " + folder +
                                " " + name + options + " >" + folder + "/log 2>&1";
    EXPECT_EQ(std::system(command.c_str()), 0) << command;
    return {authority(), folder_.path() / (name + ".crt"), folder_.path() / (name + ".key")};
  }

  TempFolder folder_;
};

}  // namespace tacho
