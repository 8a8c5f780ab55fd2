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
    return ('▶ %s%s'):format(e.name or e.pipeline or 'run', e.simulated and ' (models are simulated)' or '')
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
    return e.text
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
  budget_warning = function(e)
    return ('! budget %s: %s of %s used'):format(e.limit, e.used, e.allowed)
  end,
  escalated = function(e)
    return ('▲ escalated (%s): %s'):format(e.level, e.reason)
  end,
}

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
