-- A session of Neovim with the language server that its settings name. What was seen is written to $SESSION, as JSON.
local seen = {}

local function await(what, ask)
  local ok = vim.wait(30000, function() return ask() end, 20)
  assert(ok, "waited for " .. what)
end

-- request asks the server of the buffer about the place of the n-th occurrence of a text.
local function request(method, text, more)
  local line, column = unpack(vim.fn.searchpos("\\V" .. text, "nw"))
  vim.api.nvim_win_set_cursor(0, { line, column - 1 })
  local params = vim.tbl_extend("force", vim.lsp.util.make_position_params(0, "utf-16"), more or {})
  for _, answer in pairs(assert(vim.lsp.buf_request_sync(0, method, params, 30000))) do
    return answer.result
  end
end

local function session()
  vim.cmd("edit family.pl")
  seen.filetype = vim.bo.filetype
  await("diagnostics", function() return #vim.diagnostic.get(0) > 0 end)
  local found = vim.diagnostic.get(0)[1]
  seen.diagnostic = { found.lnum, found.col, found.code, found.message }
  seen.hover = request("textDocument/hover", "age(X").contents.value
  seen.definition = request("textDocument/definition", "age(X")[1].range.start.line
  seen.references = #request("textDocument/references", "age(X", { context = { includeDeclaration = true } })
  vim.api.nvim_win_set_cursor(0, { found.lnum + 1, found.col })
  local at = vim.lsp.util.make_position_params(0, "utf-16").position
  local actions = request("textDocument/codeAction", "agee", { range = { start = at, ["end"] = at },
    context = { diagnostics = {} } })
  for _, action in ipairs(actions or {}) do
    if action.title:find("Change") then
      seen.fix = action.title
      vim.lsp.util.apply_workspace_edit(action.edit, "utf-16")
    end
  end
  await("no diagnostics", function() return #vim.diagnostic.get(0) == 0 end)
  vim.lsp.util.apply_workspace_edit(request("textDocument/rename", "age(X", { newName = "years" }), "utf-16")
  seen.renamed = vim.api.nvim_buf_get_lines(0, 0, -1, false)
  vim.api.nvim_buf_set_lines(0, -1, -1, false, { "x(X):-ye" })
  vim.api.nvim_win_set_cursor(0, { vim.api.nvim_buf_line_count(0), 8 })
  local params = vim.lsp.util.make_position_params(0, "utf-16")
  params.position.character = 8
  for _, answer in pairs(vim.lsp.buf_request_sync(0, "textDocument/completion", params, 30000)) do
    for _, item in ipairs(answer.result.items) do
      if item.label:find("^years") then
        seen.completion = item.label
      end
    end
  end
  vim.api.nvim_buf_set_lines(0, -2, -1, false, { "x(X):-years(X,_)." })
  if vim.lsp.buf.format then
    vim.lsp.buf.format()
  else
    vim.lsp.buf.formatting_sync(nil, 30000)
  end
  seen.formatted = vim.api.nvim_buf_get_lines(0, -2, -1, false)[1]
  await("the end of diagnostics", function() return #vim.diagnostic.get(0) == 0 end)
end

local ok, err = pcall(session)
if not ok then
  seen.error = err
end
local file = assert(io.open(os.getenv("SESSION"), "w"))
file:write(vim.fn.json_encode(seen))
file:close()
vim.cmd("qall!")
