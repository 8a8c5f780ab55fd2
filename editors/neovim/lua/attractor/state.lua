--- The store of runs and open questions. Updated only by messages of the server, and when it ends; read by all other
--- modules. Announces changes as `User` autocommands.
local M = {}

---@type table<string, table> run id -> the newest `attractor/runState`, with the id of its `client`
M.runs = {}
---@type table<string, table> run id .. ' ' .. question id -> the `attractor/question`, with the id of its `client`
M.questions = {}

local order = {}

local function announce(pattern, data)
  vim.api.nvim_exec_autocmds('User', { pattern = pattern, data = data, modeline = false })
end

local function key(run, question)
  return run .. ' ' .. question
end

--- Stores an `attractor/runState` snapshot. The first snapshot of a new run is live; a run whose first snapshot is not
--- live ended earlier, and nothing is announced for it.
function M.update(snapshot)
  local before = M.runs[snapshot.run]
  M.runs[snapshot.run] = snapshot
  if not before then
    table.insert(order, snapshot.run)
    if not M.live(snapshot) then
      return
    end
    announce('AttractorRunStarted', snapshot)
  end
  for id, node in pairs(snapshot.nodes or {}) do
    local old = before and before.nodes and before.nodes[id]
    if not old or old.state ~= node.state or old.visit ~= node.visit then
      announce('AttractorNodeChanged', { run = snapshot.run, node = id, state = node.state })
    end
  end
  if not M.live(snapshot) then
    for _, question in pairs(vim.deepcopy(M.questions)) do
      if question.run == snapshot.run then
        M.close({ run = question.run, question = question.question.id })
      end
    end
    if before and M.live(before) then
      announce('AttractorRunEnded', snapshot)
    end
  end
end

--- Removes the runs and questions that a client sent.
---@param client_id integer
---@return string[] uris of the files that showed them
function M.forget(client_id)
  local uris = {}
  for _, question in pairs(vim.deepcopy(M.questions)) do
    if question.client == client_id then
      uris[question.uri] = true
      M.close({ run = question.run, question = question.question.id })
    end
  end
  for id, run in pairs(vim.deepcopy(M.runs)) do
    if run.client == client_id then
      uris[run.uri] = true
      M.runs[id] = nil
    end
  end
  order = vim.tbl_filter(function(id)
    return M.runs[id] ~= nil
  end, order)
  return vim.tbl_keys(uris)
end

function M.open(question)
  M.questions[key(question.run, question.question.id)] = question
  announce('AttractorGateOpened', question)
end

function M.close(closed)
  M.questions[key(closed.run, closed.question)] = nil
  announce('AttractorGateClosed', closed)
end

---@param snapshot table
---@return boolean
function M.live(snapshot)
  return snapshot.state == 'running' or snapshot.state == 'waiting'
end

--- Live runs of all files.
---@return table[]
function M.all_live()
  return vim.tbl_filter(M.live, vim.tbl_values(M.runs))
end

--- Runs of a file, newest first.
---@param uri string
---@return table[]
function M.of_uri(uri)
  local found = {}
  for i = #order, 1, -1 do
    local run = M.runs[order[i]]
    if run.uri == uri then
      table.insert(found, run)
    end
  end
  return found
end

--- Open questions of a file, in the order of their lines.
---@param uri string
---@return table[]
function M.questions_of(uri)
  local found = {}
  for _, question in pairs(M.questions) do
    if question.uri == uri then
      table.insert(found, question)
    end
  end
  table.sort(found, function(a, b)
    return a.range.start.line < b.range.start.line
  end)
  return found
end

return M
