--- Transcripts of runs and logs of nodes, in a split that is updated while the run is live.
local M = {}

local client = require('attractor.client')
local split = require('attractor.split')
local transcript = require('attractor.transcript')

local INTERVAL_MS = 500

--- The events that end a run.
local ENDS = { pipeline_completed = true, pipeline_failed = true, pipeline_cancelled = true, pipeline_interrupted = true }

--- Calls `read` now and twice a second until it returns false or the buffer is deleted.
local function poll(bufnr, read)
  local timer = assert(vim.uv.new_timer())
  timer:start(0, INTERVAL_MS, vim.schedule_wrap(function()
    if timer:is_closing() then
      return
    end
    if not vim.api.nvim_buf_is_valid(bufnr) or read() == false then
      timer:close()
    end
  end))
end

local function follow_file(bufnr, path)
  local size = -1
  poll(bufnr, function()
    local stat = vim.uv.fs_stat(path)
    if stat and stat.size ~= size then
      size = stat.size
      split.set_lines(bufnr, 0, vim.fn.readfile(path))
    end
  end)
end

local function follow_run(bufnr, run)
  local after, ended, asking, first = 0, false, false, 0
  poll(bufnr, function()
    if asking then
      return not ended
    end
    asking = true
    client.execute('attractor.events', { run = run, after = after }, function(result)
      asking, after = false, result.last
      if not vim.api.nvim_buf_is_valid(bufnr) then
        return
      end
      local lines = {}
      for _, event in ipairs(result.events) do
        vim.list_extend(lines, transcript.lines(event))
        ended = ENDS[event.type] or (event.type == 'escalated' and event.ends) or false
      end
      if #lines > 0 then
        split.set_lines(bufnr, first, lines)
        first = vim.api.nvim_buf_line_count(bufnr)
      end
    end)
    return not ended
  end)
end

--- Opens the transcript of a run, or the log of one of its nodes.
---@param which {run: string, node: string|nil, attempt: integer|nil}
function M.show(which)
  if not which.node then
    local bufnr, is_new = split.open('attractor-run://' .. which.run)
    if is_new then
      follow_run(bufnr, which.run)
    end
    return
  end
  client.execute('attractor.log', which, function(result)
    local path = vim.uri_to_fname(result.uri)
    local bufnr, is_new = split.open('attractor-log://' .. path)
    if is_new then
      follow_file(bufnr, path)
    end
  end)
end

--- Opens the log of a node (nil: the transcript of the whole run) of the newest run of this file.
---@param node string|nil
function M.open(node)
  require('attractor.run').list(function(runs)
    if runs[1] then
      M.show({ run = runs[1].run, node = node })
    else
      client.notify('no runs of this file')
    end
  end)
end

return M
