; extends
; Written from the catalogue by `just docs`: languages inside strings.
((attribute
  name: (id) @_name
  value: (id (string_literal) @injection.content))
  (#any-of? @_name "tool_hooks.pre" "tool_hooks.post" "command" "tool_command" "script" "pre_hook" "post_hook")
  (#offset! @injection.content 0 1 0 -1)
  (#set! injection.language "bash"))

((attribute
  name: (id) @_name
  value: (id (string_literal) @injection.content))
  (#any-of? @_name "goal" "prompt" "llm_prompt" "system_prompt" "user_instructions" "stdin" "question" "attachments_inline" "manager.steering_message" "reason")
  (#offset! @injection.content 0 1 0 -1)
  (#set! injection.language "markdown"))

((attribute
  name: (id) @_name
  value: (id (string_literal) @injection.content))
  (#any-of? @_name "model_stylesheet" "stylesheet")
  (#offset! @injection.content 0 1 0 -1)
  (#set! injection.language "css"))
