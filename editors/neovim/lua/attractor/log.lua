--- The log of a run or node in a split that follows while the run is alive.
local M = {}

local client = require('attractor.client')

local INTERVAL_MS = 500

--- Follows a file in a buffer: reads again when it grew, keeps the cursor at the end if it was there.
local function follow(bufnr, path)
  local timer = assert(vim.uv.new_timer())
  local size = -1
  local function read()
    if not vim.api.nvim_buf_is_valid(bufnr) then
      timer:close()
      return
    end
    local stat = vim.uv.fs_stat(path)
    if not stat or stat.size == size then
      return
    end
    size = stat.size
    local lines = vim.fn.readfile(path)
    local before = vim.api.nvim_buf_line_count(bufnr)
    vim.bo[bufnr].modifiable = true
    vim.api.nvim_buf_set_lines(bufnr, 0, -1, false, lines)
    vim.bo[bufnr].modifiable = false
    for _, window in ipairs(vim.fn.win_findbuf(bufnr)) do
      if vim.api.nvim_win_get_cursor(window)[1] >= before then
        vim.api.nvim_win_set_cursor(window, { math.max(#lines, 1), 0 })
      end
    end
  end
  timer:start(0, INTERVAL_MS, vim.schedule_wrap(read))
end

local function open(uri)
  local path = vim.uri_to_fname(uri)
  vim.cmd('botright 12split')
  local bufnr = vim.api.nvim_create_buf(false, true)
  vim.bo[bufnr].bufhidden = 'wipe'
  vim.api.nvim_win_set_buf(0, bufnr)
  vim.api.nvim_buf_set_name(bufnr, 'attractor-log://' .. path)
  vim.keymap.set('n', 'q', '<cmd>close<cr>', { buffer = bufnr, desc = 'Close the log' })
  follow(bufnr, path)
  vim.cmd('wincmd p')
end

--- Opens the log that the server finds for `{run, node}`.
---@param which {run: string, node: string|nil}
function M.show(which)
  client.execute('attractor.log', which, function(result)
    open(result.uri)
  end)
end

--- Opens the log of a node (nil: of the whole run) of the run the person chooses.
---@param node string|nil
function M.open(node)
  require('attractor.run').choose('Log of which run?', function()
    return true
  end, function(run)
    M.show({ run = run.run, node = node })
  end)
end

return M
