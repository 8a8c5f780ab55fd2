--- Highlight groups and icons of node states, shared by marks and lists.
local M = {}

---@type table<string, {icon: string, group: string, link: string}>
M.states = {
  running = { icon = '●', group = 'AttractorRunning', link = 'DiagnosticInfo' },
  waiting = { icon = '?', group = 'AttractorWaiting', link = 'DiagnosticWarn' },
  pending = { icon = '↻', group = 'AttractorRetrying', link = 'DiagnosticWarn' },
  success = { icon = '✓', group = 'AttractorSucceeded', link = 'DiagnosticOk' },
  fail = { icon = '✗', group = 'AttractorFailed', link = 'DiagnosticError' },
  partial_success = { icon = '◐', group = 'AttractorPartlySucceeded', link = 'DiagnosticOk' },
  skipped = { icon = '–', group = 'AttractorSkipped', link = 'Comment' },
  cancelled = { icon = '■', group = 'AttractorCancelled', link = 'DiagnosticWarn' },
  paused = { icon = '⏸', group = 'AttractorPaused', link = 'DiagnosticWarn' },
  interrupted = { icon = '⏸', group = 'AttractorInterrupted', link = 'DiagnosticWarn' },
  invalid = { icon = '✗', group = 'AttractorFailed', link = 'DiagnosticError' },
  escalated = { icon = '▲', group = 'AttractorEscalated', link = 'DiagnosticError' },
}

--- A state of a newer server.
local UNKNOWN = { icon = '·', group = 'AttractorPending', link = 'Comment' }

---@param state string
---@return {icon: string, group: string}
function M.of(state)
  return M.states[state] or UNKNOWN
end

--- The words shown where they differ from those of the server.
local LABELS = { pending = 'retrying', success = 'succeeded', partial_success = 'partly succeeded', fail = 'failed' }

--- The state for display.
---@param state string
---@return string
function M.label(state)
  return LABELS[state] or state
end

local MARKS = { mixed = 'partly simulated', simulated = 'simulated', dry = 'dry run' }

--- ` (simulated)` behind the state of a run or a node that is not real.
---@param reality string|nil
---@return string
function M.mark(reality)
  local mark = MARKS[reality]
  return mark and (' (%s)'):format(mark) or ''
end

--- The second cell of the sign of a node that did not really run.
local UNREAL_SIGN = '~'

--- The sign of a state: `✓`, or `✓~` if it was simulated.
---@param state string
---@param reality string|nil
---@return string
function M.sign(state, reality)
  return M.of(state).icon .. (MARKS[reality] and UNREAL_SIGN or '')
end

--- What a line of a transcript means; others have no color.
local ROLES = {
  start = 'AttractorRunning',
  success = 'AttractorSucceeded',
  failure = 'AttractorFailed',
  attention = 'AttractorWaiting',
  dialogue = 'AttractorQuestion',
  thinking = 'AttractorEvidence',
  more = 'AttractorEvidence',
  choices = 'AttractorChoice',
  added = 'Added',
  removed = 'Removed',
}

local transcripts = vim.api.nvim_create_namespace('attractor.transcript')

--- Colors lines of a transcript by their roles.
---@param bufnr integer
---@param first integer the row of the first line
---@param lines attractor.Line[]
function M.lines(bufnr, first, lines)
  for index, line in ipairs(lines) do
    local group = ROLES[line.role]
    if group and line.text ~= '' then
      local row = first + index - 1
      vim.api.nvim_buf_set_extmark(bufnr, transcripts, row, 0, { end_col = #line.text, hl_group = group })
    end
  end
end

function M.define()
  for _, row in pairs(M.states) do
    vim.api.nvim_set_hl(0, row.group, { link = row.link, default = true })
  end
  vim.api.nvim_set_hl(0, 'AttractorQuestion', { link = 'DiagnosticWarn', default = true })
  vim.api.nvim_set_hl(0, 'AttractorEvidence', { link = 'Comment', default = true })
  vim.api.nvim_set_hl(0, 'AttractorChoice', { link = 'Special', default = true })
end

return M
