--- Read-only buffers in a split below the others: transcripts, logs, the evidence of a gate.
local M = {}

--- Replaces the lines from `first`; windows with the cursor at the end scroll to the new end.
---@param bufnr integer
---@param first integer
---@param lines string[]
function M.set_lines(bufnr, first, lines)
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

--- The buffer of that name.
---@param name string
---@return integer|nil
function M.find(name)
  local bufnr = vim.fn.bufnr('^' .. vim.fn.escape(name, '*?[]{}\\') .. '$')
  return bufnr > 0 and bufnr or nil
end

--- Makes a buffer one of this module: read-only, without a file, gone with its window.
---@param bufnr integer
function M.prepare(bufnr)
  vim.bo[bufnr].buftype = 'nofile'
  vim.bo[bufnr].bufhidden = 'wipe'
  vim.bo[bufnr].buflisted = false
  vim.bo[bufnr].swapfile = false
  vim.bo[bufnr].modifiable = false
  vim.keymap.set('n', 'q', '<cmd>close<cr>', { buffer = bufnr, desc = 'Close the window' })
end

--- Shows the buffer of that name in a split, unless a window shows it already. Does not move the cursor.
---@return integer bufnr, boolean is_new
function M.open(name)
  local existing = M.find(name)
  if existing and vim.fn.win_findbuf(existing)[1] then
    return existing, false
  end
  M.close(name)
  vim.cmd('botright 12split')
  local bufnr = vim.api.nvim_create_buf(false, true)
  M.prepare(bufnr)
  vim.api.nvim_win_set_buf(0, bufnr)
  vim.api.nvim_buf_set_name(bufnr, name)
  vim.cmd('wincmd p')
  return bufnr, true
end

--- Closes the windows of the buffer of that name.
---@param name string
function M.close(name)
  local bufnr = M.find(name)
  if bufnr then
    vim.api.nvim_buf_delete(bufnr, { force = true })
  end
end

return M
