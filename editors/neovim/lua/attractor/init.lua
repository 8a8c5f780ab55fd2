--- The public Lua API: `setup`, `run`, `statusline`. All other modules are internal.
local M = {}

--- Optional. The same keys as `vim.g.attractor`; see `:help attractor-config`.
---@param options table|nil
function M.setup(options)
  require('attractor.config').set(options)
end

--- Runs the pipeline of the current buffer. See `:help attractor-commands`.
---@param options {graph: string|nil, mode: string|nil}|nil
function M.run(options)
  require('attractor.run').start(options or {})
end

--- A short text for the status line: the newest live run of the current buffer, or ''.
---@return string
function M.statusline()
  return require('attractor.statusline').text(vim.api.nvim_get_current_buf())
end

return M
