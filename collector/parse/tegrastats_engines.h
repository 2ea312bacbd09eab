// The tokens of clocks and engines of a tegrastats line. For the parser's own files.
#pragma once

#include "collector/parse/tegrastats_token.h"
#include "collector/parse/words.h"

namespace tacho {

// GR3D_FREQ 31%@[305,1300] · EMC_FREQ 2%@1600 · NVDEC 192 · VIC off · NVENC0_FREQ @0
// Takes both words, or none and returns false if they are no engine. A line that does not start
// like a sample (`is_sample_like`) may be anything: there, only names of known engines count.
bool ReadEngine(Words& words, bool is_sample_like, TegrastatsReadings& readings);

}  // namespace tacho
