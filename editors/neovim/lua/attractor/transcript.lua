--- The lines of a transcript: the entries that the server sends with events, aligned, each line with what it means. Pure.
local M = {}

---@alias attractor.Line {text: string, role: string}

--- Kinds of entries that begin with their node; others are work within it.
local NAMES_NODE = { line = true, question = true }

--- Fields that every event has.
local ENVELOPE = { type = true, run = true, seq = true, time = true, workflow = true, graph = true }

--- `· stage_started node=fix`: an event of an older server, which does not word it.
local function unworded(event)
  local fields = {}
  for name, value in pairs(event) do
    if not ENVELOPE[name] and (type(value) == 'string' or type(value) == 'number') then
      local text = vim.trim(tostring(value)):gsub('\n', '⏎')
      table.insert(fields, (' %s=%s'):format(name, text))
    end
  end
  table.sort(fields)
  return { { text = '· ' .. event.type .. table.concat(fields), role = 'plain' } }
end

--- What a command or a model wrote, each line after a mark.
local function output(event, mark)
  local text = (event.text or ''):gsub('\n$', '')
  return vim.tbl_map(function(line)
    return { text = mark .. line, role = event.entry.role }
  end, vim.split(text, '\n'))
end

--- `→ edit_file src/a.lua`, and further lines below.
local function worded(entry, node)
  local text = entry.text or ''
  if node and NAMES_NODE[entry.kind] then
    text = text == '' and node or ('%s: %s'):format(node, text)
  end
  local first = table.concat({ entry.glyph, entry.tool and (' ' .. entry.tool) or '', ' ', text })
  local lines = { { text = first, role = entry.role } }
  for _, line in ipairs(entry.lines or {}) do
    table.insert(lines, { text = '    ' .. line.text, role = line.role })
  end
  return lines
end

--- The lines of one event of a node, `GRAPH/NODE` in a sub-pipeline, without the time; none for other events.
---@param event table
---@param node string
---@return attractor.Line[]
function M.node_lines(event, node)
  local entry = event.entry
  if entry == nil then
    local own = event.node and event.graph and (event.graph .. '/' .. event.node) or event.node
    return own == node and unworded(event) or {}
  end
  if entry == vim.NIL or entry.node ~= node then
    return {}
  end
  if entry.kind == 'output' then
    return output(event, entry.role == 'thinking' and entry.glyph .. ' ' or '')
  end
  return worded(entry)
end

--- The lines of one event, the first with its time; none for events that are not shown.
---@param event table
---@return attractor.Line[]
function M.lines(event)
  local entry = event.entry
  local lines
  if entry == vim.NIL then
    return {}
  elseif entry == nil then
    lines = unworded(event)
  elseif entry.kind == 'output' then
    lines = output(event, ('  %s '):format(entry.glyph))
  else
    lines = worded(entry, entry.node)
  end
  local time = (event.time or ''):match('T(%d%d:%d%d:%d%d)') or ''
  for index, line in ipairs(lines) do
    line.text = ('%s  %s'):format(index == 1 and time or (' '):rep(#time), line.text)
  end
  return lines
end

return M
