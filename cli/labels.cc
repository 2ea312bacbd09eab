#include "cli/labels.h"

#include <cstddef>
#include <fmt/format.h>

namespace tacho {

Result<Json> ParseLabels(const std::vector<std::string>& texts) {
  Json labels{Json::Object{}};
  for (const std::string& text : texts) {
    const std::size_t at = text.find('=');
    if (at == std::string::npos || at == 0) {
      return Status(Code::kInvalid,
                    fmt::format("'{}' is no label: write KEY=VALUE, like site=munich.", text));
    }
    const std::string key = text.substr(0, at);
    if (!labels[key].is_null()) {
      return Status(Code::kInvalid, fmt::format("The label '{}' is given twice.", key));
    }
    labels.Append(key, text.substr(at + 1));
  }
  return labels;
}

}  // namespace tacho
