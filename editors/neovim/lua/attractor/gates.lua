--- Human gates: prompts with `vim.ui.select` and `vim.ui.input` and sends the answer to the server.
local M = {}

local client = require('attractor.client')
local evidence = require('attractor.evidence')
local question_text = require('attractor.question')
local state = require('attractor.state')

local FREE_TEXT = { freeform = true, choiceOrText = true }

--- `[A] Approve`, whether or not the label already contains its key.
---@param option {key: string|nil, label: string}
---@return string
function M.choice(option)
  if not option.key or option.label:find('^%[') then
    return option.label
  end
  return ('[%s] %s'):format(option.key, option.label)
end

local function send(question, answer, text)
  local argument = { run = question.run, question = question.question.id, answer = answer, text = text }
  client.execute('attractor.answer', argument, function(result)
    if not result.accepted then
      client.notify('already answered' .. (result.by and ' by ' .. result.by or ''))
    end
  end)
end

--- Prompts for text: the answer itself, or the text that goes with the option `key`.
local function ask_text(question, key)
  vim.ui.input({ prompt = question_text.heading(question.question) .. ' ' }, function(text)
    if text and text ~= '' then
      send(question, key or text, text)
    end
  end)
end

local function ask_choice(question)
  local options = vim.deepcopy(question.question.options or {})
  if #options == 0 and not FREE_TEXT[question.question.kind] then
    options = { { key = 'yes', label = 'Yes' }, { key = 'no', label = 'No' } }
  end
  if FREE_TEXT[question.question.kind] then
    table.insert(options, { label = '✎ type an answer…' })
  end
  vim.ui.select(options, {
    prompt = question_text.heading(question.question),
    kind = 'attractor',
    format_item = M.choice,
  }, function(option)
    if option and option.key and option.freeform then
      ask_text(question, option.key)
    elseif option and option.key then
      send(question, option.key)
    elseif option then
      ask_text(question)
    end
  end)
end

local function ask_choices(question)
  local prompt = question_text.heading(question.question)
  require('attractor.multi').choose(prompt, question.question.options or {}, M.choice, function(keys)
    send(question, table.concat(keys, ', '))
  end)
end

--- Prompts for the answer to an open question, by the ids of its run and itself.
---@param run string
---@param id string
function M.ask(run, id)
  local question = state.questions[run .. ' ' .. id]
  if not question then
    return client.notify('this question has already been answered')
  end
  evidence.show(question)
  if question.question.kind == 'freeform' then
    ask_text(question)
  elseif question.question.kind == 'multi' then
    ask_choices(question)
  else
    ask_choice(question)
  end
end

--- Calls `action` with the question at the cursor, else with the first open one of the buffer.
local function with_question(bufnr, action)
  local open = state.questions_of(vim.uri_from_bufnr(bufnr))
  local line = vim.api.nvim_win_get_cursor(0)[1] - 1
  local at_cursor = vim.iter(open):find(function(question)
    return question.range.start.line <= line and line <= question.range['end'].line
  end)
  local question = at_cursor or open[1]
  if question then
    action(question)
  else
    client.notify('no gate is waiting in this buffer')
  end
end

--- Prompts for the answer to the first open question of a run.
---@param run string
function M.answer_of(run)
  local open = vim.iter(vim.tbl_values(state.questions)):find(function(question)
    return question.run == run
  end)
  if open then
    M.ask(open.run, open.question.id)
  else
    client.notify('no question of this run is open')
  end
end

--- `:Attractor answer`.
---@param bufnr integer
function M.answer(bufnr)
  with_question(bufnr, function(question)
    M.ask(question.run, question.question.id)
  end)
end

--- `:Attractor evidence`.
---@param bufnr integer
function M.show_evidence(bufnr)
  with_question(bufnr, function(question)
    if not evidence.show(question) then
      client.notify(('%s has no output and no changed files to show'):format(question.question.node))
    end
  end)
end

--- Whether the line of the gate is visible in a window.
local function is_visible(question)
  local line = question.range.start.line + 1
  return vim.iter(vim.fn.win_findbuf(vim.uri_to_bufnr(question.uri))):any(function(window)
    return vim.fn.line('w0', window) <= line and line <= vim.fn.line('w$', window)
  end)
end

--- Called when a gate opens: prompts at once if the option `ask` is set, else shows a message if the gate is not
--- visible.
---@param question table
function M.opened(question)
  if require('attractor.config').get().ask then
    M.ask(question.run, question.question.id)
  elseif not is_visible(question) then
    local place = question.server and (' on ' .. question.server) or ''
    client.notify(('%s%s is waiting: %s'):format(question.question.node, place, question_text.heading(question.question)))
  end
end

return M
