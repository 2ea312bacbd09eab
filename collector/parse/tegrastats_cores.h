// The CPU token of a tegrastats line. For the parser's own files.
#pragma once

#include "collector/parse/tegrastats_token.h"
#include "collector/parse/words.h"

namespace tacho {

// CPU [49%@806,off,0%@345] · cpu [3%,0%,0%,1%]@204. Some writers put a space behind the comma.
// Requires: `words` is at the word that starts with '['. A list that never closes was cut, and
// gives nothing.
void ReadCores(Words& words, TegrastatsReadings& readings);

}  // namespace tacho
