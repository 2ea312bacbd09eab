// Draws a series in text: dots of braille (or of ASCII) between labelled axes.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/text.h"

namespace tacho {

struct PlotPoint {
  double at = 0;  // any measure of time
  double value = 0;
};

struct PlotLabels {
  std::string top;  // the highest value; the lowest is at the bottom
  std::string bottom;
  std::string left;  // the first time; the last is at the right
  std::string right;
};

struct PlotSize {
  int width = 80;  // columns altogether, with the labels
  int rows = 6;    // of the drawing
};

// Each column shows the span from the lowest to the highest value of its time, so no peak is lost;
// where there was no value it stays blank. Empty where no point is finite.
std::vector<std::string> Plot(std::span<const PlotPoint> points, const PlotLabels& labels,
                              PlotSize size, Charset charset);

}  // namespace tacho
