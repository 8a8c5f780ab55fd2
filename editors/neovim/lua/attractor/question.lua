--- The text of a question: its first line is its heading in menus and messages, which have one line. Pure.
local M = {}

--- The first line, without the `#` of a heading in Markdown.
---@param question {text: string}
---@return string
function M.heading(question)
  local first = vim.split(vim.trim(question.text), '\n')[1]
  return (first:gsub('^#+%s+', ''))
end

--- The lines after the heading.
---@param question {text: string}
---@return string[]
function M.details(question)
  local lines = vim.split(vim.trim(question.text), '\n')
  return vim.split(vim.trim(table.concat(lines, '\n', 2)), '\n', { trimempty = true })
end

return M
