--- The plugin in a real Neovim against the real server. Each check is one thing a person does.
--- Arguments: the checkout, the server program, a folder to work in. Exit status 1 on a failure.
local root, server, work = arg[1], arg[2], arg[3]
local TIMEOUT = 10000

local selected = {} -- every menu that was shown: {prompt, labels}
local choose = nil -- picks an item of the next menus by its label
vim.ui.select = function(items, options, done)
  local format = options.format_item or tostring
  local labels = vim.tbl_map(format, items)
  table.insert(selected, { prompt = options.prompt or '', labels = labels })
  for index, label in ipairs(labels) do
    if choose and label:find(choose, 1, true) then
      return done(items[index], index)
    end
  end
  done(nil)
end
vim.ui.input = function(_, done)
  done('typed by a person')
end
local notices = {}
vim.notify = function(message)
  table.insert(notices, message)
end

vim.opt.runtimepath:prepend(root .. '/editors/neovim')
vim.g.attractor = { cmd = { server, 'lsp' } }
vim.g.maplocalleader = ','
vim.cmd('filetype plugin on')
vim.cmd.runtime('ftdetect/attractor.lua')
vim.cmd.runtime('plugin/attractor.lua')
vim.fn.mkdir(work, 'p')

local failed, passed = 0, 0

local function check(name, body)
  local ok, problem = xpcall(body, debug.traceback)
  if ok then
    passed = passed + 1
    io.write('ok    ', name, '\n')
  else
    failed = failed + 1
    io.write('FAIL  ', name, '\n', problem, '\n', '  notices: ', vim.inspect(notices), '\n')
  end
end

local function eventually(what, condition)
  if not vim.wait(TIMEOUT, condition, 20) then
    error('never happened: ' .. what, 2)
  end
end

local function equal(expected, found, what)
  if not vim.deep_equal(expected, found) then
    error(('%s: expected %s, found %s'):format(what, vim.inspect(expected), vim.inspect(found)), 2)
  end
end

local function open(name, text)
  local path = work .. '/' .. name
  vim.fn.writefile(vim.split(text, '\n'), path)
  vim.cmd.edit(path)
  eventually('the server attaches', function()
    return #vim.lsp.get_clients({ name = 'attractor', bufnr = 0 }) == 1
  end)
  return vim.api.nvim_get_current_buf()
end

local function request(method, extra)
  local params = vim.tbl_extend('force', vim.lsp.util.make_position_params(0, 'utf-16'), extra or {})
  local answers = assert(vim.lsp.buf_request_sync(0, method, params, TIMEOUT))
  for _, answer in pairs(answers) do
    return answer.result
  end
end

local function lenses()
  local titles = {}
  for _, lens in ipairs(request('textDocument/codeLens') or {}) do
    table.insert(titles, lens.command.title)
  end
  return titles
end

local function has(list, part)
  return vim.iter(list):any(function(item)
    return item:find(part, 1, true) ~= nil
  end)
end

local function run_named(state)
  return function()
    local run = require('attractor.state').of_uri(vim.uri_from_bufnr(0))[1]
    return run ~= nil and run.state == state
  end
end

local function run_lens(title)
  for _, lens in ipairs(request('textDocument/codeLens')) do
    if lens.command.title:find(title, 1, true) then
      local client = vim.lsp.get_clients({ name = 'attractor' })[1]
      client:exec_cmd(lens.command, { bufnr = 0 })
      return
    end
  end
  error('no lens ' .. title)
end

local function extmark_text(bufnr)
  local namespace = vim.api.nvim_get_namespaces()['attractor']
  local texts = {}
  for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(bufnr, namespace, 0, -1, { details = true })) do
    for _, chunk in ipairs(mark[4].virt_text or {}) do
      table.insert(texts, chunk[1])
    end
    for _, line in ipairs(mark[4].virt_lines or {}) do
      for _, chunk in ipairs(line) do
        table.insert(texts, chunk[1])
      end
    end
  end
  return texts
end

local MISTAKE = [[
digraph demo {
  start [shape=Mdiamond]
  build [type=tol, command="true"]
  done [shape=Msquare]
  start -> build -> done
}]]

local GATED = [[
digraph release {
  start [shape=Mdiamond]
  check [type=tool, command="echo checked"]
  gate [type=human_gate, prompt="Ship it?"]
  ship [type=tool, command="echo shipped > shipped.txt"]
  done [shape=Msquare]
  start -> check -> gate
  gate -> ship [label="[A] Approve"]
  gate -> check [label="[R] Revise"]
  ship -> done
}]]

local SLOW = [[
digraph slow {
  start [shape=Mdiamond]
  sleep [type=tool, command="sleep 60"]
  done [shape=Msquare]
  start -> sleep -> done
}]]

check('filetypes', function()
  for _, name in ipairs({ 'a.dot', 'a.gv', 'a.attractor', 'a.fabro' }) do
    equal('dot', vim.filetype.match({ filename = name }), name)
  end
end)

