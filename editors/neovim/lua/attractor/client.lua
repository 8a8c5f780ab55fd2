--- Sends commands to the server and shows their errors.
local M = {}

---@param bufnr integer|nil
---@return vim.lsp.Client|nil
function M.of(bufnr)
  local filter = { name = 'attractor', bufnr = bufnr }
  return vim.lsp.get_clients(filter)[1] or vim.lsp.get_clients({ name = 'attractor' })[1]
end

---@param message string
---@param level integer|nil
function M.notify(message, level)
  vim.notify('attractor: ' .. message, level or vim.log.levels.INFO)
end

--- Sends a request.
---@param client vim.lsp.Client
---@param method string
---@param params table
---@param handler fun(err: table|nil, result: any)
---@param bufnr integer|nil
function M.request(client, method, params, handler, bufnr)
  if vim.fn.has('nvim-0.11') == 1 then
    return client:request(method, params, handler, bufnr)
  end
  return client.request(method, params, handler, bufnr)
end

--- Calls `action` as soon as a server is attached to a buffer.
---@param action fun()
function M.when_ready(action)
  if M.of() then
    return action()
  end
  vim.api.nvim_create_autocmd('LspAttach', {
    callback = function(event)
      local client = vim.lsp.get_client_by_id(event.data.client_id)
      if client and client.name == 'attractor' then
        action()
        return true
      end
    end,
  })
end

--- Sends a server command with one object argument; `done` is called with the result if it succeeds.
---@param command string such as `attractor.run`
---@param argument table
---@param done fun(result: any)|nil
---@param bufnr integer|nil
---@param failed nil|fun(err: table): boolean handles an error if it returns true; else the error is shown
function M.execute(command, argument, done, bufnr, failed)
  local client = M.of(bufnr)
  if not client then
    M.notify('the language server is not running: :Attractor restart; see :checkhealth attractor', vim.log.levels.ERROR)
    return
  end
  local arguments = { next(argument) == nil and vim.empty_dict() or argument }
  M.request(client, 'workspace/executeCommand', { command = command, arguments = arguments }, function(err, result)
    if err and failed and failed(err) then
      return
    end
    if err then
      -- The server shows the trust question and starts the run when it is accepted.
      if not (type(err.data) == 'table' and err.data.asked) then
        M.notify(err.message, vim.log.levels.ERROR)
      end
    elseif done then
      done(result)
    end
  end)
end

--- Sends a request and waits for the result; for command-line completion.
---@param command string
---@param argument table
---@return any|nil
function M.ask(command, argument)
  local client = M.of(0)
  if not client then
    return nil
  end
  local params = { command = command, arguments = { argument } }
  local answers = vim.lsp.buf_request_sync(0, 'workspace/executeCommand', params, 500)
  local answer = answers and answers[client.id]
  return answer and answer.result
end

return M
