--- Sets up a DOT buffer when the server attaches: code lenses, keymaps, run marks.
local M = {}

local config = require('attractor.config')

---@type {[1]: string, [2]: string, [3]: string}[] keys, subcommand, description
local KEYMAPS = {
  { '<localleader>r', 'run', 'run pipeline' },
  { '<localleader>d', 'dry-run', 'dry run' },
  { '<localleader>c', 'cancel', 'cancel run' },
  { '<localleader>a', 'answer', 'answer gate' },
  { '<localleader>l', 'log', 'open log' },
  { '<localleader>t', 'transcript', 'follow the node at work' },
  { '<localleader>s', 'steer', 'send a message to the node at work' },
  { '<localleader>p', 'preview', 'preview graph' },
}

local function set_keymaps(bufnr)
  for _, row in ipairs(KEYMAPS) do
    vim.keymap.set('n', row[1], '<cmd>Attractor ' .. row[2] .. '<cr>', {
      buffer = bufnr,
      desc = 'Attractor: ' .. row[3],
    })
  end
end

--- Neovim 0.12 refreshes code lenses itself; earlier versions need autocommands.
local function show_lenses(bufnr)
  if vim.lsp.codelens.enable then
    vim.lsp.codelens.enable(true, { bufnr = bufnr })
    return
  end
  local function refresh()
    M.refresh_lenses(bufnr)
  end
  vim.api.nvim_create_autocmd({ 'BufEnter', 'InsertLeave', 'TextChanged' }, {
    buffer = bufnr,
    group = vim.api.nvim_create_augroup('attractor.lens.' .. bufnr, { clear = true }),
    callback = refresh,
  })
  refresh()
end

--- Refreshes code lenses where Neovim does not do it itself (before 0.12).
---@param bufnr integer
function M.refresh_lenses(bufnr)
  local wanted = config.get().codelens and vim.api.nvim_buf_is_loaded(bufnr)
  if wanted and not vim.lsp.codelens.enable then
    vim.lsp.codelens.refresh({ bufnr = bufnr })
  end
end

---@param bufnr integer
function M.attach(bufnr)
  local settings = config.get()
  if settings.keymaps then
    set_keymaps(bufnr)
  end
  if settings.codelens then
    show_lenses(bufnr)
  end
  require('attractor.marks').draw(bufnr)
end

return M
