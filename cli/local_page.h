// The recorder's status as a page: what it measures, where it keeps it, and what it lost.
#pragma once

#include "cli/page.h"
#include "common/json.h"

namespace tacho {

// `status` is the recorder's answer to {"do":"status"} (docs/formats/local.md).
AnswerPage LocalStatusPage(const Json& status);

}  // namespace tacho
