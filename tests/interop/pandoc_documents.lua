-- For `pandoc lua`: reads the files that the file `names` lists, each a document of its own, and prints one JSON list: of
-- pandoc's trees; or, where the argument is `markdown`, of the Markdown that it writes for them.
local FORMATS = { html = "html-auto_identifiers+raw_html", txt = "gfm-tex_math_dollars-emoji-footnotes", json = "json" }
-- Without what would only be another way to say the same, and without signs for quotation marks and dashes.
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
