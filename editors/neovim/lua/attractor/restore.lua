--- Fills the buffers of a restored session: transcripts, logs, reports and diffs are read again by their names.
local M = {}

---@type table<string, fun(bufnr: integer, rest: string)> scheme -> reads what the rest of the name says
local READERS = {
  ['attractor-run'] = function(bufnr, rest)
    local run, node = rest:match('^([^/]+)/(.+)$')
    require('attractor.log').fill(bufnr, { run = run or rest, node = node })
  end,
  ['attractor-log'] = function(bufnr, rest)
    require('attractor.log').follow_file(bufnr, rest)
  end,
  ['attractor-report'] = function(bufnr, rest)
    require('attractor.client').when_ready(function()
      require('attractor.run').fill_report(bufnr, rest)
    end)
  end,
  ['attractor-diff'] = function(bufnr, rest)
    local run, node, visit = rest:match('^([^/]+)/(.*)@(%d+)$')
    require('attractor.client').when_ready(function()
      local target = { run = run, node = node ~= '' and node or nil, visit = node ~= '' and tonumber(visit) or nil }
      require('attractor.changes').fill(bufnr, target)
    end)
  end,
}

--- Fills a buffer, unless it was filled already; the evidence of a question, which may be closed by now, is removed.
---@param bufnr integer
function M.read(bufnr)
  if vim.bo[bufnr].buftype == 'nofile' then
    return
  end
  local scheme, rest = vim.api.nvim_buf_get_name(bufnr):match('^([%w-]+)://(.*)$')
  require('attractor.split').prepare(bufnr)
  local reader = READERS[scheme]
  if reader then
    return reader(bufnr, rest)
  end
  vim.schedule(function()
    vim.api.nvim_buf_delete(bufnr, { force = true })
  end)
end

return M
