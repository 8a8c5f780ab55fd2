--- What a gate shows next to its question: the rest of its text, the output of the steps before it and the files that
--- the run changed.
local M = {}

local question_text = require('attractor.question')
local split = require('attractor.split')

local OUTPUT_LINES = 12
local CHANGES = { added = 'new', deleted = 'deleted' }

--- `src/a.rs +3 −1`
---@param file {path: string, change: string|nil, added: integer|nil, removed: integer|nil}
---@return string
function M.heading(file)
  local words = { file.path }
  local change = CHANGES[file.change] or (file.change and not file.added and 'changed')
  table.insert(words, change or nil)
  if (file.added or 0) > 0 then
    table.insert(words, '+' .. file.added)
  end
  if (file.removed or 0) > 0 then
    table.insert(words, '−' .. file.removed)
  end
  return table.concat(words, ' ')
end

--- The changed files in one line; nil if there are none.
---@param question table
---@return string|nil
function M.summary(question)
  local evidence = question.evidence or {}
  local headings = vim.tbl_map(M.heading, evidence.files or {})
  if #headings == 0 then
    return nil
  end
  local shown = vim.list_slice(headings, 1, 3)
  local more = #headings - #shown + (evidence.moreFiles or 0)
  if more > 0 then
    table.insert(shown, ('%d more'):format(more))
  end
  return 'changed: ' .. table.concat(shown, ', ')
end

local function lines_of(text)
  return vim.split(vim.trim(text), '\n')
end

--- A code block whose fence is longer than every one in the text.
local function fenced(lines, language)
  local longest = 2
  for _, line in ipairs(lines) do
    for ticks in line:gmatch('`+') do
      longest = math.max(longest, #ticks)
    end
  end
  local fence = ('`'):rep(longest + 1)
  return vim.iter({ fence .. language, lines, fence }):flatten():totable()
end

--- The question and its evidence as Markdown; no lines if there is nothing to add to the heading.
---@param question table
---@return string[]
function M.lines(question)
  local evidence = question.evidence or {}
  local lines = question_text.details(question)
  if #lines > 0 then
    table.insert(lines, '')
  end
  local output = lines_of(evidence.output or '')
  if output[1] ~= '' or output[2] then
    if #output > OUTPUT_LINES then
      output = vim.list_extend({ '…' }, vim.list_slice(output, #output - OUTPUT_LINES + 1))
    end
    vim.list_extend(lines, fenced(output, 'text'))
  end
  for _, file in ipairs(evidence.files or {}) do
    table.insert(lines, '## ' .. M.heading(file))
    if file.diff and file.diff ~= '' then
      vim.list_extend(lines, fenced(lines_of(file.diff), 'diff'))
    end
  end
  if (evidence.moreFiles or 0) > 0 then
    table.insert(lines, ('…and %d more changed files'):format(evidence.moreFiles))
  end
  if #lines > 0 then
    table.insert(lines, 1, '')
    table.insert(lines, 1, '# ' .. question_text.heading(question))
  end
  return lines
end

local function name_of(run, id)
  return ('attractor-gate://%s/%s'):format(run, id)
end

--- Shows the evidence of an open question in a split until the question is closed.
---@param open {run: string, question: table}
---@return boolean shown false if the question has no evidence
function M.show(open)
  local lines = M.lines(open.question)
  if #lines == 0 then
    return false
  end
  local bufnr, is_new = split.open(name_of(open.run, open.question.id))
  if is_new then
    vim.bo[bufnr].filetype = 'markdown'
    split.set_lines(bufnr, 0, lines)
    for _, window in ipairs(vim.fn.win_findbuf(bufnr)) do
      vim.api.nvim_win_set_cursor(window, { 1, 0 })
    end
  end
  vim.cmd.redraw()
  return true
end

--- Closes the split of a question that was answered or withdrawn.
---@param run string
---@param id string
function M.close(run, id)
  split.close(name_of(run, id))
end

return M
