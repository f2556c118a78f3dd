-- For `pandoc lua`: reads a JSON list of texts from standard input, and prints a list of their HTML.
local pages = pandoc.List()
for _, text in ipairs(pandoc.json.decode(io.read("a"), false)) do
  local is_read, document = pcall(pandoc.read, text, "markdown")
  pages:insert(is_read and pandoc.write(document, "html", { wrap_text = "preserve", html_math_method = "mathjax" }) or "unreadable")
end
print(pandoc.json.encode(pages))
