-- A reader for pandoc: each file becomes a Div, with footnotes and anchors of its own.
function Reader(sources, options)
  local documents = pandoc.List()
  for _, source in ipairs(sources) do
    local document = pandoc.read(source.text, "html+raw_html-auto_identifiers", options)
    documents:insert(pandoc.Div(document.blocks))
  end
  return pandoc.Pandoc(documents)
end
