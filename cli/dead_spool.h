// What the recorder's spool holds while no recorder answers for it.
#pragma once

#include <filesystem>
#include <string>

#include "cli/page.h"
#include "common/status.h"
#include "daemon/spool/disk.h"

namespace tacho {

// The streams in `folder`, under `headline`, which says why the recorder itself was not asked. The
// page exits with "unreachable". kNotFound where there is no spool, or none that holds anything.
Result<AnswerPage> ReadDeadSpool(const std::filesystem::path& folder, Disk& disk,
                                 const std::string& headline);

}  // namespace tacho
