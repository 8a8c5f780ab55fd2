--- Highlight groups and icons of node states, shared by marks and lists.
local M = {}

---@type table<string, {icon: string, group: string, link: string}>
M.states = {
  pending = { icon = '·', group = 'AttractorPending', link = 'Comment' },
  running = { icon = '●', group = 'AttractorRunning', link = 'DiagnosticInfo' },
  waiting = { icon = '?', group = 'AttractorWaiting', link = 'DiagnosticWarn' },
  retrying = { icon = '↻', group = 'AttractorRetrying', link = 'DiagnosticWarn' },
  succeeded = { icon = '✓', group = 'AttractorSucceeded', link = 'DiagnosticOk' },
  failed = { icon = '✗', group = 'AttractorFailed', link = 'DiagnosticError' },
  skipped = { icon = '–', group = 'AttractorSkipped', link = 'Comment' },
  cancelled = { icon = '■', group = 'AttractorCancelled', link = 'DiagnosticWarn' },
  escalated = { icon = '▲', group = 'AttractorEscalated', link = 'DiagnosticError' },
}

---@param state string
---@return {icon: string, group: string}
function M.of(state)
  return M.states[state] or M.states.pending
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
