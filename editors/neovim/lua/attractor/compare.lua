--- `:Attractor compare`: the version of a commit next to the buffer, with only what means something else marked in both.
local M = {}

local client = require('attractor.client')
local split = require('attractor.split')

local namespace = vim.api.nvim_create_namespace('attractor.compare')

--- Marks the places of changes, each with its words after the line.
---@param bufnr integer
---@param changes table[]
---@param field 'range'|'oldRange'
---@param group string
local function mark(bufnr, changes, field, group)
  vim.api.nvim_buf_clear_namespace(bufnr, namespace, 0, -1)
  for _, change in ipairs(changes) do
    local range = change[field]
    if range then
      local words = ('%s %s'):format(change.mark, change.title)
      vim.api.nvim_buf_set_extmark(bufnr, namespace, range.start.line, M.column(bufnr, range.start), {
        end_row = range['end'].line,
        end_col = M.column(bufnr, range['end']),
        strict = false,
        hl_group = group,
        virt_text = { { '  ' .. words, change.effect and 'DiagnosticWarn' or 'DiagnosticInfo' } },
        virt_text_hide = true,
      })
    end
  end
end

--- The byte of a position of the server in its line.
---@param bufnr integer
---@param position {line: integer, character: integer}
---@return integer
function M.column(bufnr, position)
  local line = vim.api.nvim_buf_get_lines(bufnr, position.line, position.line + 1, false)[1] or ''
  local encoding = (client.of() or {}).offset_encoding or 'utf-16'
  if encoding == 'utf-8' then
    return math.min(position.character, #line)
  end
  if vim.fn.has('nvim-0.11') == 1 then
    return vim.str_byteindex(line, encoding, position.character, false)
  end
  local found, column = pcall(vim.str_byteindex, line, position.character, encoding == 'utf-16')
  return found and column or #line
end

--- Opens the old text left of the buffer.
---@param result table
---@param name string
---@return integer
local function open_old(result, name)
  split.close(name)
  vim.cmd('leftabove vsplit')
  local bufnr = vim.api.nvim_create_buf(false, true)
  split.prepare(bufnr)
  vim.api.nvim_win_set_buf(0, bufnr)
  vim.api.nvim_buf_set_name(bufnr, name)
  split.set_lines(bufnr, 0, vim.split(result.oldText, '\r?\n'))
  -- Colours without a language server: it is not a file.
  vim.bo[bufnr].syntax = 'dot'
  vim.cmd('wincmd p')
  return bufnr
end

--- Removes the marks of a buffer when its text changes, or when the old version is closed.
---@param bufnr integer
---@param old integer
local function forget_in_time(bufnr, old)
  local group = vim.api.nvim_create_augroup('attractor.compare', { clear = true })
  local forget = function()
    if vim.api.nvim_buf_is_valid(bufnr) then
      vim.api.nvim_buf_clear_namespace(bufnr, namespace, 0, -1)
    end
    vim.api.nvim_clear_autocmds({ group = group })
  end
  vim.api.nvim_create_autocmd('BufWipeout', { group = group, buffer = old, callback = vim.schedule_wrap(forget) })
  vim.api.nvim_create_autocmd({ 'TextChanged', 'TextChangedI' }, { group = group, buffer = bufnr, callback = forget })
end

--- Compares the buffer with a commit.
---@param revision string|nil as Git names it; `HEAD` without it
function M.open(revision)
  local bufnr = vim.api.nvim_get_current_buf()
  local argument = { uri = vim.uri_from_bufnr(bufnr), rev = revision }
  local what = revision or 'the last commit'
  client.execute('attractor.semanticDiff', argument, function(result)
    local file = vim.fn.fnamemodify(vim.api.nvim_buf_get_name(bufnr), ':t')
    if not result.oldText then
      return client.notify(('%s is not in %s'):format(file, what))
    end
    if result.status == 'unchanged' then
      return client.notify(('%s means the same as in %s'):format(file, what))
    end
    local old = open_old(result, ('attractor-revision://%s/%s'):format(result.commit:sub(1, 10), file))
    mark(old, result.changes, 'oldRange', 'DiffDelete')
    mark(bufnr, result.changes, 'range', 'DiffAdd')
    forget_in_time(bufnr, old)
    local effects = #vim.tbl_filter(function(change)
      return change.effect
    end, result.changes)
    local said = ('%d change%s of meaning since %s'):format(#result.changes, #result.changes == 1 and '' or 's', what)
    client.notify(effects > 0 and ('%s, %d of what it may do or cost'):format(said, effects) or said)
  end, bufnr)
end

return M
