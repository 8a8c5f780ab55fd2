--- One line about the newest run of a buffer, for status lines. Pure reading of the state store.
local M = {}

local highlights = require('attractor.highlights')
local state = require('attractor.state')

--- What a person wants to hear of first.
local URGENT = { 'waiting', 'retrying', 'running' }

--- The most urgent live node of a run: its id and state.
local function current(run)
  for _, wanted in ipairs(URGENT) do
    for id, node in vim.spairs(run.nodes or {}) do
      if node.state == wanted then
        return id, wanted
      end
    end
  end
  return run.graph, run.state
end

--- `● implement` while a run is alive, `? review` while it waits, `✓ succeeded` after it, '' where
--- there is none.
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
