--- Transcripts of runs and logs of nodes, in a split that is updated while the run is live.
local M = {}

local client = require('attractor.client')
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

--- Replaces the lines from `first`; windows with the cursor at the end scroll to the new end.
local function set_lines(bufnr, first, lines)
  local before = vim.api.nvim_buf_line_count(bufnr)
  vim.bo[bufnr].modifiable = true
  vim.api.nvim_buf_set_lines(bufnr, first, -1, false, lines)
  vim.bo[bufnr].modifiable = false
  local last = vim.api.nvim_buf_line_count(bufnr)
  for _, window in ipairs(vim.fn.win_findbuf(bufnr)) do
    if vim.api.nvim_win_get_cursor(window)[1] >= before then
      vim.api.nvim_win_set_cursor(window, { last, 0 })
    end
  end
end

local function follow_file(bufnr, path)
  local size = -1
  poll(bufnr, function()
    local stat = vim.uv.fs_stat(path)
    if stat and stat.size ~= size then
      size = stat.size
      set_lines(bufnr, 0, vim.fn.readfile(path))
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
        set_lines(bufnr, first, lines)
        first = vim.api.nvim_buf_line_count(bufnr)
      end
    end)
    return not ended
  end)
end

--- Shows the buffer of that name in a split, unless a window shows it already. Does not move the cursor.
---@return integer bufnr, boolean is_new
local function split(name)
  local existing = vim.fn.bufnr('^' .. vim.fn.escape(name, '*?[]{}\\') .. '$')
  if existing > 0 and vim.fn.win_findbuf(existing)[1] then
    return existing, false
  end
  if existing > 0 then
    vim.api.nvim_buf_delete(existing, { force = true })
  end
  vim.cmd('botright 12split')
  local bufnr = vim.api.nvim_create_buf(false, true)
  vim.bo[bufnr].bufhidden = 'wipe'
  vim.bo[bufnr].modifiable = false
  vim.api.nvim_win_set_buf(0, bufnr)
  vim.api.nvim_buf_set_name(bufnr, name)
  vim.keymap.set('n', 'q', '<cmd>close<cr>', { buffer = bufnr, desc = 'Close the log' })
  vim.cmd('wincmd p')
  return bufnr, true
end

--- Opens the transcript of a run, or the log of one of its nodes.
---@param which {run: string, node: string|nil, attempt: integer|nil}
function M.show(which)
  if not which.node then
    local bufnr, is_new = split('attractor-run://' .. which.run)
    if is_new then
      follow_run(bufnr, which.run)
    end
    return
  end
  client.execute('attractor.log', which, function(result)
    local path = vim.uri_to_fname(result.uri)
    local bufnr, is_new = split('attractor-log://' .. path)
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
