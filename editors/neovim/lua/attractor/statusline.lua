--- Status line text for the newest run of a buffer. Reads only the state store.
local M = {}

local highlights = require('attractor.highlights')
local state = require('attractor.state')

--- Node states by priority.
local PRIORITY = { 'waiting', 'retrying', 'running' }

--- The active node with the highest priority: its id and state.
local function current(run)
  for _, wanted in ipairs(PRIORITY) do
    for id, node in vim.spairs(run.nodes or {}) do
      if node.state == wanted then
        return id, wanted
      end
    end
  end
  return run.graph, run.state
end

--- `● implement` for a live run, `? review` while it is waiting, `✓ succeeded` after it has ended, '' if there is
--- none.
---@param bufnr integer
---@return string
function M.text(bufnr)
  local run = state.of_uri(vim.uri_from_bufnr(bufnr))[1]
  if not run then
    return ''
  end
  if not state.live(run) then
    return highlights.of(run.state).icon .. ' ' .. run.state
  end
  local id, now = current(run)
  return highlights.of(now).icon .. ' ' .. id
end

return M
