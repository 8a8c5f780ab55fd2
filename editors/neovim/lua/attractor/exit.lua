--- Prevents `:qa` from silently ending live runs: while a run is live, a modified buffer with its name makes `:qa`
--- fail (E37, E162), as it does for unsaved text. `:qa!` quits, and the runs can be resumed.
local M = {}

local state = require('attractor.state')

local guard = nil

local function name(runs)
  local graphs = vim.tbl_map(function(run)
    return run.graph or run.run
  end, runs)
  return ('attractor://%s still running (use :Attractor cancel, or :qa! to quit and resume later)'):format(
    table.concat(graphs, ', ')
  )
end

local function remove()
  if guard and vim.api.nvim_buf_is_valid(guard) then
    vim.api.nvim_buf_delete(guard, { force = true })
  end
  guard = nil
end

--- Updates the buffer from the live runs.
function M.update()
  -- A run of a server elsewhere continues without this editor.
  local runs = vim.tbl_filter(function(run)
    return not run.server
  end, state.all_live())
  if #runs == 0 then
    return remove()
  end
  if not (guard and vim.api.nvim_buf_is_valid(guard)) then
    guard = vim.api.nvim_create_buf(false, false)
    vim.bo[guard].buftype = 'acwrite'
    vim.bo[guard].bufhidden = 'hide'
    vim.bo[guard].swapfile = false
    -- `:wa` skips it, so that it stays modified while a run is live.
    vim.api.nvim_create_autocmd('BufWriteCmd', { buffer = guard, callback = function() end })
  end
  pcall(vim.api.nvim_buf_set_name, guard, name(runs))
  vim.bo[guard].modified = true
end

return M
