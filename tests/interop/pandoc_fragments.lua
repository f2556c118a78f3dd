-- A reader for pandoc: each file is a document of its own, whose footnotes and anchors are no other's, and a Div.
function Reader(sources, options)
  local documents = pandoc.List()
  for _, source in ipairs(sources) do
    local document = pandoc.read(source.text, "html+raw_html-auto_identifiers", options)
    documents:insert(pandoc.Div(document.blocks))
  end
  return pandoc.Pandoc(documents)
end
