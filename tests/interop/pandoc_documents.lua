-- For `pandoc lua`: reads the files listed in `names`, each a document, and prints a JSON list of pandoc's trees, or with the
-- argument `markdown` of their Markdown.
local FORMATS = { html = "html-auto_identifiers+raw_html", txt = "gfm-tex_math_dollars-emoji-footnotes", json = "json" }
-- Without redundant syntax, and without smart quotes and dashes.
local MARKDOWN = "markdown-simple_tables-multiline_tables-smart-raw_attribute-inline_code_attributes"

local found = pandoc.List()
for name in io.lines("names") do
  local file = io.open(name, "rb")
  local content = file:read("a")
  file:close()
  local document = pandoc.read(content, FORMATS[name:match("%a+$")])
  found:insert(pandoc.write(document, arg[1] == "markdown" and MARKDOWN or "json", { wrap_text = "preserve" }))
end
print(pandoc.json.encode(found))
