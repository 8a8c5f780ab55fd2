--- Messages to nodes that run.
local M = {}

local client = require('attractor.client')
local state = require('attractor.state')

--- The nodes at work in the live runs of all files.
local function running()
  local found = {}
  for _, run in ipairs(state.all_live()) do
    for node, snapshot in pairs(run.nodes or {}) do
      if snapshot.state == 'running' then
        table.insert(found, { run = run.run, node = node, graph = run.graph })
      end
    end
  end
  return found
end

local function send(target, message)
  if not message or vim.trim(message) == '' then
    return
  end
  client.execute('attractor.steer', { run = target.run, node = target.node, message = message }, function()
    client.notify(target.node .. ' has the message')
  end)
end

--- Sends a message to a node; asks for it without one.
---@param target {run: string, node: string}
---@param message string|nil
function M.to(target, message)
  if message then
    return send(target, message)
  end
  vim.ui.input({ prompt = ('Message to %s: '):format(target.node) }, function(text)
    send(target, text)
  end)
end

--- `:Attractor steer [node] [message]`.
---@param node string|nil nil: the node at work, or the one that is chosen
---@param message string|nil
function M.start(node, message)
  local targets = vim.tbl_filter(function(target)
    return not node or target.node == node
  end, running())
  if #targets == 0 then
    client.notify(node and (node .. ' is not at work') or 'no node is at work')
  elseif #targets == 1 then
    M.to(targets[1], message)
  else
    vim.ui.select(targets, {
      prompt = 'Select a node',
      kind = 'attractor',
      format_item = function(target)
        return ('%s  %s'):format(target.node, target.graph)
      end,
    }, function(target)
      if target then
        M.to(target, message)
      end
    end)
  end
end

return M
