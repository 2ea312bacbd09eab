// Tells things of one name apart, for the start of a source.
#pragma once

#include <map>
#include <string>

namespace tacho {

// The second "Tboard" becomes "Tboard#2". Ask in an order that is the same at each boot.
class InstanceNames {
 public:
  std::string Unique(const std::string& name) {
    const int count = ++seen_[name];
    return count == 1 ? name : name + "#" + std::to_string(count);
  }

 private:
  std::map<std::string, int> seen_;
};

}  // namespace tacho
