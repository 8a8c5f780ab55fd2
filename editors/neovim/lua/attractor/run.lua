--- Starting, resuming and cancelling runs of the current buffer, and the list of runs.
local M = {}

local client = require('attractor.client')
local highlights = require('attractor.highlights')
local state = require('attractor.state')

local function here()
  return vim.uri_from_bufnr(0)
end

---@param options {graph: string|nil, mode: string|nil}
function M.start(options)
  if vim.bo.modified and options.mode ~= 'dryRun' then
    client.notify('running the unsaved text of this buffer', vim.log.levels.WARN)
  end
  client.execute('attractor.run', { uri = here(), graph = options.graph, mode = options.mode }, function(result)
    if result and result.run then
      client.notify('run ' .. result.run .. ' started')
    end
  end, 0)
end

--- The newest run of this buffer for which `accept` returns true.
local function newest(accept)
  for _, run in ipairs(state.of_uri(here())) do
    if accept(run) then
      return run
    end
  end
end

---@param id string|nil a run id; nil: the newest live run of this buffer
function M.cancel(id)
  local run = id or (newest(state.live) or {}).run
  if not run then
    client.notify('no run to cancel in this buffer')
    return
  end
  client.execute('attractor.cancel', { run = run }, nil, 0)
end

local function resumable(run)
  return not run.parent and run.state ~= 'success' and not state.live(run)
end

---@param id string|nil a run id; nil: choose among the unfinished runs of this file
function M.resume(id)
  if id then
    client.execute('attractor.resume', { run = id }, nil, 0)
    return
  end
  M.choose('Select a run to resume', resumable, function(run)
    client.execute('attractor.resume', { run = run.run }, nil, 0)
  end)
end

--- The runs of this file, newest first.
---@param done fun(runs: table[])
function M.list(done)
  client.execute('attractor.runs', { uri = here() }, function(result)
    done(result.runs or {})
  end, 0)
end

--- The same and all runs of the server elsewhere, if there is one.
---@param done fun(runs: table[])
local function list_with_elsewhere(done)
  if not require('attractor.config').get().server.remote then
    return M.list(done)
  end
  local uri = here()
  client.execute('attractor.runs', {}, function(result)
    done(vim.tbl_filter(function(run)
      return run.server ~= nil or run.uri == uri
    end, result.runs or {}))
  end, 0)
end

--- `2026-01-02T03:04:05.678Z` in local time.
local function local_time(utc)
  local year, month, day, hour, minute, second = (utc or ''):match('(%d+)-(%d+)-(%d+)T(%d+):(%d+):(%d+)')
  if not year then
    return ''
  end
  local parts = { year = year, month = month, day = day, hour = hour, min = minute, sec = second, isdst = false }
  local as_local = os.time(parts)
  local offset = os.difftime(as_local, os.time(os.date('!*t', as_local)))
  return os.date('%d %b %H:%M', as_local + offset)
end

--- Prompts for one of the runs of this file or of the server elsewhere, newest first.
---@param prompt string
---@param accept fun(run: table): boolean
---@param done fun(run: table)
function M.choose(prompt, accept, done)
  list_with_elsewhere(function(all)
    local runs = vim.tbl_filter(accept, all)
    if #runs == 0 then
      client.notify(#all == 0 and 'no runs of this file' or 'no matching run of this file')
      return
    end
    vim.ui.select(runs, {
      prompt = prompt,
      kind = 'attractor',
      format_item = function(run)
        local node = run.node and (' at ' .. run.node) or ''
        local icon = highlights.of(run.state).icon
        -- A run of a sub-pipeline follows the run that started it.
        local indent = run.parent and '  └ ' or ''
        local place = run.server and (' on ' .. run.server) or ''
        return ('%s%s %s  %s%s%s  %s'):format(indent, icon, highlights.label(run.state) .. highlights.mark(run.reality), run.graph, node, place, local_time(run.startedAt))
      end,
    }, function(run)
      if run then
        done(run)
      end
    end)
  end)
end

--- What to do about files that have changed since, and how it is shown.
local FILES = {
  { files = 'restore', title = 'Restore the files of that moment' },
  { files = 'keep', title = 'Use the files as they are' },
}

--- `:Attractor fork`: begins a new run where the newest run of this file entered a node.
---@param node string|nil
function M.fork(node)
  if not node then
    return client.notify('name a node: :Attractor fork NODE', vim.log.levels.ERROR)
  end
  local bufnr = vim.api.nvim_get_current_buf()
  M.list(function(runs)
    if not runs[1] then
      return client.notify('no runs of this file')
    end
    local function fork(files, failed)
      local argument = { run = runs[1].run, node = node, files = files }
      client.execute('attractor.fork', argument, function(result)
        if result.run then
          client.notify('run ' .. result.run .. ' started')
        end
      end, bufnr, failed)
    end
    fork('refuse', function(err)
      if type(err.data) ~= 'table' or err.data.code ~= 'filesDiffer' then
        return false
      end
      vim.ui.select(FILES, {
        prompt = err.message,
        kind = 'attractor',
        format_item = function(item)
          return item.title
        end,
      }, function(item)
        if item then
          fork(item.files)
        end
      end)
      return true
    end)
  end)
end

--- Shows the status report of a run.
---@param id string|nil nil: the newest run of this file
function M.report(id)
  if not id then
    return M.list(function(runs)
      if runs[1] then
        M.report(runs[1].run)
      else
        client.notify('no runs of this file')
      end
    end)
  end
  M.fill_report(require('attractor.split').open('attractor-report://' .. id), id)
end

--- Fills a buffer with the status report of a run.
---@param bufnr integer
---@param id string
function M.fill_report(bufnr, id)
  client.execute('attractor.report', { run = id }, function(result)
    if vim.api.nvim_buf_is_valid(bufnr) then
      require('attractor.split').set_lines(bufnr, 0, vim.split(vim.trim(result.text), '\n'))
    end
  end)
end

--- `:Attractor runs`: prompts for a run and an action.
function M.menu()
  M.choose('Runs of this file', function()
    return true
  end, function(run)
    local actions = { { title = 'Transcript', go = require('attractor.log').show } }
    table.insert(actions, { title = 'Status report', go = function()
      M.report(run.run)
    end })
    if not run.parent then
      table.insert(actions, { title = 'Changed files', go = require('attractor.changes').show })
    end
    if state.live(run) and not run.parent then
      table.insert(actions, { title = 'Cancel', go = function()
        M.cancel(run.run)
      end })
    elseif resumable(run) then
      table.insert(actions, { title = 'Resume', go = function()
        M.resume(run.run)
      end })
    end
    if run.node and not run.parent then
      table.insert(actions, { title = 'Log of ' .. run.node, go = function()
        require('attractor.log').show({ run = run.run, node = run.node })
      end })
    end
    if run.server and run.state == 'waiting' then
      table.insert(actions, 1, { title = 'Answer', go = function()
        require('attractor.gates').answer_of(run.run)
      end })
    end
    vim.ui.select(actions, {
      prompt = ('%s (%s)'):format(run.graph, highlights.label(run.state)),
      kind = 'attractor',
      format_item = function(action)
        return action.title
      end,
    }, function(action)
      if action then
        action.go({ run = run.run })
      end
    end)
  end)
end

return M
