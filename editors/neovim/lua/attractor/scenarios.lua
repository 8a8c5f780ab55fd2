--- Scenario tests: runs the scenarios of a pipeline and lists failures and uncovered edges in the quickfix list.
local M = {}

local client = require('attractor.client')

---@return table a quickfix item
local function item(uri, range, kind, text)
  return {
    filename = vim.uri_to_fname(uri),
    lnum = range.start.line + 1,
    col = range.start.character + 1,
    end_lnum = range['end'].line + 1,
    end_col = range['end'].character + 1,
    type = kind,
    text = text,
  }
end

--- The quickfix items of a result: problems of the file, failures, edges that no scenario takes.
---@param result table
---@return table[]
function M.items(result)
  local items = {}
  for _, problem in ipairs(result.problems) do
    table.insert(items, item(result.uri, problem.range, 'E', problem.message))
  end
  for _, scenario in ipairs(result.scenarios) do
    for _, failure in ipairs(scenario.failures) do
      local why = failure.reason and (': ' .. failure.reason) or ''
      table.insert(items, item(result.uri, failure.range, 'E', ('%s: %s%s'):format(scenario.name, failure.message, why)))
    end
  end
  for _, edge in ipairs(result.coverage and result.coverage.edges or {}) do
    if edge.taken == 0 then
      table.insert(items, item(result.pipeline, edge.range, 'W', ('not covered: %s -> %s'):format(edge.from, edge.to)))
    end
  end
  return items
end

local function summary(result)
  local passed, covered = 0, 0
  for _, scenario in ipairs(result.scenarios) do
    passed = passed + (scenario.passed and 1 or 0)
  end
  local edges = result.coverage and result.coverage.edges or {}
  for _, edge in ipairs(edges) do
    covered = covered + (edge.taken > 0 and 1 or 0)
  end
  return ('%d of %d scenarios passed, %d of %d edges covered'):format(passed, #result.scenarios, covered, #edges)
end

--- The scenario file of a buffer: `release.test.toml` of `release.dot`.
local function scenario_file(bufnr)
  local name = vim.api.nvim_buf_get_name(bufnr)
  return vim.endswith(name, '.test.toml') and name or (vim.fn.fnamemodify(name, ':r') .. '.test.toml')
end

--- Offers to write scenarios for a pipeline without any.
local function offer_to_write(path)
  local name = vim.fs.basename(path)
  local write = ('Write %s with scenarios that cover every edge'):format(name)
  vim.ui.select({ write, 'Cancel' }, {
    prompt = ('%s does not exist.'):format(name),
    kind = 'attractor',
  }, function(choice)
    if choice == write then
      client.execute('attractor.test', { uri = vim.uri_from_bufnr(0), init = true }, function()
        vim.cmd.split(vim.fn.fnameescape(path))
      end, 0)
    end
  end)
end

--- `:Attractor test`: runs the scenarios of this pipeline, or of this scenario file.
function M.run()
  local path = scenario_file(0)
  if not vim.uv.fs_stat(path) and vim.fn.bufnr(path) < 0 then
    return offer_to_write(path)
  end
  client.execute('attractor.test', { uri = vim.uri_from_bufnr(0) }, function(result)
    local items = M.items(result)
    vim.fn.setqflist({}, ' ', { title = 'Attractor scenarios', items = items })
    client.notify(summary(result), #items > 0 and vim.log.levels.WARN or vim.log.levels.INFO)
    if #items > 0 then
      vim.cmd('botright copen')
    else
      vim.cmd.cclose()
    end
  end, 0)
end

return M
