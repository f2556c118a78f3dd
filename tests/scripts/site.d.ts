// What the scripts of the site find on its pages: the templates' attributes and fields, and values that several modules share.

type TextName = "content" | "title" | "template_id" | "theme_mode" | "description" | "page_width";
/** The fields of a document that are saved together. */
type DocumentText = Record<TextName, string>;
/** What is known to be stored: nothing has the content null. */
type KnownText = { [name in TextName]?: string | null };
/** As the service responds to a save. */
interface StoredDocument extends DocumentText {
  path: string;
  revision: string;
  is_changed: boolean;
  /** What to replace in the text that was sent, if it was merged with another: start, end, and what is there then. */
  merged?: [number, number, string][] | null;
  says: string;
}
/** Another text than the page knows, and the blocks to choose from, as HTML. */
interface Met {
  stored: StoredDocument;
  conflict: string;
}

/** A row of the browser's database. */
interface LocalCopy {
  path: string;
  page: string;
  text: DocumentText;
  base?: string;
  time: number;
}
/** One of those, or what was written on the home page, which has no page. */
interface LeftText extends Omit<LocalCopy, "text"> {
  text: Partial<DocumentText>;
}
interface LocalCopies {
  keep(path: string, text: DocumentText, base: string): Promise<unknown>;
  forget(path: string): Promise<unknown>;
  drop(row: Pick<LocalCopy, "path" | "page">): Promise<unknown>;
  left(path: string, again: () => void): Promise<LocalCopy[]>;
}

/** What the workbench tells the keeper of the text: a draft in this browser, or a document. */
interface Draft {
  clear(): () => void;
  publish(): void;
  edited(): void;
}

type StorageArea = "localStorage" | "sessionStorage";
type Tags = HTMLElementTagNameMap;
/** What the preview is told in passing. */
type Remark = (message: string) => unknown;
type ShowNotices = (list: Notice[]) => void;
/** Tells in which form the text arrives at a place. */
type Arrive = (place: string, delivery: string) => void;
type KeyAction = (() => unknown) & { isEverywhere?: boolean };
type Say = (message: string, ...actions: (Node | string)[]) => void;
type Offer = (words: string, ...actions: [label: string, action: () => unknown][]) => void;

/** As the service gives it: lines and columns begin with 1. */
interface Notice {
  message: string;
  line: number | null;
  column: number | null;
  source: string | null;
  fix: string | null;
}

/** A text and what is selected in it. */
interface Selected {
  value: string;
  start: number;
  end: number;
}
/** What is written in place of a part; `from` and `to` are selected then. */
interface Edit {
  start: number;
  end: number;
  content: string;
  from?: number;
  to?: number;
}
type Command = (state: Selected) => Edit;
type Rewrite = (line: string, index: number) => string;
/** A table of pipes in a text, and where the caret is in it; the second row are the delimiters. */
interface Table {
  first: number;
  last: number;
  rows: string[][];
  row: number;
  column: number;
}
/** Code between marks: what is before the first one, and on which lines they are. */
interface Fence {
  indent: string;
  mark: string;
  first: number;
  last: number;
}
/** The lines that a selection touches, as far as they move together, and what the lines of its text are. */
interface Moving {
  lines: string[];
  fences: (Fence | null)[];
  first: number;
  last: number;
  isCode: boolean;
  isItem(line: number): boolean;
  isOpen(line: number): boolean;
  leadOf(line: number): number;
  endOf(line: number): number;
}
/** An item of a list in a text: where its line is, and the column that what is in it begins at. */
interface ListItem {
  list: { kind: string; items: ListItem[]; level: string; parent: ListItem | undefined };
  index: number;
  quotes: number;
  number: string;
  lead: string;
  content: number;
  shift: number;
}
/** Where something is pasted, and what it is as plain text. */
interface Place {
  start?: number;
  end?: number;
  plain?: string;
  name?: string;
}
/** A part of a text that is followed until it is released. */
interface TextPart {
  start: number;
  end: number;
  release: () => void;
}
interface Pasting {
  bringFiles(files: File[], place?: Place): Promise<void>;
}

/** Where the lines of a text are, in px; a part of a line counts. */
interface Lines {
  topOf(line: number): number;
  lineOf(top: number): number;
  reveal(offset: number): void;
  goTo(offset: number): void;
  elementOf(line: number): HTMLElement;
}
type Match = [start: number, end: number];
/** What the toolbar's menus lead to. */
interface ToolbarParts {
  goTo(offset: number): void;
  say: Say;
  view(name: string): void;
}

