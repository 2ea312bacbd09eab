// Prints a page in the form the user asked for.
#pragma once

#include <string>

#include "cli/page.h"

namespace tacho {

struct Rendered {
  std::string out;    // for stdout
  std::string notes;  // for stderr: what text would say beside the tables, where out is data
};

// Nothing in it can move a cursor, whatever the page holds. Tables for people carry a header and
// end with coverage and next commands; tsv is rows alone, csv rows under a header, json the value.
Rendered Render(const AnswerPage& page, const Style& style);

}  // namespace tacho
