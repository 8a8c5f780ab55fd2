--- Draws run state into the buffer: a sign and virtual text at each node, virtual lines under a
--- waiting gate. Marks are redrawn from the state store.
local M = {}

local client = require('attractor.client')
local highlights = require('attractor.highlights')
local question_text = require('attractor.question')
local state = require('attractor.state')
local wrap = require('attractor.wrap')

local namespace = vim.api.nvim_create_namespace('attractor')

--- Lines of a question that are shown; the rest is in its evidence.
local MAX_LINES = 12

--- The columns that text has in every window of a buffer.
local function width_of(bufnr)
  local width = vim.o.columns
  for _, window in ipairs(vim.fn.win_findbuf(bufnr)) do
    width = math.min(width, vim.api.nvim_win_get_width(window) - vim.fn.getwininfo(window)[1].textoff)
  end
  return width
end

--- The question, the files that the run changed, and its choices unless code lenses show them.
---@param question table
---@param width integer
---@return table[] virtual lines
local function gate_lines(question, width)
  local lines = {}
  local function add(texts, group)
    for _, text in ipairs(texts) do
      local prefix = #lines == 0 and '  ? ' or '    '
      table.insert(lines, { { prefix .. text, group } })
    end
  end
  local asked = question.question
  local text = table.concat(vim.list_extend({ question_text.heading(asked) }, question_text.details(asked)), '\n')
  local shown = wrap.text(text, width - 4)
  if #shown > MAX_LINES then
    shown = vim.list_slice(shown, 1, MAX_LINES)
    table.insert(shown, '… :Attractor evidence')
  end
  add(shown, 'AttractorQuestion')
  local changed = require('attractor.evidence').summary(asked)
  if changed then
    add(wrap.text(changed, width - 4), 'AttractorEvidence')
  end
  if not require('attractor.lenses').show_choices() then
    local choices = vim.tbl_map(require('attractor.gates').choice, asked.options or {})
    add(wrap.items(choices, '   ', width - 4), 'AttractorChoice')
  end
  return lines
end

local function set(bufnr, line, options)
  if line < vim.api.nvim_buf_line_count(bufnr) then
    vim.api.nvim_buf_set_extmark(bufnr, namespace, line, 0, options)
  end
end

--- How real a node was: in a dry run nothing is.
local function reality_of(node, run)
  return run.reality == 'dry' and 'dry' or (node.simulated and 'simulated' or 'real')
end

local function draw_node(bufnr, line, node, reality)
  local look = highlights.of(node.state)
  local text = node.summary ~= '' and node.summary or highlights.label(node.state)
  -- An agent that has been silent for long looks like a node that waits.
  local group = node.idleSeconds and highlights.of('waiting').group or look.group
  set(bufnr, line, {
    sign_text = highlights.sign(node.state, reality),
    sign_hl_group = look.group,
    -- The mark is before the text, which may be cut.
    virt_text = { { ('%s%s %s'):format(look.icon, highlights.mark(reality), text), group } },
    virt_text_pos = 'eol',
    hl_mode = 'combine',
  })
end

local function draw_now(bufnr, nodes, run)
  vim.api.nvim_buf_clear_namespace(bufnr, namespace, 0, -1)
  local lines, width = {}, width_of(bufnr)
  for _, node in ipairs(nodes) do
    lines[node.id] = node.range['end'].line
    local live = run.nodes and run.nodes[node.id]
    if live then
      draw_node(bufnr, node.range.start.line, live, reality_of(live, run))
    end
  end
  for _, question in ipairs(state.questions_of(vim.uri_from_bufnr(bufnr))) do
    set(bufnr, lines[question.question.node] or question.range['end'].line, { virt_lines = gate_lines(question, width) })
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
    -- The run may have ended meanwhile, or its server.
    local now = state.runs[run.run]
    if now and vim.api.nvim_buf_is_loaded(bufnr) then
      draw_now(bufnr, graph.nodes, now)
    end
  end, bufnr, function()
    -- A text that is being changed may not have the graph.
    return true
  end)
end

--- Redraws the gates in windows whose width has changed.
---@param windows integer[]
function M.resized(windows)
  for _, window in ipairs(windows) do
    local bufnr = vim.api.nvim_win_is_valid(window) and vim.api.nvim_win_get_buf(window)
    if bufnr and #state.questions_of(vim.uri_from_bufnr(bufnr)) > 0 then
      M.draw(bufnr)
    end
  end
end

---@param bufnr integer
function M.clear(bufnr)
  vim.api.nvim_buf_clear_namespace(bufnr, namespace, 0, -1)
end

return M
