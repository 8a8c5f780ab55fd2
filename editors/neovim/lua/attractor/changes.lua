--- What a node of a run changed in the files: as a diff in a split, and undoing it.
local M = {}

local client = require('attractor.client')
local split = require('attractor.split')

local function target_name(target)
  return target.node or 'the run'
end

local function set_diff(bufnr, result)
  local lines = {}
  for _, file in ipairs(result.files) do
    local diff = file.diff or (file.path .. ' differs (not text, or not stored)')
    vim.list_extend(lines, vim.split(vim.trim(diff), '\n'))
  end
  vim.bo[bufnr].filetype = 'diff'
  split.set_lines(bufnr, 0, lines)
end

--- Opens the diffs of a run, or of one of its nodes.
---@param target {run: string, node: string|nil, visit: integer|nil}
function M.show(target)
  local argument = { run = target.run, node = target.node, visit = target.visit }
  client.execute('attractor.diff', argument, function(result)
    if #result.files == 0 then
      return client.notify(target_name(target) .. ' changed no files')
    end
    local name = ('attractor-diff://%s/%s@%d'):format(target.run, target.node or '', result.visit)
    set_diff(split.open(name), result)
  end)
end

--- Fills a buffer with such diffs.
---@param bufnr integer
---@param target {run: string, node: string|nil, visit: integer|nil}
function M.fill(bufnr, target)
  client.execute('attractor.diff', target, function(result)
    if vim.api.nvim_buf_is_valid(bufnr) then
      set_diff(bufnr, result)
    end
  end)
end

--- Undoes the changes after a confirmation that names the files.
---@param target {run: string, node: string|nil, visit: integer|nil}
function M.revert(target)
  local argument = { run = target.run, node = target.node, visit = target.visit }
  client.execute('attractor.diff', argument, function(result)
    local root, names = vim.uri_to_fname(result.root), {}
    for _, file in ipairs(result.files) do
      local bufnr = vim.fn.bufnr(vim.fs.normalize(root .. '/' .. file.path))
      if bufnr > 0 and vim.bo[bufnr].modified then
        client.notify(('write or undo your edits of %s first: reverting would lose them'):format(file.path), vim.log.levels.ERROR)
        return
      end
      table.insert(names, file.path)
    end
    vim.ui.select({ 'Revert', 'Cancel' }, {
      prompt = ('Revert what %s changed in %s?'):format(target_name(target), table.concat(names, ', ')),
      kind = 'attractor',
    }, function(choice)
      if choice ~= 'Revert' then
        return
      end
      argument.visit = target.node and result.visit or nil
      client.execute('attractor.revert', argument, function(reverted)
        if reverted.refused then
          client.notify('nothing was reverted: ' .. (reverted.why or 'the files have changed since'), vim.log.levels.ERROR)
          return
        end
        local count = #reverted.restored + #reverted.removed
        client.notify(('%d file%s reverted'):format(count, count == 1 and '' or 's'))
        vim.cmd.checktime()
      end)
    end)
  end)
end

--- Calls `action` with a node of the newest run of this file (nil: the whole run).
local function with_newest(node, action)
  require('attractor.run').list(function(runs)
    if runs[1] then
      action({ run = runs[1].run, node = node })
    else
      client.notify('no runs of this file')
    end
  end)
end

--- `:Attractor diff [node]`.
---@param node string|nil
function M.diff_of_newest(node)
  with_newest(node, M.show)
end

--- `:Attractor revert [node]`.
---@param node string|nil
function M.revert_newest(node)
  with_newest(node, M.revert)
end

return M
