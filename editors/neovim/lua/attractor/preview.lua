--- `:Attractor preview`: the pipeline as Graphviz draws it, from DOT that the server writes from
--- its tree. With the program `dot` an SVG opens in the system's viewer; without it the clean DOT
--- opens in a split.
local M = {}

local client = require('attractor.client')

local function show_text(dot)
  vim.cmd('vertical new')
  vim.bo.buftype, vim.bo.bufhidden, vim.bo.filetype = 'nofile', 'wipe', ''
  vim.api.nvim_buf_set_lines(0, 0, -1, false, vim.split(dot, '\n'))
  vim.bo.modifiable = false
end

local function show_svg(dot)
  local file = vim.fn.tempname() .. '.svg'
  vim.system({ 'dot', '-Tsvg', '-o', file }, { stdin = dot, timeout = 10000 }, function(done)
    vim.schedule(function()
      if done.code == 0 then
        local viewer, problem = vim.ui.open(file)
        if not viewer then
          client.notify(('no viewer for SVG (%s); the picture is %s'):format(problem or '?', file), vim.log.levels.WARN)
          show_text(dot)
        end
      else
        client.notify('dot could not draw the graph: ' .. vim.trim(done.stderr or ''), vim.log.levels.WARN)
        show_text(dot)
      end
    end)
  end)
end

---@param name string|nil which graph of the buffer; nil: the first
function M.open(name)
  client.execute('attractor.graph', { uri = vim.uri_from_bufnr(0), graph = name }, function(graph)
    if vim.fn.executable('dot') == 1 then
      show_svg(graph.dot)
    else
      show_text(graph.dot)
    end
  end, 0)
end

return M
