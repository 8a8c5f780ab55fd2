--- Draws run state into the buffer: a sign and virtual text at each node, virtual lines under a
--- waiting gate. Marks are redrawn from the state store.
local M = {}

local client = require('attractor.client')
local highlights = require('attractor.highlights')
local state = require('attractor.state')

local namespace = vim.api.nvim_create_namespace('attractor')

--- The question, the files that the run changed, and its choices unless code lenses show them.
local function gate_lines(question)
  local lines = { { { '  ? ' .. question.question.text, 'AttractorQuestion' } } }
  local changed = require('attractor.evidence').summary(question.question)
  if changed then
    table.insert(lines, { { '    ' .. changed, 'AttractorEvidence' } })
  end
  if require('attractor.config').get().codelens then
    return lines
  end
  local choices = {}
  for _, option in ipairs(question.question.options or {}) do
    table.insert(choices, { '  ' .. require('attractor.gates').choice(option), 'AttractorChoice' })
  end
  if #choices > 0 then
    table.insert(lines, choices)
  end
  return lines
end

local function set(bufnr, line, options)
  if line < vim.api.nvim_buf_line_count(bufnr) then
    vim.api.nvim_buf_set_extmark(bufnr, namespace, line, 0, options)
  end
end

local function draw_node(bufnr, line, node)
  local look = highlights.of(node.state)
  local text = node.summary or node.state
  -- An agent that has been silent for long looks like a node that waits.
  local group = node.idleSeconds and highlights.of('waiting').group or look.group
  set(bufnr, line, {
    sign_text = look.icon,
    sign_hl_group = look.group,
    virt_text = { { ('%s %s'):format(look.icon, text), group } },
    virt_text_pos = 'eol',
    hl_mode = 'combine',
  })
end

local function draw_now(bufnr, nodes, run)
  vim.api.nvim_buf_clear_namespace(bufnr, namespace, 0, -1)
  for _, node in ipairs(nodes) do
    local live = run.nodes and run.nodes[node.id]
    if live and live.state ~= 'pending' then
      draw_node(bufnr, node.range.start.line, live)
    end
  end
  for _, question in ipairs(state.questions_of(vim.uri_from_bufnr(bufnr))) do
    set(bufnr, question.range['end'].line, { virt_lines = gate_lines(question) })
  end
end

--- Redraws a buffer from the newest run of its file. The server provides the ranges of the nodes.
---@param bufnr integer
function M.draw(bufnr)
  if not require('attractor.config').get().marks then
    return
  end
  local uri = vim.uri_from_bufnr(bufnr)
  local run = state.of_uri(uri)[1]
  if not run then
    return
  end
  client.execute('attractor.graph', { uri = uri, graph = run.graph }, function(graph)
    if vim.api.nvim_buf_is_loaded(bufnr) then
      draw_now(bufnr, graph.nodes, run)
    end
  end, bufnr)
end

---@param bufnr integer
function M.clear(bufnr)
  vim.api.nvim_buf_clear_namespace(bufnr, namespace, 0, -1)
end

return M
