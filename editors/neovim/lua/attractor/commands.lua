--- The `:Attractor` command: a table of subcommands, its completion, and nothing else.
local M = {}

---@type table<string, {run: fun(argument: string|nil), doc: string}>
M.subcommands = {
  run = {
    doc = 'run the pipeline of this buffer',
    run = function(graph)
      require('attractor.run').start({ graph = graph })
    end,
  },
  ['dry-run'] = {
    doc = 'walk the pipeline; nothing real happens',
    run = function(graph)
      require('attractor.run').start({ graph = graph, mode = 'dryRun' })
    end,
  },
  resume = {
    doc = 'go on with an unfinished run',
    run = function(run)
      require('attractor.run').resume(run)
    end,
  },
  cancel = {
    doc = 'cancel the live run',
    run = function(run)
      require('attractor.run').cancel(run)
    end,
  },
  answer = {
    doc = 'answer the gate at the cursor',
    run = function()
      require('attractor.gates').answer(vim.api.nvim_get_current_buf())
    end,
  },
  preview = {
    doc = 'show the graph',
    run = function()
      require('attractor.preview').open()
    end,
  },
  log = {
    doc = 'open the log of a run, or of one of its nodes',
    run = function(node)
      require('attractor.log').open(node)
    end,
  },
  runs = {
    doc = 'choose a run and open its log',
    run = function()
      require('attractor.log').open()
    end,
  },
}

local function complete(lead)
  local names = vim.tbl_keys(M.subcommands)
  table.sort(names)
  return vim.tbl_filter(function(name)
    return vim.startswith(name, lead)
  end, names)
end

function M.create()
  vim.api.nvim_create_user_command('Attractor', function(command)
    local name, argument = command.fargs[1] or 'run', command.fargs[2]
    local subcommand = M.subcommands[name]
    if not subcommand then
      require('attractor.client').notify(
        ("no subcommand '%s'; there are: %s"):format(name, table.concat(complete(''), ', ')),
        vim.log.levels.ERROR
      )
      return
    end
    subcommand.run(argument)
  end, { nargs = '*', complete = complete, desc = 'Attractor: run and watch pipelines' })
end

return M
