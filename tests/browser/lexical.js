// Reads HTML from Google Docs' clipboard with Lexical, and returns Markdown. Images are as in Lexical's playground.
async html => {
  const { createEditor, $getRoot, $insertNodes, DecoratorNode, $applyNodeReplacement } = await import("lexical");
  const { $generateNodesFromDOM } = await import("@lexical/html");
  const { ListNode, ListItemNode } = await import("@lexical/list");
  const { HeadingNode, QuoteNode } = await import("@lexical/rich-text");
  const { LinkNode } = await import("@lexical/link");
  const { $convertToMarkdownString, CHECK_LIST, HEADING, ITALIC_STAR, ORDERED_LIST, UNORDERED_LIST } = await import("@lexical/markdown");

  // packages/lexical-playground/src/nodes/ImageNode.tsx: Docs has an image of the box before the paragraph of a task.
  const isBox = image =>
    image.parentElement?.tagName === "LI" && image.previousSibling === null && image.src.startsWith("data:image/png;base64,iVBOR");

  class ImageNode extends DecoratorNode {
    static getType() { return "image"; }
    static clone(node) { return new ImageNode(node.__alt, node.__key); }
    static importDOM() {
      const conversion = image => ({ node: isBox(image) ? null : new ImageNode(image.alt) });
      return { img: () => ({ conversion, priority: 0 }) };
    }
    constructor(alt, key) { super(key); this.__alt = alt; }
    createDOM() { return document.createElement("span"); }
    updateDOM() { return false; }
    isInline() { return true; }
    exportJSON() { return { type: "image", version: 1, alt: this.__alt }; }
  }

  const image = {
    dependencies: [ImageNode], export: node => node instanceof ImageNode ? `![${node.__alt}](image)` : null,
    importRegExp: /$^/, regExp: /$^/, replace: () => {}, type: "text-match",
  };
  const scripts = [["superscript", "^"], ["subscript", "~"]].map(([format, tag]) => ({ format: [format], tag, type: "text-format" }));
  const transformers = [CHECK_LIST, HEADING, ORDERED_LIST, UNORDERED_LIST, ITALIC_STAR, ...scripts, image];

  const editor = createEditor({
    nodes: [HeadingNode, ImageNode, LinkNode, ListItemNode, ListNode, QuoteNode], onError(error) { throw error; },
  });
  let markdown = "";
  editor.update(() => {
    const nodes = $generateNodesFromDOM(editor, new DOMParser().parseFromString(html, "text/html"));
    $getRoot().append(...nodes.filter(node => node.getType() !== "linebreak" && node.getTextContent().trim()));
    markdown = $convertToMarkdownString(transformers);
  }, { discrete: true });
  return markdown;
}
