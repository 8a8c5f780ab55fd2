--- Neovim detects `.dot` and `.gv`; these are further file extensions of pipelines.
vim.filetype.add({ extension = { attractor = 'dot', dag = 'dot', fabro = 'dot', gv = 'dot' } })