/** What a place's clipboard holds, by media type, and in which form it arrives there. */
interface Copied {
  flavors: Record<string, string>;
  delivery: string;
  isOld?: boolean;
}
interface Loading {
  key: string;
  flavors: Copied["flavors"] | null;
  done: Promise<Copied>;
}

/** A word that stands once in a text, there and in the preview. */
interface TextNode extends Text {
  readonly parentElement: HTMLElement;
}
interface Anchor {
  at: number;
  node: TextNode;
  inNode: number;
}

/** A block of the preview: as the server names it, and what shows it. */
interface Block {
  key: string;
  nodes: ChildNode[];
}
/** A preview as the server sends it: a run of blocks that are shown is given by its ends. */
interface BlockedPage {
  container: string;
  shell: { key: string; html: string | null };
  blocks: ({ key: string; html: string } | [start: number, end: number])[];
}
/** The element of a document that was parsed: it has a head and a body. */
interface Page extends HTMLElement {
  readonly firstElementChild: HTMLElement;
  readonly lastElementChild: HTMLElement;
}
interface ShownBlocks {
  place: string;
  key: string;
  shell: Page;
  container: Element;
  end: ChildNode | null;
  list: Block[];
}

/** Of a version of a text; `full` is how many there were when all were made. */
interface Anchors {
  value: string;
  list: Anchor[];
  full: number;
}

interface ThemeModes extends RadioNodeList {
  [Symbol.iterator](): ArrayIterator<HTMLInputElement>;
}
interface WorkbenchElements extends HTMLFormControlsCollection {
  content: HTMLTextAreaElement;
  title: HTMLInputElement;
  description: HTMLInputElement;
  page_width: HTMLSelectElement;
  template_id: HTMLSelectElement;
  theme_mode: ThemeModes;
  revision: HTMLInputElement;
  base: HTMLInputElement;
  nonce: HTMLInputElement;
  folder?: HTMLInputElement;
}
interface Workbench extends HTMLFormElement {
  readonly elements: WorkbenchElements;
}
/** A frame of the service's own pages. */
interface OwnFrame extends HTMLIFrameElement {
  readonly contentDocument: Document;
  readonly contentWindow: Window & typeof globalThis;
}

/** A template of the gallery: the URLs of its pictures, and the words that it is found by. */
interface GalleryTemplate {
  id: string;
  name: string;
  words: string;
  light: string;
  dark: string;
}

/** What the palette offers: a page, something that is done, or both. */
interface PaletteEntry {
  group: string;
  label: string;
  detail: string;
  /** What it is found by, if it is more than what is shown. */
  words?: string;
  href?: string;
  run?: () => void;
}

/** The search of a generated site, and its index: how often each word is in each page and section. */
interface SitePostings {
  words: Map<string, Map<number, number>>;
  lengths: number[];
}
interface SiteSection {
  page: number;
  url: string;
  title: string;
  anchor: string;
  heading: string;
  text: string;
}
interface SiteIndex {
  sections: SiteSection[];
  inSections: SitePostings;
  inPages: SitePostings;
  vocabulary: string[];
}
type IndexedSection = [anchor: string, heading: string, text: string, labels: string];
type IndexedPage = [url: string, title: string, labels: string, sections: IndexedSection[]];
interface SiteSearch {
  load(pages: IndexedPage[]): SiteIndex;
  search(index: SiteIndex, query: string): (SiteSection & { score: number; snippet: string })[];
  parts(text: string, query: string): [part: string, isHit: boolean][];
}
declare const siteSearch: SiteSearch;
interface Window {
  mdpublishSearch: (pages: IndexedPage[]) => void;
}
interface SearchForm extends HTMLFormElement {
  querySelector(selectors: "input"): HTMLInputElement;
  querySelector(selectors: "[role=status]" | "ol"): HTMLElement;
}

/** What `mdpublish preview` shows: "exact" is the same position, "share" the same share of the height. */
type PreviewPlace = "exact" | "share";
type PreviewDefaults = { to: string; template: string; mode: string };
interface PreviewChoices {
  file: string;
  destinations: { name: string; summary: string; styled: boolean }[];
  groups: { name: string; templates: { id: string; name: string }[] }[];
  modes: string[];
  defaults: PreviewDefaults;
}
interface PreviewState {
  shown: boolean;
  version: string;
  problem: string | null;
  notices: (Notice & { code: string })[];
}

