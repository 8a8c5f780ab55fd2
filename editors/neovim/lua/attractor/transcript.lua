--- Formats engine events as lines of a transcript. Pure.
local M = {}

local function seconds(ms)
  return ms and (' in %.1f s'):format(ms / 1000) or ''
end

local function place(event)
  local again = (event.visit or 1) > 1 and (' (visit %d)'):format(event.visit) or ''
  local branch = event.branch and (' [%s]'):format(event.branch) or ''
  return (event.node or '?') .. branch .. again
end

--- Arguments of a tool call that say what it is about, the most telling first.
local SUBJECTS = { 'command', 'path', 'pattern', 'query', 'url', 'question', 'task', 'message', 'name' }

--- Lines of a tool's output, or of a difference, that are shown.
local MAX_LINES = 12

local function prefixed(text, prefix)
  local lines = vim.split((text:gsub('\n$', '')), '\n')
  return vim.tbl_map(function(line)
    return prefix .. line
  end, lines)
end

local function shortened(lines)
  if #lines <= MAX_LINES + 1 then
    return lines
  end
  local shown = vim.list_slice(lines, 1, MAX_LINES)
  table.insert(shown, ('    … %d more lines'):format(#lines - MAX_LINES))
  return shown
end

--- `→ edit_file src/a.lua`, and what it changes as lines of a difference.
local function call(event)
  local arguments = type(event.arguments) == 'table' and event.arguments or {}
  local subject = ''
  for _, name in ipairs(SUBJECTS) do
    if type(arguments[name]) == 'string' then
      subject = ' ' .. vim.split(arguments[name], '\n')[1]
      break
    end
  end
  local lines = { ('→ %s%s'):format(event.tool_name, subject) }
  if arguments.patch then
    vim.list_extend(lines, shortened(prefixed(arguments.patch, '    ')))
  elseif arguments.old_string or arguments.new_string then
    vim.list_extend(lines, shortened(prefixed(arguments.old_string or '', '    - ')))
    vim.list_extend(lines, shortened(prefixed(arguments.new_string or '', '    + ')))
  elseif arguments.content then
    vim.list_extend(lines, shortened(prefixed(arguments.content, '    + ')))
  end
  return table.concat(lines, '\n')
end

local function result(event)
  local output = vim.trim(event.output or '')
  local sign = event.is_error and '✗' or '←'
  if not output:find('\n') then
    return ('%s %s'):format(sign, output == '' and 'nothing' or output)
  end
  local lines = prefixed(output, '    ')
  return table.concat(vim.list_extend({ ('%s %d lines'):format(sign, #lines) }, shortened(lines)), '\n')
end

--- `✗ hook no-push before shell: refused, exit code 1`, and what it wrote.
local function hook(event)
  local passed = event.outcome == 'passed'
  local code = (event.exit_code or 0) ~= 0 and (', exit code %d'):format(event.exit_code) or ''
  local line = ('%s hook %s %s %s: %s%s'):format(
    passed and '✓' or '✗',
    event.hook or '',
    event.when or '',
    event.tool_name or 'tool',
    event.outcome or 'ended',
    code
  )
  local output = vim.trim(event.output or '')
  if output == '' then
    return line
  end
  return table.concat(vim.list_extend({ line }, shortened(prefixed(output, '    '))), '\n')
end

--- `· gpt-6-luna · 1.2 k tokens · $0.01 in 3.2 s`.
local function model_call(event)
  local usage = event.usage or {}
  local tokens = (usage.input_tokens or 0) + (usage.output_tokens or 0)
  local parts = { event.model or 'model' }
  if tokens > 0 then
    table.insert(parts, tokens < 1000 and ('%d tokens'):format(tokens) or ('%.1f k tokens'):format(tokens / 1000))
  end
  if (usage.cost or 0) > 0 then
    table.insert(parts, ('$%.2f'):format(usage.cost))
  end
  return ('· %s%s'):format(table.concat(parts, ' · '), seconds(event.duration_ms))
end

local function options_of(question)
  local labels = {}
  for _, option in ipairs(question.options or {}) do
    table.insert(labels, option.label)
  end
  return #labels > 0 and (' ' .. table.concat(labels, ' · ')) or ''
end

---@type table<string, fun(event: table): string|nil>
local LINES = {
  pipeline_started = function(e)
    return ('▶ %s%s'):format(e.name or e.pipeline or 'run', require('attractor.highlights').mark(e.reality))
  end,
  pipeline_completed = function(e)
    return ('✓ succeeded%s'):format(seconds(e.duration_ms))
  end,
  pipeline_failed = function(e)
    return ('✗ failed%s: %s'):format(seconds(e.duration_ms), e.reason or e.error or '')
  end,
  pipeline_cancelled = function(e)
    return '■ cancelled' .. (e.by and ' by ' .. e.by or '')
  end,
  pipeline_interrupted = function(e)
    return '■ interrupted' .. (e.by and ': ' .. e.by or '')
  end,
  pipeline_resumed = function()
    return '⟲ resumed'
  end,
  stage_started = function(e)
    return ('● %s%s'):format(place(e), (e.attempt or 1) > 1 and (' attempt %d'):format(e.attempt) or '')
  end,
  stage_rerun = function(e)
    return ('↻ %s runs again: its outcome before the interruption is unknown'):format(place(e))
  end,
  stage_completed = function(e)
    local notes = e.notes and e.notes ~= '' and ('  ' .. e.notes) or ''
    return ('✓ %s %s%s%s'):format(place(e), e.status or 'success', seconds(e.duration_ms), notes)
  end,
  stage_failed = function(e)
    return ('✗ %s: %s%s'):format(place(e), e.reason or '', e.will_retry and ' (will retry)' or '')
  end,
  stage_output = function(e)
    return e.stream == 'thinking' and table.concat(prefixed(e.text, '┆ '), '\n') or e.text
  end,
  ['agent.tool_call_start'] = call,
  ['agent.tool_call_end'] = result,
  ['agent.tool_hook'] = hook,
  ['agent.model_call'] = model_call,
  steering_injected = function(e)
    return ('↪ %s: %s — %s'):format(e.to, e.message, e.by)
  end,
  edge_selected = function(e)
    local why = e.condition or e.label
    return ('→ %s%s'):format(e.to, why and ('  [%s]'):format(why) or '')
  end,
  verification = function(e)
    return ('%s check %s'):format(e.passed and '✓' or '✗', e.check)
  end,
  interview_started = function(e)
    return ('? %s: %s%s'):format(place(e), e.question.text or '', options_of(e.question))
  end,
  interview_completed = function(e)
    return ('  answered %s by %s'):format(e.text or e.answer, e.by or '?')
  end,
  interview_timeout = function(e)
    return '  no answer in time' .. (e.default and ', default: ' .. e.default or '')
  end,
  goal_gate_unmet = function(e)
    return '✗ goal gates unmet: ' .. table.concat(e.unmet or {}, ', ')
  end,
  validation_warning = function(e)
    return ('! line %d: %s'):format(e.line, e.message)
  end,
  budget_warning = function(e)
    return ('! budget %s: %s of %s used'):format(e.limit, e.used, e.allowed)
  end,
  escalated = function(e)
    return ('▲ escalated (%s): %s'):format(e.level, e.reason)
  end,
}

--- The lines of one event of a node, `GRAPH/NODE` in a sub-pipeline, without the time; none for other events.
---@param event table
---@param node string
---@return string[]
function M.node_lines(event, node)
  local own = event.node or (event.type == 'edge_selected' and event.from) or nil
  own = own and event.graph and (event.graph .. '/' .. own) or own
  if own ~= node and not (event.type == 'steering_injected' and event.to == node) then
    return {}
  end
  local line = LINES[event.type]
  local text = line and line(event)
  return text and vim.split((text:gsub('\n$', '')), '\n') or {}
end

--- The lines of one event; none for events that are not shown.
---@param event table
---@return string[]
function M.lines(event)
  local line = LINES[event.type]
  local text = line and line(event)
  if not text then
    return {}
  end
  local time = (event.time or ''):match('T(%d%d:%d%d:%d%d)') or ''
  local lines = vim.split(text:gsub('\n$', ''), '\n')
  local indent = event.type == 'stage_output' and '  │ ' or ''
  for index, part in ipairs(lines) do
    lines[index] = ('%s  %s%s'):format(index == 1 and time or (' '):rep(#time), indent, part)
  end
  return lines
end

return M
