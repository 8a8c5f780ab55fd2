--- Settings: defaults, merged with `vim.g.attractor` and the options of `require('attractor').setup`.
local M = {}

---@class attractor.Config
---@field cmd string[]|nil     command that starts the server; nil: find the program
---@field keymaps boolean      set the buffer-local keymaps
---@field codelens boolean     show and refresh code lenses
---@field marks boolean        show run state as signs and virtual text
---@field ask boolean          open the answer menu as soon as a gate opens
---@field settings table       sent to the server as its settings
---@field server attractor.RemoteServer|nil  a server elsewhere whose runs are shown, too
---@field api_keys nil|fun(): table<string, string>  keys of providers by their ids, called when the server starts

---@class attractor.RemoteServer
---@field remote string|nil               its address: http://127.0.0.1:4123
---@field token nil|fun(): string         its token, called when the server starts

local defaults = {
  cmd = nil,
  keymaps = true,
  codelens = true,
  marks = true,
  ask = false,
  settings = {},
  server = {},
}

local from_setup = {}

---@param options table|nil
function M.set(options)
  from_setup = options or {}
end

---@return attractor.Config
function M.get()
  return vim.tbl_deep_extend('force', defaults, vim.g.attractor or {}, from_setup)
end

--- The settings as the language server reads them.
---@return table
function M.settings()
  local options = M.get()
  local remote = options.server.remote and { server = { remote = options.server.remote } } or {}
  return vim.tbl_deep_extend('force', options.settings, remote)
end

return M
