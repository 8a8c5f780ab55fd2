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

--- Marks are lost when their lines are replaced, and an undo does not bring them back.
local function keep_marks(bufnr)
  vim.api.nvim_create_autocmd({ 'TextChanged', 'InsertLeave' }, {
    buffer = bufnr,
    group = vim.api.nvim_create_augroup('attractor.marks.' .. bufnr, { clear = true }),
    callback = function()
      require('attractor.marks').draw(bufnr)
    end,
  })
  require('attractor.marks').draw(bufnr)
end

---@param bufnr integer
function M.attach(bufnr)
  local settings = config.get()
  if settings.keymaps then
    set_keymaps(bufnr)
  end
  if settings.codelens then
    require('attractor.lenses').show(bufnr)
  end
  keep_marks(bufnr)
end

return M
