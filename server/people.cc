#include "server/people.h"

#include <fmt/format.h>

namespace tacho {

Status People::Allows(const std::string& asker, Role needed) const {
  if (asker.empty()) return {};
  const auto found = roles_.find(asker);
  const Role role = found == roles_.end() ? Role::kNobody : found->second;
  if (role >= needed) return {};
  if (role == Role::kNobody) {
    return {Code::kDenied,
            fmt::format("{} may not ask, since [people] of the server's configuration does not "
                        "name this certificate",
                        asker)};
  }
  return {Code::kDenied, fmt::format("{} may look and not change, since [people] of the server's "
                                     "configuration does not name this certificate as an admin",
                                     asker)};
}

}  // namespace tacho
