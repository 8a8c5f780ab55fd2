--- Finds the server executable, configures its client and starts it for DOT buffers.
local M = {}

local config = require('attractor.config')

--- The folder of this plugin: two above `lua/attractor/`.
local function plugin_root()
  local here = debug.getinfo(1, 'S').source:sub(2)
  return vim.fs.dirname(vim.fs.dirname(vim.fs.dirname(here)))
end

--- Locations of the executable, in order: PATH, then builds of the checkout that contains this plugin.
---@return string|nil
function M.program()
  local found = vim.fn.exepath('attractor')
  if found ~= '' then
    return found
  end
  for _, profile in ipairs({ 'release', 'debug' }) do
    local built = vim.fs.normalize(plugin_root() .. '/../../target/' .. profile .. '/attractor')
    if vim.fn.executable(built) == 1 then
      return built
    end
  end
  return nil
end

---@return string[]
function M.command()
  return config.get().cmd or { M.program() or 'attractor', 'lsp' }
end

--- The root of a file: the nearest directory with a marker, else the directory of the file, where runs create
--- `.attractor`.
---@param path string
---@return string
local function root(path)
  return vim.fs.root(path, { '.attractor', '.git' }) or vim.fs.dirname(path)
end

--- Client capabilities for messages beyond plain LSP.
local function capabilities()
  return vim.tbl_deep_extend('force', vim.lsp.protocol.make_client_capabilities(), {
    experimental = {
      attractor = {
        protocol = 2,
        events = false,
        humanGate = true,
        runState = true,
        serverToken = config.get().server.token ~= nil,
      },
    },
  })
end

--- Whether the server knows the file: a pipeline, or the scenarios of one.
---@param bufnr integer
---@return boolean
function M.is_served(bufnr)
  local is_scenario_file = vim.endswith(vim.api.nvim_buf_get_name(bufnr), '.test.toml')
  return vim.bo[bufnr].filetype == 'dot' or is_scenario_file
end

---@return table
function M.config()
  return {
    name = 'attractor',
    cmd = M.command(),
    filetypes = { 'dot', 'toml' },
    root_dir = function(bufnr, done)
      if M.is_served(bufnr) then
        done(root(vim.api.nvim_buf_get_name(bufnr)))
      end
    end,
    capabilities = capabilities(),
    init_options = config.settings(),
    settings = { attractor = config.settings() },
    on_init = function(client)
      require('attractor.api_keys').send(client)
      require('attractor.server_token').send(client)
    end,
    on_exit = function(code, signal, client_id)
      require('attractor.restart').exited(code, signal, client_id)
    end,
    handlers = require('attractor.messages').handlers,
    commands = require('attractor.messages').commands,
  }
end

--- Reports a missing executable once, when the first DOT file is opened.
function M.warn_if_missing()
  local command = M.command()
  if vim.fn.executable(command[1]) == 1 then
    return
  end
  require('attractor.client').notify(
    ('executable `%s` not found: install it with `cargo install --path server/cli`, or set vim.g.attractor.cmd; see :checkhealth attractor'):format(
      command[1]
    ),
    vim.log.levels.WARN
  )
end

--- Starts the server for a buffer that it knows; one that runs already is attached.
---@param bufnr integer
local function start(bufnr)
  if not M.is_served(bufnr) then
    return
  end
  local settings = M.config()
  settings.root_dir = root(vim.api.nvim_buf_get_name(bufnr))
  vim.lsp.start(settings, { bufnr = bufnr })
end

--- Starts the server for all buffers that it knows, with the options as they are now.
function M.start_all()
  if vim.lsp.config then
    vim.lsp.config('attractor', M.config())
  end
  for _, bufnr in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(bufnr) and vim.bo[bufnr].buftype == '' then
      start(bufnr)
    end
  end
end

--- Starts the server for DOT buffers: by `vim.lsp.enable` where it exists (0.11), else by an autocommand.
function M.enable()
  vim.api.nvim_create_autocmd('FileType', {
    pattern = 'dot',
    group = vim.api.nvim_create_augroup('attractor.missing', { clear = true }),
    once = true,
    callback = M.warn_if_missing,
  })
  if vim.lsp.enable then
    vim.lsp.config('attractor', M.config())
    vim.lsp.enable('attractor')
    return
  end
  vim.api.nvim_create_autocmd('FileType', {
    pattern = { 'dot', 'toml' },
    group = vim.api.nvim_create_augroup('attractor.start', { clear = true }),
    callback = function(event)
      start(event.buf)
    end,
  })
end

return M