/** What each selector finds. What only some pages have may be null. */
interface Found {
  iframe: OwnFrame;
  "iframe[name=preview]": OwnFrame;
  ".panes iframe": OwnFrame;
  h1: HTMLElement;
  h2: HTMLElement;
  b: HTMLElement;
  select: HTMLSelectElement;
  "form.site-search": SearchForm | null;
  "pre > code": HTMLElement;
  "iframe:not(.coming)": OwnFrame | null;
  ".site-contents a": HTMLAnchorElement;
  "[data-conflict]": HTMLElement;
  "[data-copy]": HTMLElement;
  "[aria-invalid]": HTMLElement | null;
  "[data-access]": HTMLFormElement | null;
  "[data-access] .actions": HTMLElement;
  "[data-copy-link]": HTMLElement | null;
  "[data-copy-source]": HTMLElement;
  "[data-count]": HTMLElement;
  "[data-changes]": HTMLElement;
  "[data-difference]": HTMLElement;
  "[data-draft]": HTMLElement | null;
  "[data-file]": HTMLInputElement | null;
  "[data-fix]": HTMLElement | null;
  "[data-form]": HTMLElement;
  "[data-formatting]": HTMLElement;
  "[data-gallery]": HTMLElement;
  "[data-line]": HTMLElement;
  "[data-link]": (HTMLElement & Partial<HTMLInputElement>) | null;
  "[data-message]": HTMLElement;
  "[data-mine]": HTMLDetailsElement;
  "[data-notices]": HTMLElement;
  "[data-once-stored]": HTMLElement;
  "[data-palette]": HTMLAnchorElement;
  ".palette": PaletteDialog;
  kbd: HTMLElement;
  ".documents > li": HTMLElement;
  "[data-open]": HTMLElement | null;
  "[data-picker]": HTMLButtonElement & { form: Workbench };
  "[data-place]": HTMLButtonElement;
  "[data-saved]": HTMLElement;
  "[data-script]": HTMLElement;
  "[data-sharing]": HTMLAnchorElement | null;
  "[data-share]": HTMLElement;
  "[name=expires_at]": HTMLInputElement | null;
  "[data-stage]": HTMLElement & { dataset: { stage: string } };
  "[data-status]": HTMLElement;
  "[data-when-changed]": HTMLElement;
  "[data-when-changed], [data-when-unchanged]": HTMLElement;
  "[data-width]": HTMLInputElement;
  "[data-widths]": HTMLElement;
  "[name=nonce]": HTMLInputElement | null;
  "[name=picked_mode]": HTMLInputElement;
  "[name=theme_mode]:checked": HTMLInputElement;
  "[popover]": HTMLElement | null;
  ".copies": HTMLElement;
  ".copies button": HTMLButtonElement;
  ".cards a": HTMLAnchorElement;
  ".filter a": HTMLAnchorElement;
  "[data-found]": HTMLElement;
  "[type=search]": HTMLInputElement | null;
  ".handing": HTMLDialogElement;
  ".panes > section": HTMLElement;
  ".switch": HTMLElement;
  "[data-copying]": Workbench;
  ".doing [data-script]": HTMLElement;
  main: HTMLElement;
  ".facts a[href*='//']": HTMLAnchorElement | null;
  ".titling button[name=do]:not([aria-describedby])": HTMLButtonElement;
  "[data-gallery] .filter a": HTMLAnchorElement | null;
  "button.primary:not([hidden])": HTMLButtonElement | null;
  "button[name=do][value=save]:not([data-mine])": HTMLButtonElement | null;
}
interface PaletteDialog extends HTMLDialogElement {
  readonly children: HTMLCollection & [HTMLInputElement, HTMLElement, HTMLElement];
}
interface ParentNode {
  querySelector<Selector extends keyof Found>(selectors: Selector): Found[Selector];
  querySelectorAll<Selector extends keyof Found>(selectors: Selector): NodeListOf<NonNullable<Found[Selector]>>;
}
interface Element {
  closest<Selector extends keyof Found>(selectors: Selector): Found[Selector] | null;
}
interface Document {
  getElementById(elementId: "workbench" | "template"): Workbench;
  getElementById(elementId: "site-menu"): HTMLElement;
}
/** Null only in frames that are not shown. */
declare function getSelection(): Selection;
