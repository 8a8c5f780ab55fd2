--- `:checkhealth attractor`. Also runs in versions of Neovim that the plugin does not support, to say so.
local M = {}

--- Before 0.10, functions of health checks had other names.
local health = vim.health or require('health')
local start, ok, info = health.start or health.report_start, health.ok or health.report_ok, health.info or health.report_info
local warn, fail = health.warn or health.report_warn, health.error or health.report_error

local function neovim_version()
  local version = vim.version()
  return ('%d.%d.%d'):format(version.major, version.minor, version.patch)
end

local function check_server()
  local command = require('attractor.server').command()
  if vim.fn.executable(command[1]) == 1 then
    local version = vim.fn.system({ command[1], '-V' })
    ok(('server: %s (%s)'):format(command[1], vim.trim(version)))
  else
    fail('server executable not found: ' .. command[1], {
      'build it: cargo build --release in the checkout, or cargo install --path server/cli',
      "or set vim.g.attractor = { cmd = { '/path/to/attractor', 'lsp' } }",
    })
  end
  local clients = vim.lsp.get_clients({ name = 'attractor' })
  info(#clients > 0 and 'server is running' or 'server is not running (open a .dot file, or :Attractor restart)')
  local problem = require('attractor.statusline').problem()
  if problem then
    warn(problem)
  end
end

function M.check()
  start('attractor')
  if vim.fn.has('nvim-0.10') == 0 then
    return fail('Neovim 0.10 or later is required', { 'found ' .. neovim_version() })
  end
  ok('Neovim ' .. neovim_version())
  check_server()
  if vim.fn.executable('dot') == 1 then
    ok('Graphviz found: :Attractor preview draws SVG')
  else
    info('Graphviz not found: :Attractor preview shows DOT text')
  end
end

return M
