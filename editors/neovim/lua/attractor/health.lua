--- `:checkhealth attractor`.
local M = {}

function M.check()
  local health = vim.health
  health.start('attractor')
  if vim.fn.has('nvim-0.10') == 1 then
    health.ok('Neovim ' .. tostring(vim.version()))
  else
    health.error('Neovim 0.10 or later is required', { 'found ' .. tostring(vim.version()) })
  end

  local command = require('attractor.server').command()
  if vim.fn.executable(command[1]) == 1 then
    local version = vim.fn.system({ command[1], '--version' })
    health.ok(('server: %s (%s)'):format(command[1], vim.trim(version)))
  else
    health.error('server executable not found: ' .. command[1], {
      'build it: cargo build --release in the checkout, or cargo install --path server/cli',
      "or set vim.g.attractor = { cmd = { '/path/to/attractor', 'lsp' } }",
    })
  end

  local clients = vim.lsp.get_clients({ name = 'attractor' })
  health.info(#clients > 0 and 'server is running' or 'server is not running (open a .dot file)')
  local problem = require('attractor.statusline').problem()
  if problem then
    health.warn(problem)
  end
  if vim.fn.executable('dot') == 1 then
    health.ok('Graphviz found: :Attractor preview draws SVG')
  else
    health.info('Graphviz not found: :Attractor preview shows DOT text')
  end
end

return M
