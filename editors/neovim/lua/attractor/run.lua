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
    client.notify('runs what is in the buffer; it is not saved yet', vim.log.levels.WARN)
  end
  client.execute('attractor.run', { uri = here(), graph = options.graph, mode = options.mode }, function(result)
    if result and result.run then
      client.notify('run ' .. result.run .. ' started')
    end
  end, 0)
end

--- The newest run of this buffer that `accept` likes.
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

---@param id string|nil a run id; nil: choose among the unfinished runs of this file
function M.resume(id)
  if id then
    client.execute('attractor.resume', { run = id }, nil, 0)
    return
  end
  M.choose('Resume which run?', function(run)
    return run.state ~= 'succeeded' and run.state ~= 'running'
  end, function(run)
    client.execute('attractor.resume', { run = run.run }, nil, 0)
  end)
end

--- Lets the person choose among the runs of this file, newest first.
---@param prompt string
---@param accept fun(run: table): boolean
---@param done fun(run: table)
function M.choose(prompt, accept, done)
  client.execute('attractor.runs', { uri = here() }, function(result)
    local runs = vim.tbl_filter(accept, result.runs or {})
    if #runs == 0 then
      client.notify('no such run of this file')
      return
    end
    vim.ui.select(runs, {
      prompt = prompt,
      kind = 'attractor',
      format_item = function(run)
        local node = run.node and (' at ' .. run.node) or ''
        return ('%s %s  %s%s  %s'):format(highlights.of(run.state).icon, run.state, run.graph, node, run.startedAt or '')
      end,
    }, function(run)
      if run then
        done(run)
      end
    end)
  end, 0)
end

return M
