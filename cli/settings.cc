// Decides from options, environment and config files where to ask and how to print.
#include "cli/settings.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <fmt/format.h>
#include <utility>

#include "common/toml.h"

namespace tacho {
namespace {

constexpr std::string_view kDefaultServer = "127.0.0.1:4440";
constexpr std::string_view kDefaultSocket = "/run/tacho/recorder.sock";
constexpr Nanos kDefaultPatience = std::chrono::seconds(10);

constexpr std::array<OptionDef, 6> kGlobalOptions = {{
    {.name = "output",
     .letter = 'o',
     .placeholder = "FORMAT",
     .help = "table, tsv, csv, json or jsonl (table on a terminal, tsv in a pipe)",
     .choices = "table tsv csv json jsonl"},
    {.name = "color",
     .placeholder = "WHEN",
     .help = "auto, always or never (NO_COLOR and CLICOLOR are honoured)",
     .choices = "auto always never"},
    {.name = "server",
     .placeholder = "ADDRESS",
     .help = "the fleet server: HOST:PORT or unix:PATH (TACHO_SERVER; 127.0.0.1:4440)"},
    {.name = "socket",
     .placeholder = "PATH",
     .help = "the recorder's socket (TACHO_SOCKET; /run/tacho/recorder.sock)"},
    {.name = "timeout", .placeholder = "TIME", .help = "wait so long for an answer (10s)"},
    {.name = "config",
     .placeholder = "FILE",
     .help = "read this file (TACHO_CONFIG; ~/.config/tacho/config.toml, /etc/tacho/cli.toml)"},
}};

std::string Variable(const Environment& environment, std::string_view name) {
  const auto found = environment.variables.find(name);
  return found == environment.variables.end() ? std::string() : found->second;
}

bool IsOneOf(std::string_view word, std::span<const std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// ---- how to print

Result<Format> DecideFormat(const CommandArguments& options, const Environment& environment) {
  if (!options.Has("output")) return environment.is_terminal ? Format::kTable : Format::kTsv;
  const std::string word = options.Text("output");
  constexpr std::array<std::pair<std::string_view, Format>, 5> kFormats = {
      {{"table", Format::kTable},
       {"tsv", Format::kTsv},
       {"csv", Format::kCsv},
       {"json", Format::kJson},
       {"jsonl", Format::kJsonLines}}};
  for (const auto& [name, format] : kFormats) {
    if (word == name) return format;
  }
  return Status(Code::kInvalid,
                fmt::format("--output takes table, tsv, csv, json or jsonl, not '{}'.", word));
}

// https://bixense.com/clicolors and https://no-color.org
Result<bool> DecideColour(const CommandArguments& options, const Environment& environment) {
  const std::string when = options.Text("color", "auto");
  constexpr std::array<std::string_view, 3> kWhens = {"auto", "always", "never"};
  if (!IsOneOf(when, kWhens)) {
    return Status(Code::kInvalid,
                  fmt::format("--color takes auto, always or never, not '{}'.", when));
  }
  if (when != "auto") return when == "always";
  if (!Variable(environment, "NO_COLOR").empty()) return false;
  const std::string force = Variable(environment, "CLICOLOR_FORCE");
  if (!force.empty() && force != "0") return true;
  return environment.is_terminal && Variable(environment, "CLICOLOR") != "0" &&
         Variable(environment, "TERM") != "dumb";
}

// As the C library reads the locale: the first that is set decides.
bool SpeaksUnicode(const Environment& environment) {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    std::string value = Variable(environment, name);
    if (value.empty()) continue;
    std::transform(value.begin(), value.end(), value.begin(), [](char c) {
      return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    return value.find("utf-8") != std::string::npos || value.find("utf8") != std::string::npos;
  }
  return false;
}

int DecideWidth(const Environment& environment) {
  constexpr int kUsual = 80;
  constexpr int kLeast = 20;
  if (!environment.is_terminal) return 0;
  CommandArguments columns;
  if (const std::string text = Variable(environment, "COLUMNS"); !text.empty()) {
    columns.Add("columns", text);
  }
  const int fallback = environment.width > 0 ? environment.width : kUsual;
  const auto width = columns.Int("columns", fallback, {1, 10'000});
  return std::max(kLeast, width.ok() ? static_cast<int>(*width) : fallback);
}

Result<Style> DecideStyle(const CommandArguments& options, const Environment& environment) {
  auto format = DecideFormat(options, environment);
  if (!format.ok()) return std::move(format).status();
  auto colour = DecideColour(options, environment);
  if (!colour.ok()) return std::move(colour).status();
  // Where no terminal says otherwise, a reader of files is taken to read UTF-8.
  const bool use_unicode = !environment.is_terminal || SpeaksUnicode(environment);
  return Style{.format = *format,
               .width = DecideWidth(environment),
               .use_colour = *colour && *format == Format::kTable,
               .use_unicode = use_unicode};
}

// ---- where to ask

struct Choice {
  std::string value;
  std::string origin;
};

Choice FirstSet(std::initializer_list<Choice> choices) {
  for (const Choice& choice : choices) {
    if (!choice.value.empty()) return choice;
  }
  return {};
}

Result<Nanos> DecidePatience(const CommandArguments& options) {
  if (!options.Has("timeout")) return kDefaultPatience;
  const auto patience = ParseDuration(options.Text("timeout"));
  if (!patience || *patience <= Nanos(0) || *patience > std::chrono::hours(1)) {
    return Status(Code::kInvalid,
                  fmt::format("--timeout takes a time up to an hour, like 500ms, 10s or 2m, not "
                              "'{}'.",
                              options.Text("timeout")));
  }
  return *patience;
}

}  // namespace

std::span<const OptionDef> GlobalOptions() {
  return kGlobalOptions;
}

std::vector<ConfigPlace> ConfigPlaces(const CommandArguments& options,
                                      const Environment& environment) {
  if (options.Has("config")) return {{options.Text("config"), true}};
  if (const std::string named = Variable(environment, "TACHO_CONFIG"); !named.empty()) {
    return {{named, true}};
  }
  std::vector<ConfigPlace> places;
  const std::string home = Variable(environment, "HOME");
  if (const std::string xdg = Variable(environment, "XDG_CONFIG_HOME"); !xdg.empty()) {
    places.push_back({xdg + "/tacho/config.toml"});
  } else if (!home.empty()) {
    places.push_back({home + "/.config/tacho/config.toml"});
  }
  places.push_back({"/etc/tacho/cli.toml"});
  return places;
}

Result<CliConfig> ParseCliConfig(std::string_view text, const std::string& path) {
  auto table = ParseToml(text, path);
  if (!table.ok()) return std::move(table).status();
  TomlComplaints complaints;
  TomlReader reader(*table, path, complaints);
  CliConfig config{.path = path};
  reader.Text("server", config.server);
  reader.Text("socket", config.socket);
  ReadTls(reader, config.tls);
  reader.Finish();
  TACHO_TRY(AsStatus(complaints));
  return config;
}

Result<Settings> DecideSettings(const CommandArguments& options, const Environment& environment,
                                const CliConfig& config) {
  auto style = DecideStyle(options, environment);
  if (!style.ok()) return std::move(style).status();
  auto patience = DecidePatience(options);
  if (!patience.ok()) return std::move(patience).status();
  const Choice server = FirstSet({{options.Text("server"), "--server"},
                                  {Variable(environment, "TACHO_SERVER"), "TACHO_SERVER"},
                                  {config.server, config.path},
                                  {std::string(kDefaultServer), "the default"}});
  const Choice socket = FirstSet({{options.Text("socket"), ""},
                                  {Variable(environment, "TACHO_SOCKET"), ""},
                                  {config.socket, ""},
                                  {std::string(kDefaultSocket), ""}});
  return Settings{.server = {.address = server.value, .tls = config.tls},
                  .server_origin = server.origin,
                  .socket = socket.value,
                  .patience = *patience,
                  .style = *style,
                  .path = Variable(environment, "PATH")};
}

}  // namespace tacho
