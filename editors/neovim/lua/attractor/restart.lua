--- A server that has ended: its marks are removed, and it can be started again.
local M = {}

local client = require('attractor.client')
local state = require('attractor.state')

--- How often, in milliseconds, is looked whether the server has ended, and after how many looks it is killed.
local INTERVAL_MS, PATIENCE = 50, 60

--- Clients whose end was requested.
local stopping = {}

--- Removes what a server has drawn: it sends what is true when it is started again.
---@param client_id integer
local function forget(client_id)
  for _, uri in ipairs(state.forget(client_id)) do
    local bufnr = vim.uri_to_bufnr(uri)
    if vim.api.nvim_buf_is_loaded(bufnr) then
      require('attractor.marks').clear(bufnr)
    end
  end
  require('attractor.lenses').clear(client_id)
  require('attractor.exit').update()
  vim.cmd.redrawstatus()
end

--- Called when a server has ended, for whatever reason.
---@param code integer
---@param signal integer
---@param client_id integer
function M.exited(code, signal, client_id)
  local is_unexpected = (code ~= 0 or signal ~= 0) and not stopping[client_id]
  stopping[client_id] = nil
  vim.schedule(function()
    if vim.v.exiting ~= vim.NIL then
      return
    end
    forget(client_id)
    if is_unexpected then
      client.notify('the language server has ended; its runs are interrupted. :Attractor restart', vim.log.levels.ERROR)
    end
  end)
end

local function clients()
  return vim.lsp.get_clients({ name = 'attractor' })
end

local function stop(force)
  for _, one in ipairs(clients()) do
    stopping[one.id] = true
    if vim.fn.has('nvim-0.11') == 1 then
      one:stop(force)
    else
      one.stop(force)
    end
  end
end

--- Stops the servers that run, and calls `done` when they have ended.
local function when_stopped(done)
  stop(false)
  local timer, looks = assert(vim.uv.new_timer()), 0
  timer:start(0, INTERVAL_MS, vim.schedule_wrap(function()
    if timer:is_closing() then
      return
    end
    looks = looks + 1
    if #clients() == 0 then
      timer:close()
      done()
    elseif looks == PATIENCE then
      stop(true)
    end
  end))
end

local function restart()
  when_stopped(function()
    require('attractor.server').start_all()
    client.notify('the language server was started again')
  end)
end

--- `:Attractor restart`: asks first if runs would be interrupted.
function M.restart()
  local live = vim.tbl_filter(function(run)
    return not run.server
  end, state.all_live())
  if #live == 0 then
    return restart()
  end
  local names = vim.tbl_map(function(run)
    return run.graph
  end, live)
  vim.ui.select({ 'Restart', 'Cancel' }, {
    prompt = ('Restarting interrupts %s, to be resumed later. Restart?'):format(table.concat(names, ', ')),
    kind = 'attractor',
  }, function(choice)
    if choice == 'Restart' then
      restart()
    end
  end)
end

return M
