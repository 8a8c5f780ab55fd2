--- Breaks text into lines of a width: virtual lines are cut at the edge of the window. Pure.
local M = {}

local width_of = vim.fn.strdisplaywidth

--- Breaks one line between words, and words that are longer than a line.
---@param text string
---@param width integer
---@return string[]
local function wrap_line(text, width)
  local lines, line = {}, ''
  for word in text:gmatch('%S+') do
    local joined = line == '' and word or (line .. ' ' .. word)
    if width_of(joined) <= width then
      line = joined
    else
      if line ~= '' then
        table.insert(lines, line)
      end
      while width_of(word) > width do
        local part = vim.fn.strcharpart(word, 0, width)
        table.insert(lines, part)
        word = vim.fn.strcharpart(word, width)
      end
      line = word
    end
  end
  table.insert(lines, line)
  return lines
end

--- The lines of a text; the indentation of a line is kept for its continuations.
---@param text string
---@param width integer
---@return string[]
function M.text(text, width)
  local lines = {}
  for _, line in ipairs(vim.split(text, '\n')) do
    local indent = line:match('^%s*')
    for _, part in ipairs(wrap_line(line, math.max(1, width - #indent))) do
      table.insert(lines, part == '' and '' or indent .. part)
    end
  end
  return lines
end

--- Puts items next to each other if they fit on a line, else each on lines of its own.
---@param items string[]
---@param separator string
---@param width integer
---@return string[]
function M.items(items, separator, width)
  local joined = table.concat(items, separator)
  if width_of(joined) <= width then
    return items[1] and { joined } or {}
  end
  return vim.iter(items):map(function(item)
    return M.text(item, width)
  end):flatten():totable()
end

return M
