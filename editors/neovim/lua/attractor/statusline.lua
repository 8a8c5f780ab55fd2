--- Status line text for the newest run of a buffer. Reads only the state store.
local M = {}

local highlights = require('attractor.highlights')
local state = require('attractor.state')

--- Node states by priority.
local PRIORITY = { 'waiting', 'pending', 'running' }

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

local problem = nil

--- Stores what is wrong with the server, for example that a server elsewhere cannot be reached; nil: nothing.
---@param message string|nil
function M.set_problem(message)
  problem = message
end

--- What is wrong with the server, for a line of messages or `:checkhealth`; nil: nothing.
---@return string|nil
function M.problem()
  return problem
end

--- `● implement` for a live run, `? review` while it is waiting, `✓ succeeded` after it has ended, '' if there is
--- none; `!` follows while something is wrong with the server.
---@param bufnr integer
---@return string
function M.text(bufnr)
  local text = M.run_text(bufnr)
  return problem and vim.trim(text .. ' !') or text
end

--- The same without problems.
---@param bufnr integer
---@return string
function M.run_text(bufnr)
  local run = state.of_uri(vim.uri_from_bufnr(bufnr))[1]
  if not run then
    return ''
  end
  if not state.live(run) then
    return highlights.of(run.state).icon .. ' ' .. highlights.label(run.state) .. highlights.mark(run.reality)
  end
  local id, now = current(run)
  return highlights.of(now).icon .. ' ' .. id .. highlights.mark(run.reality)
end

return M
