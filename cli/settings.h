// Decides from options, environment and config files where to ask and how to print.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/arguments.h"
#include "cli/page.h"
#include "common/status.h"
#include "common/time.h"
#include "rpc/endpoint.h"

namespace tacho {

// What main.cc found around the program.
struct Environment {
  bool is_terminal = false;  // stdout
  int width = 0;             // of that terminal; 0 where it does not say
  std::map<std::string, std::string, std::less<>> variables{};  // of kVariables, those that are set
};
inline constexpr std::string_view kVariables[] = {
    "TACHO_SERVER", "TACHO_SOCKET", "TACHO_CONFIG",   "HOME", "XDG_CONFIG_HOME",
    "NO_COLOR",     "CLICOLOR",     "CLICOLOR_FORCE", "TERM", "COLUMNS",
    "LC_ALL",       "LC_CTYPE",     "LANG",           "PATH"};

// Options that every command takes.
std::span<const OptionDef> GlobalOptions();

// Config files from the first to be believed to the last. One that the user named must be there.
struct ConfigPlace {
  std::string path{};
  bool must_exist = false;
};
std::vector<ConfigPlace> ConfigPlaces(const CommandArguments& options,
                                      const Environment& environment);

// What a config file may say; what it leaves out is empty.
struct CliConfig {
  std::string path{};  // where it was read
  std::string server{};
  std::string socket{};
  TlsFiles tls{};
};
// Fails with kInvalid listing every mistake with its line.
Result<CliConfig> ParseCliConfig(std::string_view text, const std::string& path);

struct Settings {
  Endpoint server;
  std::string server_origin{};  // "--server", "TACHO_SERVER", a file's path, or "the default"
  std::string socket{};
  Nanos patience{};
  Style style{};
  std::string path{};  // where programs are found: "/usr/bin:/bin"
};
// Options win over the environment, that over the config, that over the defaults. TLS files come
// from the config alone.
Result<Settings> DecideSettings(const CommandArguments& options, const Environment& environment,
                                const CliConfig& config);

}  // namespace tacho
