--- Prompts for any number of options: each choice switches one of them, until the answer is sent.
local M = {}

---@param prompt string
---@param options {key: string, label: string}[]
---@param label_of fun(option: table): string
---@param done fun(keys: string[])
function M.choose(prompt, options, label_of, done)
  local picked = {}
  local function keys()
    local found = {}
    for _, option in ipairs(options) do
      if picked[option.key] then
        table.insert(found, option.key)
      end
    end
    return found
  end
  local function menu()
    local items = vim.list_extend({}, options)
    local send = { label = '✔ answer: ' .. table.concat(keys(), ', ') }
    if next(picked) then
      table.insert(items, send)
    end
    vim.ui.select(items, {
      prompt = prompt,
      kind = 'attractor',
      format_item = function(item)
        return item == send and send.label or ('[%s] %s'):format(picked[item.key] and 'x' or ' ', label_of(item))
      end,
    }, function(item)
      if item == send then
        done(keys())
      elseif item then
        picked[item.key] = not picked[item.key] or nil
        -- A menu that blocks would be nested in the one before.
        vim.schedule(menu)
      end
    end)
  end
  menu()
end

return M
