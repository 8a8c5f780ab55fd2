--- Loaded at startup; starts the server when a DOT file is opened. No `setup()` is required.
if vim.g.loaded_attractor then
  return
end
vim.g.loaded_attractor = true

if vim.fn.has('nvim-0.10') == 0 then
  vim.notify('attractor requires Neovim 0.10 or later', vim.log.levels.WARN)
  return
end

require('attractor.highlights').define()
require('attractor.server').enable()
require('attractor.commands').create()

local group = vim.api.nvim_create_augroup('attractor', { clear = true })

vim.api.nvim_create_autocmd('User', {
  group = group,
  pattern = 'AttractorGateClosed',
  desc = 'Attractor: close the evidence of a gate',
  callback = function(event)
    require('attractor.evidence').close(event.data.run, event.data.question)
  end,
})

vim.api.nvim_create_autocmd('WinResized', {
  group = group,
  desc = 'Attractor: wrap questions to the new width',
  callback = function()
    require('attractor.marks').resized(vim.v.event.windows)
  end,
})

-- A session names these buffers without reading them.
vim.api.nvim_create_autocmd({ 'BufReadCmd', 'SessionLoadPost' }, {
  group = group,
  pattern = 'attractor-*://*',
  desc = 'Attractor: fill the buffers of a restored session',
  callback = function(event)
    require('attractor.restore').read(event.buf)
  end,
})

vim.api.nvim_create_autocmd('LspAttach', {
  group = group,
  desc = 'Attractor: code lenses, keymaps and run marks',
  callback = function(event)
    local client = vim.lsp.get_client_by_id(event.data.client_id)
    if client and client.name == 'attractor' then
      require('attractor.buffer').attach(event.buf)
    end
  end,
})
