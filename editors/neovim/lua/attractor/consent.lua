--- What a pipeline would run, in a window of its own. The question whether to run it follows when it has been read: a
--- menu over the document would hide it.
local M = {}

local KEYS = '%#Title# <Enter> answer the question · q do not run '

local window = nil

--- Whether the document is visible.
---@return boolean
function M.is_shown()
  return window ~= nil and vim.api.nvim_win_is_valid(window)
end

function M.close()
  if M.is_shown() then
    vim.api.nvim_win_close(window, true)
  end
  window = nil
end

--- Handles `window/showDocument`: a document of the server never replaces the pipeline in its window.
function M.show_document(err, params, context, config)
  if params.external then
    return vim.lsp.handlers['window/showDocument'](err, params, context, config)
  end
  M.close()
  vim.cmd('topleft split ' .. vim.fn.fnameescape(vim.uri_to_fname(params.uri)))
  window = vim.api.nvim_get_current_win()
  local bufnr = vim.api.nvim_get_current_buf()
  vim.bo[bufnr].buflisted = false
  vim.bo[bufnr].bufhidden = 'wipe'
  vim.bo[bufnr].modifiable = false
  vim.keymap.set('n', 'q', '<cmd>close<cr>', { buffer = bufnr, desc = 'Attractor: close, and do not run' })
  return { success = true }
end

--- Calls `decide` with true when <Enter> is pressed in the document, with false when its window is closed before.
---@param decide fun(is_read: boolean)
function M.when_read(decide)
  local bufnr = vim.api.nvim_win_get_buf(window)
  vim.wo[window][0].winbar = KEYS
  local closed = vim.api.nvim_create_autocmd('WinClosed', {
    pattern = tostring(window),
    once = true,
    callback = function()
      vim.schedule(function()
        decide(false)
      end)
    end,
  })
  vim.keymap.set('n', '<cr>', function()
    vim.keymap.del('n', '<cr>', { buffer = bufnr })
    vim.api.nvim_del_autocmd(closed)
    decide(true)
  end, { buffer = bufnr, desc = 'Attractor: answer the question' })
end

return M
