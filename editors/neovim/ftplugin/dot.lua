--- Buffer options for DOT: comments, and the indentation of the formatter.
vim.bo.commentstring = '// %s'
vim.bo.comments = 's1:/*,mb:*,ex:*/,://,:#'
vim.bo.expandtab = true
vim.bo.shiftwidth = 4
vim.bo.softtabstop = 4

local undo = 'setlocal commentstring< comments< expandtab< shiftwidth< softtabstop<'
vim.b.undo_ftplugin = vim.b.undo_ftplugin and (vim.b.undo_ftplugin .. ' | ' .. undo) or undo
