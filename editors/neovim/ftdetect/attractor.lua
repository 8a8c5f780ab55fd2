--- `.dot` and `.gv` are known to Neovim; pipelines also come under these two endings.
vim.filetype.add({ extension = { attractor = 'dot', fabro = 'dot', gv = 'dot' } })
