// Who may ask the server, and who may change what it holds: people, by their certificate's name.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "common/status.h"

namespace tacho {

enum class Role : std::uint8_t { kNobody, kViewer, kAdmin };

// Whoever is not named is nobody, and so is every robot.
class People {
 public:
  People() = default;
  explicit People(std::map<std::string, Role> roles) : roles_(std::move(roles)) {}

  bool Names(const std::string& name) const { return roles_.contains(name); }
  // kDenied with the sentence for who asked. An empty `asker` came over a plain connection, which
  // only this machine can make: it may do anything.
  Status Allows(const std::string& asker, Role needed) const;

 private:
  std::map<std::string, Role> roles_;
};

}  // namespace tacho
