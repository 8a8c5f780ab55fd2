--- Server configuration for `vim.lsp.enable('attractor')` (Neovim 0.11 and later).
return require('attractor.server').config()
