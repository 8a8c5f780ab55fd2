--- The `:Attractor` command: its subcommands and their completion.
local M = {}

---@type table<string, {run: fun(argument: string|nil, rest: string|nil), doc: string, complete: string|nil}>
M.subcommands = {
  run = {
    doc = 'run the pipeline of this buffer',
    complete = 'graphs',
    run = function(graph)
      require('attractor.run').start({ graph = graph })
    end,
  },
  ['dry-run'] = {
    doc = 'simulate a run: no command, no model',
    complete = 'graphs',
    run = function(graph)
      require('attractor.run').start({ graph = graph, mode = 'dryRun' })
    end,
  },
  resume = {
    doc = 'resume an unfinished run',
    complete = 'runs',
    run = function(run)
      require('attractor.run').resume(run)
    end,
  },
  cancel = {
    doc = 'cancel the live run',
    complete = 'runs',
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
  evidence = {
    doc = 'show the output and the changed files of the gate at the cursor',
    run = function()
      require('attractor.gates').show_evidence(vim.api.nvim_get_current_buf())
    end,
  },
  steer = {
    doc = 'send a message to a node at work',
    complete = 'nodes',
    run = function(node, message)
      require('attractor.steer').start(node, message)
    end,
  },
  transcript = {
    doc = 'follow what the model of a node thinks, writes and calls',
    complete = 'nodes',
    run = function(node)
      require('attractor.log').open_transcript(node)
    end,
  },
  compare = {
    doc = 'mark what means something else than in the last commit, or in another one',
    run = function(revision)
      require('attractor.compare').open(revision)
    end,
  },
  diff = {
    doc = 'show the files that the newest run, or one of its nodes, changed',
    complete = 'nodes',
    run = function(node)
      require('attractor.changes').diff_of_newest(node)
    end,
  },
  revert = {
    doc = 'undo what the newest run, or one of its nodes, changed in the files',
    complete = 'nodes',
    run = function(node)
      require('attractor.changes').revert_newest(node)
    end,
  },
  fork = {
    doc = 'begin a new run where the newest one entered a node',
    complete = 'nodes',
    run = function(node)
      require('attractor.run').fork(node)
    end,
  },
  report = {
    doc = 'show where the newest run is',
    complete = 'runs',
    run = function(run)
      require('attractor.run').report(run)
    end,
  },
  ['api-keys'] = {
    doc = 'send the API keys of the option api_keys again',
    run = function()
      require('attractor.api_keys').refresh()
    end,
  },
  test = {
    doc = 'run the scenarios of this pipeline; the quickfix list has failures and uncovered edges',
    run = function()
      require('attractor.scenarios').run()
    end,
  },
  preview = {
    doc = 'show the graph',
    run = function()
      require('attractor.preview').open()
    end,
  },
  log = {
    doc = 'open the transcript of the newest run, or the log of one of its nodes',
    complete = 'nodes',
    run = function(node)
      require('attractor.log').open(node)
    end,
  },
  restart = {
    doc = 'start the language server again',
    run = function()
      require('attractor.restart').restart()
    end,
  },
  runs = {
    doc = 'select a run and an action',
    run = function()
      require('attractor.run').menu()
    end,
  },
}

local function starting_with(lead, names)
  return vim.tbl_filter(function(name)
    return vim.startswith(name, lead)
  end, names)
end

local function subcommand_names()
  local names = vim.tbl_keys(M.subcommands)
  table.sort(names)
  return names
end

--- Candidates for the argument of a subcommand, from the server; waits at most half a second.
---@type table<string, fun(): string[]>
local ARGUMENTS = {
  runs = function()
    local result = require('attractor.client').ask('attractor.runs', { uri = vim.uri_from_bufnr(0) }) or {}
    return vim.tbl_map(function(run)
      return run.run
    end, result.runs or {})
  end,
  nodes = function()
    local result = require('attractor.client').ask('attractor.graph', { uri = vim.uri_from_bufnr(0) }) or {}
    return vim.tbl_map(function(node)
      return node.id
    end, result.nodes or {})
  end,
  graphs = function()
    local text = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n')
    local names = {}
    for name in text:gmatch('digraph%s+"?([%w_.-]+)"?%s*{') do
      table.insert(names, name)
    end
    return names
  end,
}

local function complete(lead, line)
  local name = line:match('^%s*%S+%s+(%S+)%s')
  if not name then
    return starting_with(lead, subcommand_names())
  end
  local subcommand = M.subcommands[name]
  local arguments = subcommand and ARGUMENTS[subcommand.complete]
  return arguments and starting_with(lead, arguments()) or {}
end

function M.create()
  vim.api.nvim_create_user_command('Attractor', function(command)
    local name, argument = command.fargs[1] or 'run', command.fargs[2]
    local subcommand = M.subcommands[name]
    if not subcommand then
      require('attractor.client').notify(
        ("unknown subcommand '%s'; available: %s"):format(name, table.concat(subcommand_names(), ', ')),
        vim.log.levels.ERROR
      )
      return
    end
    local rest = #command.fargs > 2 and table.concat(command.fargs, ' ', 3) or nil
    subcommand.run(argument, rest)
  end, { nargs = '*', complete = complete, desc = 'Attractor: run and watch pipelines' })
end

return M
