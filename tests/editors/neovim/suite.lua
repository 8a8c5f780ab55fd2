--- End-to-end test of the plugin in Neovim with the language server.
--- Arguments: the checkout, the server executable, a working directory. Exits with status 1 on a failure.
--- With $ATTRACTOR_SCENARIO, only checks whose name contains the text run.
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
vim.lsp.log.set_level(vim.log.levels.DEBUG)
vim.cmd('filetype plugin on')
vim.cmd.runtime('ftdetect/attractor.lua')
vim.cmd.runtime('plugin/attractor.lua')
vim.fn.mkdir(work, 'p')

local failed, passed = 0, 0

local function check(name, body)
  if not name:find(vim.env.ATTRACTOR_SCENARIO or '', 1, true) then
    return
  end
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

--- The signs of a buffer, in the order of their lines.
local function signs(bufnr)
  local namespace = vim.api.nvim_get_namespaces()['attractor']
  local found = {}
  for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(bufnr, namespace, 0, -1, { details = true })) do
    if mark[4].sign_text then
      table.insert(found, vim.trim(mark[4].sign_text))
    end
  end
  return found
end

local UNKNOWN_HANDLER = [[
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

local CHANGES = [[
digraph changes {
  start [shape=Mdiamond]
  make [type=tool, command="echo hello > made.txt"]
  gate [type=human_gate, prompt="Keep it?"]
  done [shape=Msquare]
  undo [type=tool, command="rm made.txt"]
  start -> make -> gate
  gate -> done [label="[K] Keep"]
  gate -> undo [label="[U] Undo"]
  undo -> done
}]]

local LONG = [[
digraph long {
  start [shape=Mdiamond]
  gate [type=human_gate, prompt="## Publish?\n\nThese **checks** have passed: unit tests, integration tests, lints, licenses, links.\n- fast\n- slow"]
  done [shape=Msquare]
  again [type=tool, command="true"]
  start -> gate
  gate -> done [label="[A] Approve it, and send the notes to all who have subscribed to the announcements of releases"]
  gate -> again [label="[R] Revise"]
  again -> done
}]]

local TARGETS = [[
digraph targets {
  start [shape=Mdiamond]
  pick [type=human_gate, mode=multi, prompt="Which targets?"]
  linux [type=tool, command="true"]
  done [shape=Msquare]
  start -> pick
  pick -> linux [label="[L] Linux"]
  pick -> done [label="[M] macOS"]
  pick -> done [label="[W] Windows"]
  linux -> done
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

check('a problem is shown with its rule and has a fix', function()
  local bufnr = open('unknown_handler.dot', UNKNOWN_HANDLER)
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

check('rename changes all occurrences', function()
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
  eventually('the dry run ends', run_named('success'))
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
    return has(texts, 'Ship it?') and has(texts, '✓') and has(texts, '[A] Approve   [R] Revise')
  end)
  assert(not has(notices, 'Ship it?'), 'no message for a gate in sight')
  assert(has(lenses(), '[A] Approve') and has(lenses(), '■ Cancel'), vim.inspect(lenses()))
  assert(require('attractor').statusline():find('gate', 1, true), require('attractor').statusline())
end)

check('the gate is answered inline and the run ends', function()
  choose = 'Approve'
  vim.cmd('Attractor answer')
  eventually('the run ends', run_named('success'))
  equal(1, vim.fn.filereadable(work .. '/shipped.txt'), 'shipped')
  eventually('the question is closed', function()
    return #require('attractor.state').questions_of(vim.uri_from_bufnr(0)) == 0
  end)
end)

check('a gate shows the files that its run changed until it is answered', function()
  local bufnr = open('changes.dot', CHANGES)
  choose = 'once'
  vim.cmd('Attractor run')
  eventually('the gate waits', run_named('waiting'))
  eventually('the summary is drawn', function()
    return has(extmark_text(bufnr), 'changed: made.txt new +1')
  end)
  vim.cmd('Attractor evidence')
  local evidence = vim.fn.bufnr('attractor-gate://')
  local lines = vim.api.nvim_buf_get_lines(evidence, 0, -1, false)
  assert(has(lines, '# Keep it?') and has(lines, '## made.txt new +1') and has(lines, '+hello'), vim.inspect(lines))
  equal(bufnr, vim.api.nvim_get_current_buf(), 'the cursor stays')
  choose = 'Keep'
  vim.cmd('Attractor answer')
  eventually('the run ends', run_named('success'))
  eventually('the evidence is closed', function()
    return vim.fn.bufexists(evidence) == 0
  end)
end)

check('what means something else than in the last commit is marked in both versions', function()
  vim.fn.mkdir(work .. '/repository', 'p')
  local function git(...)
    local identity = { '-c', 'user.name=Ada', '-c', 'user.email=ada@example.com' }
    local command = vim.list_extend({ 'git' }, vim.list_extend(identity, { ... }))
    local done = vim.system(command, { cwd = work .. '/repository' }):wait()
    equal(0, done.code, table.concat({ ... }, ' ') .. done.stderr)
  end
  git('init', '--quiet')
  local text = table.concat({
    'digraph d {',
    '  start [shape=Mdiamond]',
    '  é [shape=parallelogram, command="make"]',
    '  done [shape=Msquare]',
    '  start -> é -> done',
    '}',
  }, '\n')
  local bufnr = open('repository/compared.dot', text)
  git('add', '.')
  git('commit', '--quiet', '--message', 'first')
  vim.cmd('Attractor compare')
  eventually('it is said that nothing changed', function()
    return has(notices, 'compared.dot means the same as in the last commit')
  end)
  local changed = '  é [command="make all", shape=parallelogram]'
  vim.api.nvim_buf_set_lines(bufnr, 2, 3, false, { changed })
  vim.cmd('Attractor compare')
  local namespace = vim.api.nvim_get_namespaces()['attractor.compare']
  local function marked(buffer)
    local marks = vim.api.nvim_buf_get_extmarks(buffer, namespace, 0, -1, { details = true })
    return vim.tbl_map(function(mark)
      local from, to = { mark[2], mark[3] }, { mark[4].end_row, mark[4].end_col }
      return vim.api.nvim_buf_get_text(buffer, from[1], from[2], to[1], to[2], {})[1]
    end, marks)
  end
  eventually('the change is marked', function()
    return #marked(bufnr) == 1
  end)
  equal({ 'command="make all"' }, marked(bufnr), 'the marks of the buffer')
  local old = vim.fn.bufnr('attractor-revision://')
  equal({ 'command="make"' }, marked(old), 'the marks of the old version')
  assert(has(notices, '1 change of meaning since the last commit, 1 of what it may do or cost'), vim.inspect(notices))
  equal(bufnr, vim.api.nvim_get_current_buf(), 'the cursor stays')
  vim.api.nvim_buf_delete(old, { force = true })
  eventually('the marks go with the old version', function()
    return #marked(bufnr) == 0
  end)
  vim.cmd('edit!')
end)

check('a question of several lines is wrapped, and its heading is the prompt', function()
  local bufnr = open('long.dot', LONG)
  local width = vim.api.nvim_win_get_width(0) - vim.fn.getwininfo(vim.api.nvim_get_current_win())[1].textoff
  choose = 'once'
  vim.cmd('Attractor run')
  eventually('the question is drawn', function()
    return has(extmark_text(bufnr), '  ? Publish?')
  end)
  local texts = extmark_text(bufnr)
  for _, text in ipairs(texts) do
    assert(not text:find('[\r\n]') and vim.fn.strdisplaywidth(text) <= width, vim.inspect(text))
  end
  for _, part in ipairs({ '    - slow', '    [A] Approve it, and send', 'announcements of releases', '    [R] Revise' }) do
    assert(has(texts, part), part .. ' in ' .. vim.inspect(texts))
  end
  local namespace = vim.iter(vim.api.nvim_get_namespaces()):find(function(name)
    return name:find('codelens', 1, true) ~= nil
  end)
  local lenses_drawn = vim.api.nvim_buf_get_extmarks(bufnr, vim.api.nvim_get_namespaces()[namespace], 0, -1, { details = true })
  assert(#lenses_drawn > 0 and not vim.inspect(lenses_drawn):find('Approve', 1, true), 'the choices are drawn once')
  eventually('vim.lsp.codelens.run() has the choices', function()
    return vim.iter(vim.lsp.codelens.get(bufnr)):any(function(lens)
      return lens.command.command == 'attractor.answer'
    end)
  end)
  choose = 'Revise'
  vim.cmd('Attractor answer')
  equal('Publish?', selected[#selected].prompt, 'prompt')
  local evidence = vim.api.nvim_buf_get_lines(vim.fn.bufnr('attractor-gate://'), 0, 3, false)
  equal({ '# Publish?', '', 'These **checks** have passed: unit tests, integration tests, lints, licenses, links.' }, evidence, 'evidence')
  eventually('the run ends', run_named('success'))
end)

check('a question of several lines elsewhere is a message of one line', function()
  local question = { id = 'q', node = 'gate', kind = 'choice', text = '# Go?\nDetails.', options = {} }
  local range = { start = { line = 0, character = 0 }, ['end'] = { line = 0, character = 1 } }
  require('attractor.gates').opened({ run = 'r', uri = 'file:///not/shown.dot', range = range, question = question })
  equal('attractor: gate is waiting: Go?', notices[#notices], 'message')
end)

check('several choices are switched on and off, and answered together', function()
  open('targets.dot', TARGETS)
  choose = 'once'
  vim.cmd('Attractor run')
  eventually('the gate waits', run_named('waiting'))
  local pick, menus = { 'Linux', 'macOS', 'Windows', 'macOS', '✔ answer' }, #selected
  local chosen = vim.ui.select
  vim.ui.select = function(items, options, done)
    choose = table.remove(pick, 1)
    chosen(items, options, done)
  end
  vim.cmd('Attractor answer')
  eventually('the run ends', run_named('success'))
  vim.ui.select = chosen
  equal({ '[ ] [L] Linux', '[ ] [M] macOS', '[ ] [W] Windows' }, selected[menus + 1].labels, 'the first menu')
  equal({ '[x] [L] Linux', '[ ] [M] macOS', '[x] [W] Windows', '✔ answer: L, W' }, selected[#selected].labels, 'the last menu')
  local node = require('attractor.state').of_uri(vim.uri_from_bufnr(0))[1].nodes.pick
  assert(node.summary:find('Linux, Windows', 1, true), vim.inspect(node))
end)

check('what a pipeline runs is read in a window of its own before the question', function()
  local bufnr = open('consent.dot', SLOW:gsub('slow', 'consent'):gsub('60', '0'))
  local pipeline, windows, menus = vim.api.nvim_get_current_win(), #vim.api.nvim_list_wins(), #selected
  choose = 'Show what it runs'
  vim.cmd('Attractor run')
  eventually('the document', function()
    return vim.api.nvim_buf_get_lines(0, 0, 1, false)[1] == '# What `consent` runs'
  end)
  equal(windows + 1, #vim.api.nvim_list_wins(), 'windows')
  equal(bufnr, vim.api.nvim_win_get_buf(pipeline), 'the pipeline stays in its window')
  eventually('the keys', function()
    return vim.wo.winbar:find('<Enter> answer the question', 1, true) ~= nil
  end)
  equal(menus + 1, #selected, 'menus: only the one before the document')
  choose = 'Run once'
  vim.api.nvim_feedkeys(vim.keycode('<cr>'), 'x', false)
  eventually('the document is closed', function()
    return #vim.api.nvim_list_wins() == windows
  end)
  assert(not has(selected[#selected].labels, 'Show what it runs'), vim.inspect(selected[#selected]))
  eventually('the run ends', run_named('success'))
end)

check('a document that is closed unread runs nothing', function()
  open('unread.dot', SLOW:gsub('slow', 'unread'))
  choose = 'Show what it runs'
  vim.cmd('Attractor run')
  eventually('the keys', function()
    return vim.wo.winbar:find('<Enter> answer the question', 1, true) ~= nil
  end)
  local menus = #selected
  vim.cmd.normal('q')
  eventually('the pipeline is shown', function()
    return vim.fs.basename(vim.api.nvim_buf_get_name(0)) == 'unread.dot'
  end)
  assert(not vim.wait(300, function()
    return #selected > menus or #require('attractor.state').of_uri(vim.uri_from_bufnr(0)) > 0
  end), 'asked again, or run')
end)

check('nodes and runs that are not real have marks of their own', function()
  local bufnr = open('unreal.dot', 'digraph unreal {\nstart [shape=Mdiamond]\nfix [prompt="Fix."]\nend [shape=Msquare]\nstart -> fix -> end\n}')
  choose = 'once'
  vim.cmd('Attractor run')
  eventually('the run ends', run_named('success'))
  eventually('the node of a model is marked, others are not', function()
    return vim.deep_equal({ '✓', '✓~', '✓' }, signs(bufnr))
  end)
  assert(has(extmark_text(bufnr), '✓ (simulated) '), vim.inspect(extmark_text(bufnr)))
  choose = nil
  vim.cmd('Attractor runs')
  eventually('the list', function()
    return has(selected[#selected].labels, '✓ succeeded (simulated)')
  end)
  vim.cmd('Attractor dry-run')
  eventually('all nodes are marked', function()
    return vim.deep_equal({ '✓~', '✓~', '✓~' }, signs(bufnr)) and has(extmark_text(bufnr), '✓ (dry run) ')
  end)
  assert(require('attractor').statusline():find('(dry run)', 1, true), require('attractor').statusline())
end)

check('marks are drawn again when the text was replaced and the change undone', function()
  local bufnr = vim.fn.bufnr('unreal.dot')
  vim.cmd.buffer(bufnr)
  local before = signs(bufnr)
  assert(#before == 3, vim.inspect(before))
  vim.api.nvim_buf_set_lines(bufnr, 0, -1, false, { 'digraph unreal {', 'start [shape=Mdiamond]', '}' })
  require('attractor.marks').draw(bufnr)
  eventually('only one node is left', function()
    return #signs(bufnr) == 1
  end)
  vim.cmd('silent undo')
  vim.api.nvim_exec_autocmds('TextChanged', { buffer = bufnr })
  eventually('the marks', function()
    return vim.deep_equal(before, signs(bufnr))
  end)
  local namespace = vim.api.nvim_get_namespaces()['attractor']
  local lines = vim.tbl_map(function(mark)
    return mark[2]
  end, vim.api.nvim_buf_get_extmarks(bufnr, namespace, 0, -1, {}))
  equal({ 1, 2, 3 }, lines, 'their lines')
end)

check('a run of an earlier session is stored without RunStarted and RunEnded', function()
  local announced = {}
  local autocmd = vim.api.nvim_create_autocmd('User', {
    pattern = { 'AttractorRunStarted', 'AttractorRunEnded' },
    callback = function(event)
      table.insert(announced, event.match)
    end,
  })
  local state = require('attractor.state')
  local function update(run, run_state)
    state.update({ run = run, uri = 'file:///earlier.dot', graph = 'g', state = run_state, nodes = {} })
  end
  update('earlier', 'fail')
  equal(1, #state.of_uri('file:///earlier.dot'), 'runs')
  equal({}, announced, 'announced')
  update('new', 'running')
  update('new', 'success')
  equal({ 'AttractorRunStarted', 'AttractorRunEnded' }, announced, 'announced')
  vim.api.nvim_del_autocmd(autocmd)
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

check('a run that is cancelled at its gate leaves no question', function()
  vim.cmd.edit(work .. '/release.dot')
  choose = 'once'
  vim.cmd('Attractor run')
  eventually('the gate waits', run_named('waiting'))
  vim.cmd('Attractor cancel')
  eventually('it is cancelled', run_named('cancelled'))
  equal(0, #require('attractor.state').questions_of(vim.uri_from_bufnr(0)), 'open questions')
  local menus = #selected
  vim.cmd('Attractor answer')
  equal(menus, #selected, 'menus')
end)

check('a live run prevents :qa', function()
  vim.cmd.edit(work .. '/slow.dot')
  choose = 'once'
  vim.cmd('Attractor run')
  eventually('it runs', run_named('running'))
  -- Only the buffer of the live run may prevent `:qa`.
  for _, bufnr in ipairs(vim.api.nvim_list_bufs()) do
    if not vim.api.nvim_buf_get_name(bufnr):find('still running', 1, true) then
      vim.bo[bufnr].modified = false
    end
  end
  local ok, problem = pcall(vim.cmd, 'qa')
  assert(not ok and problem:find('No write since last change', 1, true), problem)
  vim.cmd('silent! wa')
  ok = pcall(vim.cmd, 'qa')
  assert(not ok, 'still refused after :wa')
  vim.cmd.edit(work .. '/slow.dot')
  vim.cmd('Attractor cancel')
  eventually('it is cancelled', run_named('cancelled'))
  for _, bufnr in ipairs(vim.api.nvim_list_bufs()) do
    assert(not vim.api.nvim_buf_get_name(bufnr):find('attractor://', 1, true), 'the guard is gone')
  end
end)

--- The text of the window of a log, once it is shown.
local function log_text(scheme)
  for _, window in ipairs(vim.api.nvim_list_wins()) do
    local bufnr = vim.api.nvim_win_get_buf(window)
    if vim.startswith(vim.api.nvim_buf_get_name(bufnr), scheme) then
      return table.concat(vim.api.nvim_buf_get_lines(bufnr, 0, -1, false), '\n')
    end
  end
  return ''
end

check('the transcript is text and can be opened twice', function()
  vim.cmd.edit(work .. '/release.dot')
  for _ = 1, 2 do
    vim.cmd('Attractor log')
    eventually('the transcript', function()
      local text = log_text('attractor-run://')
      return text:find('✓ check', 1, true) and text:find('cancelled', 1, true) and not text:find('"seq"', 1, true)
    end)
    local marks = vim.api.nvim_buf_get_extmarks(
      vim.fn.bufnr('attractor-run://'),
      vim.api.nvim_get_namespaces()['attractor.transcript'],
      0,
      -1,
      { details = true }
    )
    local groups = vim.tbl_map(function(mark)
      return mark[4].hl_group
    end, marks)
    assert(vim.tbl_contains(groups, 'AttractorSucceeded'), vim.inspect(groups))
  end
  vim.cmd('Attractor log check')
  eventually('the log of a node', function()
    return vim.trim(log_text('attractor-log://')) == 'checked'
  end)
  vim.cmd.only()
end)

check('transcripts draw the entries of events, and an older server has none', function()
  local transcript = require('attractor.transcript')
  local function texts(found)
    return vim.tbl_map(function(line)
      return line.text
    end, found)
  end
  local function lines(event)
    return texts(transcript.lines(vim.tbl_extend('keep', event, { seq = 1, time = '2026-01-02T03:04:05.000Z', type = 'x' })))
  end
  local function node_lines(event, node)
    return texts(transcript.node_lines(event, node))
  end
  local call = { kind = 'tool_call', glyph = '→', role = 'plain', node = 'inner/fix', tool = 'edit_file', text = 'a.py' }
  call.lines = { { role = 'removed', text = '- x' }, { role = 'added', text = '+ y' } }
  equal({ '03:04:05  → edit_file a.py', '              - x', '              + y' }, lines({ entry = call }))
  equal({ '→ edit_file a.py', '    - x', '    + y' }, node_lines({ entry = call }, 'inner/fix'))
  equal({}, node_lines({ entry = call }, 'fix'))
  local started = { kind = 'line', glyph = '●', role = 'start', node = 'fix', text = 'codergen' }
  equal({ '03:04:05  ● fix: codergen' }, lines({ entry = started }))
  local thought = { kind = 'output', glyph = '┆', role = 'thinking', node = 'fix' }
  equal({ '03:04:05    ┆ a', '            ┆ b' }, lines({ entry = thought, text = 'a\nb\n' }))
  equal({ '┆ a' }, node_lines({ entry = thought, text = 'a' }, 'fix'))
  equal('removed', transcript.lines({ entry = call })[2].role)
  equal({}, lines({ entry = vim.NIL }))
  equal({ '03:04:05  · stage_output node=fix text=a⏎b' }, lines({ type = 'stage_output', node = 'fix', text = 'a\nb\n' }))
end)

check('runs lists runs and their actions', function()
  choose = 'cancelled'
  vim.cmd('Attractor runs')
  eventually('the second menu', function()
    local last = selected[#selected]
    return vim.tbl_contains(last.labels, 'Transcript') and vim.tbl_contains(last.labels, 'Resume')
  end)
  choose = nil
end)

check('runs of sub-pipelines are listed below their parent, and have a report', function()
  open(
    'supervised.dot',
    'digraph main {\nstart [shape=Mdiamond]\nwatch [shape=house, sub_pipeline=child, max_iterations=1]\nend [shape=Msquare]\nstart -> watch -> end\n}\ndigraph child {\nhello [start=true, type=tool, command="echo hi"]\ndone [shape=Msquare]\nhello -> done\n}'
  )
  choose = 'Run once'
  vim.cmd('Attractor run main')
  eventually('its end', run_named('success'))
  choose = '└'
  vim.cmd('Attractor runs')
  eventually('the menu of the child', function()
    local last = selected[#selected]
    return last.prompt:find('child', 1, true) and vim.deep_equal({ 'Transcript', 'Status report' }, last.labels)
  end)
  choose = nil
  vim.cmd('Attractor report')
  eventually('the report', function()
    return log_text('attractor-report://'):find('path: start → watch → end (3 of 3 nodes done)', 1, true)
  end)
  vim.cmd.only()
end)

check('what a node changed is shown and reverted', function()
  open(
    'change.dot',
    'digraph change {\nstart [shape=Mdiamond]\nwrite [type=tool, command="echo new > added.txt"]\nlook [prompt="Look."]\nend [shape=Msquare]\nstart -> write -> look -> end\n}'
  )
  choose = 'Always for this version'
  vim.cmd('Attractor run')
  eventually('its end', run_named('success'))
  local before = require('attractor.state').of_uri(vim.uri_from_bufnr(0))[1].run
  choose = 'Restore the files'
  vim.cmd('Attractor fork write')
  eventually('the end of the fork', function()
    local run = require('attractor.state').of_uri(vim.uri_from_bufnr(0))[1]
    return run.run ~= before and run.state == 'success'
  end)
  vim.cmd('Attractor diff write')
  eventually('the diff', function()
    return log_text('attractor-diff://'):find('+++ b/added.txt\n@@ -0,0 +1 @@\n+new', 1, true)
  end)
  vim.cmd.only()
  choose = 'Revert'
  vim.cmd('Attractor revert write')
  eventually('the file is gone', function()
    return vim.uv.fs_stat(work .. '/added.txt') == nil
  end)
  choose = nil
end)

check('the transcript of a node is followed, and a message is sent from it', function()
  open(
    'steered.dot',
    'digraph main {\nstart [shape=Mdiamond]\nwatch [shape=house, sub_pipeline=child, max_iterations=1]\nend [shape=Msquare]\nstart -> watch -> end\n}\ndigraph child {\nhold [start=true, type=tool, command="until [ -f go ]; do sleep 0.05; done"]\nwork [prompt="Work."]\ndone [shape=Msquare]\nhold -> work -> done\n}'
  )
  choose = 'Run once'
  vim.cmd('Attractor run main')
  eventually('the command', function()
    local run = require('attractor.state').of_uri(vim.uri_from_bufnr(0))[1]
    return run and run.nodes['child/hold'] and run.nodes['child/hold'].state == 'running'
  end)
  vim.cmd('Attractor transcript child/work')
  eventually('its window', function()
    return vim.fn.bufnr('attractor-run://') > 0
  end)
  local bufnr = vim.fn.bufnr('attractor-run://')
  vim.api.nvim_win_call(vim.fn.win_findbuf(bufnr)[1], function()
    vim.cmd.normal('s')
  end)
  eventually('the message', function()
    return has(notices, 'child/work has the message')
  end)
  vim.fn.writefile({}, work .. '/go')
  eventually('its end', run_named('success'))
  eventually('the transcript', function()
    local text = log_text('attractor-run://')
    return text:find('↪ typed by a person', 1, true) and text:find('✓ success', 1, true) and not text:find('hold', 1, true)
  end)
  choose = nil
  vim.cmd.only()
end)

check('a working agent shows what it has used, and that it is silent', function()
  open('agent.dot', 'digraph agent {\nstart [shape=Mdiamond]\nfix [prompt="Fix."]\nend [shape=Msquare]\nstart -> fix -> end\n}')
  local uri = vim.uri_from_bufnr(0)
  local function received(_, snapshot)
    require('attractor.messages').handlers['attractor/runState'](nil, snapshot, { client_id = 1 })
  end
  local function report(summary, idle)
    received(nil, {
      run = '01WORKING',
      uri = uri,
      graph = 'agent',
      state = 'running',
      startedAt = '2026-01-02T03:04:05Z',
      done = 1,
      total = 3,
      nodes = { fix = { state = 'running', visit = 1, attempt = 1, summary = summary, idleSeconds = idle } },
    })
  end
  local function group_of(text)
    local namespace = vim.api.nvim_get_namespaces()['attractor']
    for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(0, namespace, 0, -1, { details = true })) do
      for _, chunk in ipairs(mark[4].virt_text or {}) do
        if chunk[1]:find(text, 1, true) then
          return chunk[2]
        end
      end
    end
  end
  report('2 turns · 5 k tokens · $0.01 · shell')
  eventually('what it has used', function()
    return group_of('● 2 turns · 5 k tokens · $0.01 · shell') == 'AttractorRunning'
  end)
  report('2 turns · 5 k tokens · $0.01 · shell · no event for 45 s', 45)
  eventually('that it is silent', function()
    return group_of('no event for 45 s') == 'AttractorWaiting'
  end)
  received(nil, { run = '01WORKING', uri = uri, graph = 'agent', state = 'cancelled', nodes = {} })
end)

check('keys of a function reach the server and no log', function()
  local key = 'sk-test-of-the-plugin-0123456789'
  require('attractor.config').set({
    api_keys = function()
      return { openai = key .. '\n' }
    end,
  })
  vim.cmd('Attractor api-keys')
  require('attractor.config').set({})
  local answer = require('attractor.client').ask('attractor.providers', vim.empty_dict())
  local openai = vim.iter(answer.providers):find(function(provider)
    return provider.id == 'openai'
  end)
  equal('editor', openai.key, 'where the key comes from')
  local log = table.concat(vim.fn.readfile(vim.lsp.log.get_filename()), '\n')
  assert(log:find('attractor.providers', 1, true), 'the log has every message')
  assert(not log:find(key, 1, true), 'the key is in the log')
end)

check('arguments are completed', function()
  vim.cmd.edit(work .. '/release.dot')
  equal({ 'release' }, vim.fn.getcompletion('Attractor run rel', 'cmdline'), 'graphs')
  equal({ 'ship' }, vim.fn.getcompletion('Attractor log sh', 'cmdline'), 'nodes')
  assert(#vim.fn.getcompletion('Attractor resume ', 'cmdline') > 0, 'runs')
  assert(vim.tbl_contains(vim.fn.getcompletion('Attractor ', 'cmdline'), 'preview'), 'subcommands')
end)

check('a preview without a viewer shows a message and the DOT text', function()
  local ui_open, executable, system = vim.ui.open, vim.fn.executable, vim.system
  vim.ui.open = function()
    return nil, 'no viewer'
  end
  vim.fn.executable = function()
    return 1
  end
  vim.system = function(_, _, done)
    done({ code = 0 })
  end
  vim.cmd('Attractor preview')
  eventually('the message', function()
    return has(notices, 'no viewer')
  end)
  assert(vim.api.nvim_buf_get_lines(0, 0, 1, false)[1]:find('digraph', 1, true))
  vim.ui.open, vim.fn.executable, vim.system = ui_open, executable, system
  vim.cmd.close()
end)

check('scenarios fill the quickfix list with failures and uncovered edges', function()
  local path = work .. '/tested.dot'
  vim.fn.writefile({
    '[[scenario]]',
    'name = "wrong"',
    'expect.path = ["start", "b"]',
    '[[scenario]]',
    'name = "plain"',
  }, work .. '/tested.test.toml')
  open(
    'tested.dot',
    'digraph tested {\nstart [shape=Mdiamond]\na [prompt="x"]\nb [prompt="y"]\nstart -> a\na -> b [condition="outcome=fail"]\na -> c [condition="outcome=success"]\nc [shape=Msquare]\nb -> c\n}'
  )
  vim.cmd('Attractor test')
  eventually('the quickfix list', function()
    return vim.fn.getqflist({ title = 0 }).title == 'Attractor scenarios'
  end)
  local lines = vim.tbl_map(function(entry)
    return ('%s:%d:%d %s'):format(vim.fn.fnamemodify(vim.fn.bufname(entry.bufnr), ':t'), entry.lnum, entry.col, entry.text)
  end, vim.fn.getqflist())
  equal({
    'tested.test.toml:3:25 wrong: the path differs at step 2: expected `b`, found `a`: `start -> a` was taken as the first edge without a condition',
    'tested.dot:6:1 not covered: a -> b',
    'tested.dot:9:1 not covered: b -> c',
  }, lines, 'entries')
  assert(has(notices, '1 of 2 scenarios passed, 2 of 4 edges covered'), vim.inspect(notices))
  vim.cmd.cclose()
  vim.cmd.edit(path)
end)

check('scenario files have diagnostics and completion', function()
  vim.fn.writefile({ '[[scenario]]', 'name = "typo"', 'outcomes = { strt = "fail" }' }, work .. '/tested.test.toml')
  vim.cmd.edit(work .. '/tested.test.toml')
  eventually('the problem', function()
    return #vim.diagnostic.get(0) == 1
  end)
  local found = vim.diagnostic.get(0)[1]
  equal('unknown node `strt`; did you mean `start`?', found.message, 'the problem')
  equal(13, found.col, 'its column')
  local params = { textDocument = vim.lsp.util.make_text_document_params(), position = { line = 2, character = 13 } }
  local answer = vim.lsp.buf_request_sync(0, 'textDocument/completion', params, 5000)
  local labels = {}
  for _, one in pairs(answer or {}) do
    for _, item in ipairs(one.result.items) do
      table.insert(labels, item.label)
    end
  end
  equal({ 'start', 'a', 'b', 'c' }, labels, 'the nodes')
  vim.fn.writefile({ '[tool]' }, work .. '/other.toml')
  vim.cmd.edit(work .. '/other.toml')
  assert(not require('attractor.server').is_served(0), 'the server is started for any TOML file')
end)

check('scenarios are written on request where there are none', function()
  open('untested.dot', 'digraph untested {\nstart [shape=Mdiamond]\na [prompt="x"]\nb [shape=Msquare]\nstart -> a -> b\n}')
  local before = #notices
  choose = 'Write untested.test.toml'
  vim.cmd('Attractor test')
  equal({ 'Write untested.test.toml with scenarios that cover every edge', 'Cancel' }, selected[#selected].labels, 'menu')
  eventually('the scenarios', function()
    local shown = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n')
    return vim.fs.basename(vim.api.nvim_buf_get_name(0)) == 'untested.test.toml' and shown:find('[[scenario]]', 1, true)
  end)
  equal(before, #notices, 'messages')
  vim.cmd('Attractor test')
  eventually('they pass', function()
    return has(notices, '2 of 2 edges covered')
  end)
  vim.cmd.only()
end)

check('formatted text passes fmt --check', function()
  open('untidy.dot', 'digraph tidy {\nstart [shape=Mdiamond]\nsubgraph inner { a [prompt="x"] }\nstart->a->exit\n}')
  vim.lsp.buf.format({ async = false })
  vim.cmd('silent write')
  local done = vim.system({ server, 'fmt', '--check', work .. '/untidy.dot' }, { text = true }):wait()
  equal(0, done.code, done.stdout .. done.stderr)
end)

check('an offer to resume does not block', function()
  local before = #selected
  local handler = require('attractor.messages').handlers['window/showMessageRequest']
  local params = { type = 3, message = 'Pipeline x was interrupted.', actions = { { title = 'Resume' }, { title = 'Not now' } } }
  equal(vim.NIL, handler(nil, params, { client_id = 1 }), 'the answer')
  equal(before, #selected, 'menus')
  assert(notices[#notices]:find(':Attractor resume', 1, true), notices[#notices])
end)

check('a missing executable is reported when a file is opened', function()
  local config = require('attractor.config')
  config.set({ cmd = { '/no/such/attractor', 'lsp' } })
  require('attractor.server').warn_if_missing()
  config.set({})
  assert(notices[#notices]:find('/no/such/attractor', 1, true), notices[#notices])
end)

check('a restored session reads its transcripts, reports and logs again', function()
  vim.cmd.edit(work .. '/release.dot')
  vim.cmd('Attractor log')
  vim.cmd('Attractor report')
  vim.cmd('Attractor log check')
  local function all_shown()
    return log_text('attractor-run://'):find('✓ check', 1, true)
      and log_text('attractor-report://'):find('path: start', 1, true)
      and vim.trim(log_text('attractor-log://')) == 'checked'
  end
  eventually('the windows', all_shown)
  vim.cmd.mksession(work .. '/Session.vim')
  vim.cmd('silent %bwipeout!')
  equal('', log_text('attractor-run://'), 'before')
  vim.cmd('silent source ' .. work .. '/Session.vim')
  eventually('the same windows', all_shown)
  local bufnr = vim.fn.bufnr('attractor-run://')
  equal({ 'nofile', false }, { vim.bo[bufnr].buftype, vim.bo[bufnr].modifiable }, 'the buffer')
  vim.cmd.only()
end)

check('a crash of the server leaves no marks, and it is started again', function()
  local bufnr = open('crash.dot', (SLOW:gsub('slow', 'crash')))
  choose = 'once'
  vim.cmd('Attractor run')
  eventually('it runs', function()
    return run_named('running')() and has(signs(bufnr), '●')
  end)
  local servers = vim.tbl_filter(function(process)
    return (vim.api.nvim_get_proc(process) or {}).name == 'attractor'
  end, vim.api.nvim_get_proc_children(vim.fn.getpid()))
  equal(1, #servers, 'servers')
  vim.uv.kill(servers[1], 'sigkill')
  eventually('the message', function()
    return has(notices, ':Attractor restart')
  end)
  equal({}, signs(bufnr), 'signs')
  equal('', require('attractor').statusline(), 'status line')
  assert(not has(vim.tbl_map(vim.api.nvim_buf_get_name, vim.api.nvim_list_bufs()), 'still running'), ':qa')
  vim.cmd('Attractor answer')
  vim.cmd('Attractor restart')
  eventually('it is attached again', function()
    return #vim.lsp.get_clients({ name = 'attractor', bufnr = bufnr }) == 1
  end)
  choose = 'interrupted'
  eventually('the run can be resumed', function()
    return has(lenses(), 'Resume')
  end)
  choose = nil
end)

check('a restart asks before it interrupts a run', function()
  local bufnr = open('restart.dot', (SLOW:gsub('slow', 'restart')))
  choose = 'once'
  vim.cmd('Attractor run')
  eventually('it runs', run_named('running'))
  local client = vim.lsp.get_clients({ name = 'attractor', bufnr = bufnr })[1].id
  choose = 'Cancel'
  vim.cmd('Attractor restart')
  assert(selected[#selected].prompt:find('interrupts restart', 1, true), selected[#selected].prompt)
  equal('running', require('attractor.state').of_uri(vim.uri_from_bufnr(0))[1].state, 'state')
  local before = #notices
  choose = 'Restart'
  require('attractor.config').set({ settings = { dialect = 'auto' } })
  vim.cmd('Attractor restart')
  eventually('another client is attached', function()
    local now = vim.lsp.get_clients({ name = 'attractor', bufnr = bufnr })[1]
    return now and now.id ~= client
  end)
  choose = nil
  eventually('the message', function()
    return has(vim.list_slice(notices, before + 1), 'was started again')
  end)
  assert(not has(vim.list_slice(notices, before + 1), 'has ended'), 'a message for a requested end')
  equal({ dialect = 'auto' }, vim.lsp.config.attractor.init_options, 'options of files that are opened later')
  require('attractor.config').set({})
end)

check('an unknown subcommand lists the available ones', function()
  vim.cmd('Attractor fly')
  assert(notices[#notices]:find('dry-run', 1, true), notices[#notices])
end)

check('checkhealth finds the server', function()
  vim.cmd("silent checkhealth attractor")
  local text = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n')
  assert(text:find('server: ' .. server, 1, true), text)
end)

check('checkhealth of an old Neovim says which one is needed', function()
  local modern, has_version, reported = vim.health, vim.fn.has, {}
  local function report(kind)
    return function(message)
      table.insert(reported, kind .. ' ' .. message)
    end
  end
  -- The names before 0.10.
  vim.health = { report_start = report('start'), report_ok = report('ok'), report_info = report('info'), report_warn = report('warn') }
  vim.health.report_error = report('error')
  vim.fn.has = function()
    return 0
  end
  package.loaded['attractor.health'] = nil
  local ok, problem = pcall(function()
    require('attractor.health').check()
  end)
  vim.health, vim.fn.has, package.loaded['attractor.health'] = modern, has_version, nil
  assert(ok, problem)
  equal({ 'start attractor', 'error Neovim 0.10 or later is required' }, reported, 'reports')
end)

check('the shipped help tags are up to date', function()
  vim.cmd('help :Attractor')
  equal('attractor.txt', vim.fs.basename(vim.api.nvim_buf_get_name(0)), 'help file')
  local copy = work .. '/doc'
  vim.fn.mkdir(copy, 'p')
  vim.uv.fs_copyfile(root .. '/editors/neovim/doc/attractor.txt', copy .. '/attractor.txt')
  vim.cmd('helptags ' .. copy)
  equal(vim.fn.readfile(copy .. '/tags'), vim.fn.readfile(root .. '/editors/neovim/doc/tags'), 'doc/tags')
end)

local function stop_server()
  local client = vim.lsp.get_clients({ name = 'attractor' })[1]
  client:stop()
  eventually('no client is left', function()
    return #vim.lsp.get_clients({ name = 'attractor' }) == 0
  end)
end

check('the server stops when asked', stop_server)

check('a gate of a run elsewhere is answered in the file with its text', function()
  -- A project of its own: else its runs are those of the folder that is open.
  local elsewhere = work .. '/elsewhere'
  vim.fn.mkdir(elsewhere .. '/.attractor', 'p')
  local lines = {}
  local serve = vim.system({ server, 'serve' }, {
    cwd = elsewhere,
    env = { HOME = elsewhere, XDG_STATE_HOME = elsewhere .. '/state', XDG_CONFIG_HOME = elsewhere .. '/config' },
    stdout = function(_, text)
      vim.list_extend(lines, vim.split(text or '', '\n', { trimempty = true }))
    end,
  })
  eventually('the server prints its token', function()
    return lines[2] ~= nil
  end)
  local address, token = lines[1], lines[2]:match('token: (%x+)')
  local text = 'digraph far {\n  start [shape=Mdiamond]\n  ask [type=human_gate, prompt="Far?"]\n'
    .. '  done [shape=Msquare]\n  start -> ask\n  ask -> done [label="[Y] Yes"]\n}'
  local function request(path, body)
    local arguments = { 'curl', '-sS', '-H', 'Authorization: Bearer ' .. token, '-H', 'Content-Type: application/json' }
    vim.list_extend(arguments, body and { '-d', vim.json.encode(body) } or {})
    table.insert(arguments, address .. path)
    return vim.json.decode(vim.system(arguments, { text = true }):wait().stdout)
  end
  local id = request('/pipelines', { dot = text }).id

  vim.g.attractor = {
    cmd = { server, 'lsp' },
    server = {
      remote = address,
      token = function()
        return token .. '\n'
      end,
    },
  }
  require('attractor.server').enable()
  local bufnr = open('far.dot', text)
  eventually('the gate opens here', function()
    return has(extmark_text(bufnr), 'Far?')
  end)
  choose = nil
  vim.cmd('Attractor runs')
  local place = 'on ' .. address:gsub('http://', '')
  eventually('the run is listed with its server', function()
    return #selected > 0 and has(selected[#selected].labels, place)
  end)
  equal(true, not has(vim.tbl_map(vim.api.nvim_buf_get_name, vim.api.nvim_list_bufs()), 'far still running'), ':qa')
  choose = '[Y] Yes'
  vim.api.nvim_win_set_cursor(0, { 3, 0 })
  vim.cmd('Attractor answer')
  eventually('the run elsewhere ends', function()
    return request('/pipelines/' .. id).status == 'success'
  end)
  eventually('its end is shown', run_named('success'))
  local log = table.concat(vim.fn.readfile(vim.lsp.log.get_filename()), '\n')
  assert(not log:find(token, 1, true), 'the token is in the log')
  stop_server()
  serve:kill('sigterm')
  serve:wait()
end)

io.write(('%d passed, %d failed\n'):format(passed, failed))
os.exit(failed == 0 and 0 or 1)
