--- Transcripts of runs and logs of nodes, in a split that is updated while the run is live.
local M = {}

local client = require('attractor.client')
local highlights = require('attractor.highlights')
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

--- Shows a file in a buffer while it grows.
---@param bufnr integer
---@param path string
function M.follow_file(bufnr, path)
  local size = -1
  poll(bufnr, function()
    local stat = vim.uv.fs_stat(path)
    if stat and stat.size ~= size then
      size = stat.size
      split.set_lines(bufnr, 0, vim.fn.readfile(path))
    end
  end)
end

---@param lines_of fun(event: table): attractor.Line[]
local function follow_run(bufnr, run, lines_of)
  local after, ended, asking, first = 0, false, false, 0
  poll(bufnr, function()
    -- In a restored session, no server may be attached yet.
    if asking or not client.of(bufnr) then
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
        vim.list_extend(lines, lines_of(event))
        ended = ENDS[event.type] or (event.type == 'escalated' and event.ends) or false
      end
      if #lines > 0 then
        split.set_lines(bufnr, first, vim.tbl_map(function(line)
          return line.text
        end, lines))
        highlights.lines(bufnr, first, lines)
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
      M.fill(bufnr, which)
    end
    return
  end
  client.execute('attractor.log', which, function(result)
    local path = vim.uri_to_fname(result.uri)
    local bufnr, is_new = split.open('attractor-log://' .. path)
    if is_new then
      M.follow_file(bufnr, path)
    end
  end)
end

--- Fills a buffer with the transcript of a run, or of one node: what its model thinks, writes and calls. There, `s`
--- sends the node a message, and `a` answers the questions of its run.
---@param bufnr integer
---@param which {run: string, node: string|nil}
function M.fill(bufnr, which)
  if not which.node then
    return follow_run(bufnr, which.run, transcript.lines)
  end
  vim.keymap.set('n', 's', function()
    require('attractor.steer').to(which)
  end, { buffer = bufnr, desc = 'Attractor: send a message to the node' })
  vim.keymap.set('n', 'a', function()
    require('attractor.gates').answer_of(which.run)
  end, { buffer = bufnr, desc = 'Attractor: answer a question of the run' })
  follow_run(bufnr, which.run, function(event)
    return transcript.node_lines(event, which.node)
  end)
end

--- Opens the transcript of one node.
---@param which {run: string, node: string}
function M.show_transcript(which)
  local bufnr, is_new = split.open(('attractor-run://%s/%s'):format(which.run, which.node))
  if is_new then
    M.fill(bufnr, which)
  end
end

--- Opens the transcript of a node of the newest run of this file.
---@param node string|nil nil: the node at work, else the whole run
function M.open_transcript(node)
  require('attractor.run').list(function(runs)
    local run = runs[1]
    if not run then
      return client.notify('no runs of this file')
    end
    node = node or run.node
    if node then
      M.show_transcript({ run = run.run, node = node })
    else
      M.show({ run = run.run })
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