check('a mistake is shown with its rule, and its fix mends it', function()
  local bufnr = open('mistake.dot', MISTAKE)
  eventually('one diagnostic', function()
    return #vim.diagnostic.get(bufnr) == 1
  end)
  local diagnostic = vim.diagnostic.get(bufnr)[1]
  equal('unknown_handler', diagnostic.code, 'code')
  equal(2, diagnostic.lnum, 'line')
  vim.api.nvim_win_set_cursor(0, { 3, diagnostic.col })
  vim.lsp.buf.code_action({
    apply = true,
    filter = function(action)
      return action.title:find('tool', 1, true) ~= nil
    end,
  })
  eventually('the fix is in the buffer', function()
    return vim.api.nvim_buf_get_lines(bufnr, 2, 3, false)[1]:find('type=tool', 1, true) ~= nil
  end)
  eventually('no error is left', function()
    return #vim.diagnostic.get(bufnr, { severity = { min = vim.diagnostic.severity.WARN } }) == 0
  end)
end)

check('completion knows the handlers', function()
  vim.api.nvim_win_set_cursor(0, { 3, 14 })
  local result = request('textDocument/completion')
  local labels = vim.tbl_map(function(item)
    return item.label
  end, result.items or result)
  assert(has(labels, 'human_gate'), vim.inspect(labels))
end)

check('hover explains a node', function()
  vim.api.nvim_win_set_cursor(0, { 3, 3 })
  local hover = request('textDocument/hover')
  assert(hover and hover.contents.value:find('build', 1, true), vim.inspect(hover))
end)

check('definition, references and symbols', function()
  vim.api.nvim_win_set_cursor(0, { 5, 12 })
  local definition = request('textDocument/definition')
  definition = definition[1] or definition
  equal(2, (definition.range or definition.targetSelectionRange).start.line, 'definition')
  local references = request('textDocument/references', { context = { includeDeclaration = true } })
  equal(2, #references, 'references')
  equal('demo', request('textDocument/documentSymbol')[1].name, 'symbol')
end)

check('rename changes every place', function()
  vim.api.nvim_win_set_cursor(0, { 3, 3 })
  vim.lsp.buf.rename('compile')
  eventually('both places', function()
    local text = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n')
    return text:find('compile [', 1, true) and text:find('start -> compile', 1, true)
  end)
end)

check('a plain graph cannot be run', function()
  open('plain.gv', 'graph g { a -- b }')
  assert(not has(lenses(), 'Run'), vim.inspect(lenses()))
end)

check('a dry run needs no trust', function()
  open('release.dot', GATED)
  local before = #selected
  run_lens('▶ Dry run')
  eventually('the walk ends', run_named('succeeded'))
  equal(before, #selected, 'menus')
  equal(0, vim.fn.filereadable(work .. '/shipped.txt'), 'nothing was shipped')
end)

check('the lens runs after the trust question, and the gate shows its choices', function()
  assert(has(lenses(), '▶ Run pipeline'), vim.inspect(lenses()))
  choose = 'once'
  run_lens('▶ Run pipeline')
  eventually('the gate waits', function()
    return run_named('waiting')() and #require('attractor.state').questions_of(vim.uri_from_bufnr(0)) == 1
  end)
  assert(#selected > 0, 'trust was asked')
  eventually('the marks are drawn', function()
    local texts = extmark_text(0)
    return has(texts, 'Ship it?') and has(texts, '[A] Approve') and has(texts, '✓')
  end)
  assert(has(lenses(), '[A] Approve') and has(lenses(), '■ Cancel'), vim.inspect(lenses()))
  assert(require('attractor').statusline():find('gate', 1, true), require('attractor').statusline())
end)

check('the gate is answered inline and the run goes on to its end', function()
  choose = 'Approve'
  vim.cmd('Attractor answer')
  eventually('the run ends', run_named('succeeded'))
  equal(1, vim.fn.filereadable(work .. '/shipped.txt'), 'shipped')
  eventually('the question is closed', function()
    return #require('attractor.state').questions_of(vim.uri_from_bufnr(0)) == 0
  end)
end)

check('cancel ends a run that would take a minute', function()
  open('slow.dot', SLOW)
  choose = 'once'
  vim.cmd('Attractor run')
  eventually('it runs', function()
    local run = require('attractor.state').of_uri(vim.uri_from_bufnr(0))[1]
    return run and run.nodes and run.nodes.sleep and run.nodes.sleep.state == 'running'
  end)
  vim.cmd('Attractor cancel')
  eventually('it is cancelled', run_named('cancelled'))
end)

check('an unknown subcommand says which there are', function()
  vim.cmd('Attractor fly')
  assert(notices[#notices]:find('dry-run', 1, true), notices[#notices])
end)

check('checkhealth finds the server', function()
  vim.cmd("silent checkhealth attractor")
  local text = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n')
  assert(text:find('server: ' .. server, 1, true), text)
end)

check('the help page has its tags', function()
  vim.cmd('helptags ' .. root .. '/editors/neovim/doc')
  vim.cmd('help :Attractor')
  equal('attractor.txt', vim.fs.basename(vim.api.nvim_buf_get_name(0)), 'help file')
  os.remove(root .. '/editors/neovim/doc/tags')
end)

check('the server stops when asked', function()
  local client = vim.lsp.get_clients({ name = 'attractor' })[1]
  client:stop()
  eventually('no client is left', function()
    return #vim.lsp.get_clients({ name = 'attractor' }) == 0
  end)
end)

io.write(('%d passed, %d failed\n'):format(passed, failed))
os.exit(failed == 0 and 0 or 1)
