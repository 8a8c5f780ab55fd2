--- Sends the keys of model providers to the server: those that the option `api_keys` returns, for example from a
--- password manager. They are in no file, setting, log or environment.
local M = {}

local config = require('attractor.config')

local METHOD = 'attractor/apiKeys'

--- Calls the option `api_keys`, if there is one, and sends what it returns.
---@param client vim.lsp.Client
function M.send(client)
  local get = config.get().api_keys
  if not get then
    return
  end
  local called, keys = pcall(get)
  if not called or type(keys) ~= 'table' then
    -- The error of a password manager does not contain the key; a value of another type may be one.
    local why = called and 'expected a table { PROVIDER = KEY }' or keys
    require('attractor.client').notify('the option api_keys failed: ' .. why, vim.log.levels.ERROR)
    return
  end
  local trimmed = vim.empty_dict()
  for provider, key in pairs(keys) do
    trimmed[provider] = vim.trim(key)
  end
  if not require('attractor.unlogged').notify(client, METHOD, { keys = trimmed }) then
    require('attractor.client').notify('the API keys could not be sent to the server', vim.log.levels.ERROR)
  end
end

--- `:Attractor api-keys`: calls the option again and sends the keys, for the runs that start from now on.
function M.refresh()
  local client = require('attractor.client').of(0)
  if not config.get().api_keys then
    require('attractor.client').notify('set the option api_keys first; see :help attractor-api-keys')
  elseif client then
    M.send(client)
  end
end

return M
