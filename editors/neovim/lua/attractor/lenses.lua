--- Code lenses. Neovim 0.12 refreshes them itself; earlier versions need autocommands.
local M = {}

local config = require('attractor.config')

local METHOD = 'textDocument/codeLens'

--- Whether lenses are drawn by Neovim itself: in lines of their own, not at the end of a line.
local function is_automatic()
  return vim.lsp.codelens.enable ~= nil
end

--- Whether lenses show the choices of a gate. At the end of a line, which may be long, they would be cut; there, they are
--- drawn below the gate instead.
---@return boolean
function M.show_choices()
  return config.get().codelens and is_automatic()
end

local function is_shown(lens)
  local is_choice = lens.command and lens.command.command == 'attractor.answer'
  return not (is_choice and config.get().marks)
end

--- Refreshes the lenses where Neovim does not do it itself. All are stored, for `vim.lsp.codelens.run()`.
---@param bufnr integer
function M.refresh(bufnr)
  local client = require('attractor.client').of(bufnr)
  local is_wanted = config.get().codelens and vim.api.nvim_buf_is_loaded(bufnr)
  if not client or not is_wanted or is_automatic() then
    return
  end
  local params = { textDocument = vim.lsp.util.make_text_document_params(bufnr) }
  require('attractor.client').request(client, METHOD, params, function(err, lenses)
    if not err and vim.api.nvim_buf_is_loaded(bufnr) then
      vim.lsp.codelens.save(lenses, bufnr, client.id)
      vim.lsp.codelens.display(vim.tbl_filter(is_shown, lenses or {}), bufnr, client.id)
    end
  end, bufnr)
end

--- Shows the lenses of a buffer from now on.
---@param bufnr integer
function M.show(bufnr)
  if is_automatic() then
    vim.lsp.codelens.enable(true, { bufnr = bufnr })
    return
  end
  vim.api.nvim_create_autocmd({ 'BufEnter', 'InsertLeave', 'TextChanged' }, {
    buffer = bufnr,
    group = vim.api.nvim_create_augroup('attractor.lens.' .. bufnr, { clear = true }),
    callback = function()
      M.refresh(bufnr)
    end,
  })
  M.refresh(bufnr)
end

--- Removes the lenses of a client that has ended.
---@param client_id integer
function M.clear(client_id)
  if not is_automatic() then
    vim.lsp.codelens.clear(client_id)
  end
end

return M
