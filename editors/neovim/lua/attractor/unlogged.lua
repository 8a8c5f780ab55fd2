--- Messages to the server that no log of Neovim contains, whatever its level is: they hold secrets.
local M = {}

--- Sends a notification.
---@param client vim.lsp.Client
---@param method string
---@param params table
---@return boolean whether it was sent
function M.notify(client, method, params)
  local log = require('vim.lsp.log')
  local level = log.get_level()
  log.set_level(vim.log.levels.OFF)
  local called, sent = pcall(client.rpc.notify, method, params)
  log.set_level(level)
  return called and sent ~= false
end

return M
