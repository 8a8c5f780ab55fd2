--- Sends the token of a server elsewhere to the language server: what the option `server.token` returns, for example from
--- a password manager. It is in no file, setting, log or environment.
local M = {}

local config = require('attractor.config')

local METHOD = 'attractor/serverToken'

local function fail(why)
  require('attractor.client').notify('the option server.token failed: ' .. why, vim.log.levels.ERROR)
end

--- Calls the option `server.token`, if there is one, and sends what it returns. The language server waits for it.
---@param client vim.lsp.Client
function M.send(client)
  local server = config.get().server
  if not server.token then
    return
  end
  local called, token = pcall(server.token)
  if not called or type(token) ~= 'string' then
    -- The error of a password manager does not contain the token; a value of another type may be one.
    fail(called and 'expected a string' or token)
    token = nil
  end
  local params = { server = server.remote or '', token = token and vim.trim(token) or vim.NIL }
  if not require('attractor.unlogged').notify(client, METHOD, params) then
    fail('it could not be sent to the language server')
  end
end

return M
