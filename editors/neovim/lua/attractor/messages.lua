--- Handlers of server messages beyond plain LSP, and client-side handlers of server commands
--- (a free-text answer needs a prompt, which plain LSP does not have).
local M = {}

local consent = require('attractor.consent')
local state = require('attractor.state')

local function redraw(uri)
  local bufnr = vim.uri_to_bufnr(uri)
  if vim.api.nvim_buf_is_loaded(bufnr) then
    require('attractor.marks').draw(bufnr)
  end
  require('attractor.lenses').refresh(bufnr)
  require('attractor.exit').update()
  vim.cmd.redrawstatus()
end

local function offers(params, title)
  return vim.iter(params.actions or {}):any(function(action)
    return action.title == title
  end)
end

--- The action that shows the consent document. The question that follows it does not have it.
local SHOW = 'Show what it runs'
--- An action of every question whether to run a pipeline.
local RUN = 'Run once'

--- Waits until the consent document was read; false if its window was closed instead.
local function is_read()
  local current = coroutine.running()
  consent.when_read(function(read)
    coroutine.resume(current, read)
  end)
  return coroutine.yield()
end

--- An offer to resume is shown as a message, because a menu would block opening the file: the code lens and
--- `:Attractor resume` remain available. The question whether to run a pipeline waits while what it runs is read. Other
--- questions use the default handler of Neovim.
local function message_request(err, params, context, config)
  if offers(params, 'Resume') then
    require('attractor.client').notify(params.message .. ' :Attractor resume')
    return vim.NIL
  end
  if not offers(params, RUN) then
    return vim.lsp.handlers['window/showMessageRequest'](err, params, context, config)
  end
  if consent.is_shown() and not is_read() then
    return vim.NIL
  end
  local choice = vim.lsp.handlers['window/showMessageRequest'](err, params, context, config)
  if not (type(choice) == 'table' and choice.title == SHOW) then
    consent.close()
  end
  return choice
end

M.handlers = {
  ['window/showMessageRequest'] = message_request,
  ['window/showDocument'] = consent.show_document,
  ['attractor/runState'] = function(_, snapshot, context)
    snapshot.client = context.client_id
    state.update(snapshot)
    redraw(snapshot.uri)
  end,
  ['attractor/status'] = function(_, status)
    require('attractor.statusline').set_problem(status.health ~= 'ok' and status.message or nil)
    vim.cmd.redrawstatus()
  end,
  ['attractor/question'] = function(_, question, context)
    question.client = context.client_id
    state.open(question)
    redraw(question.uri)
    require('attractor.gates').opened(question)
  end,
  ['attractor/questionClosed'] = function(_, closed)
    local uri = closed.uri or (state.runs[closed.run] or {}).uri
    state.close(closed)
    if uri then
      redraw(uri)
    end
  end,
}

-- Commands of code lenses and code actions, sent through `client.execute` so that errors are shown consistently.
local function forward(command)
  require('attractor.client').execute(command.command, command.arguments[1])
end

M.commands = {
  ['attractor.run'] = forward,
  ['attractor.resume'] = forward,
  ['attractor.cancel'] = forward,
  ['attractor.preview'] = function(command)
    require('attractor.preview').open((command.arguments[1] or {}).graph)
  end,
  ['attractor.log'] = function(command)
    require('attractor.log').show(command.arguments[1])
  end,
  ['attractor.diff'] = function(command)
    require('attractor.changes').show(command.arguments[1])
  end,
  ['attractor.revert'] = function(command)
    require('attractor.changes').revert(command.arguments[1])
  end,
  ['attractor.answer'] = function(command)
    local argument = command.arguments[1]
    if argument.answer or argument.text then
      forward(command)
    else
      require('attractor.gates').ask(argument.run, argument.question)
    end
  end,
}

return M
