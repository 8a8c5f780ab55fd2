--- What the server sends beyond plain LSP, and the server commands this editor completes first
--- (an answer in free text needs a question that plain LSP cannot ask).
local M = {}

local state = require('attractor.state')

local function redraw(uri)
  local bufnr = vim.uri_to_bufnr(uri)
  if vim.api.nvim_buf_is_loaded(bufnr) then
    require('attractor.marks').draw(bufnr)
  end
  require('attractor.buffer').refresh_lenses(bufnr)
  require('attractor.exit').update()
  vim.cmd.redrawstatus()
end

--- An offer to resume is a message, not a menu that blocks every opening of a file: the lens and
--- `:Attractor resume` stay. Other questions are asked as Neovim asks them.
local function message_request(err, params, context, config)
  local resume = vim.iter(params.actions or {}):any(function(action)
    return action.title == 'Resume'
  end)
  if resume then
    require('attractor.client').notify(params.message .. ' :Attractor resume')
    return vim.NIL
  end
  return vim.lsp.handlers['window/showMessageRequest'](err, params, context, config)
end

M.handlers = {
  ['window/showMessageRequest'] = message_request,
  ['attractor/runState'] = function(_, snapshot)
    state.update(snapshot)
    redraw(snapshot.uri)
  end,
  ['attractor/question'] = function(_, question)
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

-- Lenses and actions send these; sent from here, what goes wrong is shown in one way.
local function pass(command)
  require('attractor.client').execute(command.command, command.arguments[1])
end

M.commands = {
  ['attractor.run'] = pass,
  ['attractor.resume'] = pass,
  ['attractor.cancel'] = pass,
  ['attractor.preview'] = function(command)
    require('attractor.preview').open((command.arguments[1] or {}).graph)
  end,
  ['attractor.log'] = function(command)
    require('attractor.log').show(command.arguments[1])
  end,
  ['attractor.answer'] = function(command)
    local argument = command.arguments[1]
    if argument.answer or argument.text then
      pass(command)
    else
      require('attractor.gates').ask(argument.run, argument.question)
    end
  end,
}

return M
