--- Buffer options for DOT: comments, and folds from the language server where it can give them.
vim.bo.commentstring = '// %s'
vim.bo.comments = 's1:/*,mb:*,ex:*/,://,:#'

local undo = 'setlocal commentstring< comments<'
vim.b.undo_ftplugin = vim.b.undo_ftplugin and (vim.b.undo_ftplugin .. ' | ' .. undo) or undo
