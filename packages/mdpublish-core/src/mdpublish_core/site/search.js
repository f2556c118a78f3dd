// Full-text search in the index of a site, by BM25 over sections: titles and headings weigh more than text. Words match their
// beginnings, so that "table" finds "tables" and what is typed finds what it may become.
/** @type {SiteSearch} */
const siteSearch = (() => {
  "use strict";

  // k1 and b of BM25; what a word in each field is worth.
  const SATURATION = 1.2, PAGE_SATURATION = 12, LENGTH_SHARE = 0.6;
  const TITLE = 8, PATH = 4, HEADING = 6, HEADING_OF_PAGE = 2, LABEL = 3, TEXT = 1;
  // How much of a page's score its sections get.
  const PAGE_SHARE = 1;
  const MAX_SUFFIX = 4, MIN_PREFIX = 3, MAX_RESULTS = 12, SNIPPET = 140, MAX_TERMS = 16;
  const WORD = /[\p{L}\p{N}_]+/gu;
  const NO_SPACES = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}]/u;
  // So frequent in questions that they tell pages apart by chance alone.
  const STOP = new Set("a an and are as at be by can do does for from how i in is it my of on or that the there this to what when where which who why with you".split(" "));

  const words = (/** @type {string} */ text) => {
    const found = /** @type {string[]} */ ([]);
    for (const word of text.normalize("NFKC").toLowerCase().match(WORD) ?? []) {
      if (!NO_SPACES.test(word)) {
        found.push(word.normalize("NFD").replace(/\p{M}/gu, "") || word);
        continue;
      }
      // Pairs of characters, where words have no spaces between them.
      const characters = Array.from(word);
      if (characters.length === 1) found.push(word);
      for (let place = 0; place + 1 < characters.length; place++) found.push(characters[place] + characters[place + 1]);
    }
    return found;
  };

  /** Postings: how much of each word each document has. @type {() => SitePostings} */
  const newPostings = () => ({ words: new Map(), lengths: [] });

  /** @type {(postings: SitePostings, number: number, text: string, weight: number) => void} */
  const add = (postings, number, text, weight) => {
    const found = words(text);
    for (const word of found) {
      let counts = postings.words.get(word);
      if (!counts) postings.words.set(word, (counts = new Map()));
      counts.set(number, (counts.get(number) ?? 0) + weight);
    }
    postings.lengths[number] = (postings.lengths[number] ?? 0) + found.length;
  };

  /** @type {SiteSearch["load"]} */
  const load = (pages) => {
    const sections = /** @type {SiteSection[]} */ ([]);
    const inSections = newPostings();
    const inPages = newPostings();
    pages.forEach(([url, title, labels, parts], page) => {
      add(inPages, page, title, TITLE);
      add(inPages, page, decodeURIComponent(url.replace(/(?:index)?\.html$/, "")), PATH);
      add(inPages, page, labels, LABEL);
      (parts.length ? parts : [["", "", "", ""]]).forEach(([anchor, heading, text, names], place) => {
        // The first section stands for its page.
        const section = place ? { page, url, title, anchor, heading, text } : { page, url, title, anchor: "", heading: "", text };
        const number = sections.push(section) - 1;
        add(inSections, number, heading || title, HEADING);
        add(inSections, number, place ? names : `${labels}\n${names}`, LABEL);
        add(inSections, number, text, TEXT);
        add(inPages, page, names, LABEL);
        add(inPages, page, heading, HEADING_OF_PAGE);
        add(inPages, page, text, TEXT);
      });
    });
    return { sections, inSections, inPages, vocabulary: [...inPages.words.keys()].sort() };
  };

  // The score of each document that has one of the terms, and how many it has.
  /** @type {(index: SiteIndex, postings: SitePostings, terms: string[], saturation: number) => Map<number, number>} */
  const rank = (index, postings, terms, saturation) => {
    const mean = postings.lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, postings.lengths.length) || 1;
    const scores = new Map();
    for (const term of terms) {
      const best = new Map();
      for (const [word, fit] of expand(index, term)) {
        const counts = postings.words.get(word) ?? new Map();
        const rarity = Math.log(1 + (postings.lengths.length - counts.size + 0.5) / (counts.size + 0.5));
        for (const [number, count] of counts) {
          const length = 1 - LENGTH_SHARE + (LENGTH_SHARE * postings.lengths[number]) / mean;
          const score = (fit * rarity * count * (saturation + 1)) / (count + saturation * length);
          if (score > (best.get(number) ?? 0)) best.set(number, score);
        }
      }
      for (const [number, score] of best) {
        const [sum, matches] = scores.get(number) ?? [0, 0];
        scores.set(number, [sum + score, matches + 1]);
      }
    }
    return new Map([...scores].map(([number, [sum, matches]]) => [number, sum * (matches / terms.length) ** 2]));
  };

  /** Words of the index that a term stands for, with how well each fits. @type {(index: SiteIndex, term: string) => [string, number][]} */
  const expand = (index, term) => {
    const found = /** @type {[string, number][]} */ ([]);
    const has = (/** @type {string} */ word) => index.inPages.words.has(word) || index.inSections.words.has(word);
    if (has(term)) found.push([term, 1]);
    if (term.length < MIN_PREFIX) return found;
    const { vocabulary } = index;
    let low = 0, high = vocabulary.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (vocabulary[middle] < term) low = middle + 1;
      else high = middle;
    }
    for (; low < vocabulary.length && vocabulary[low].startsWith(term); low++) {
      const word = vocabulary[low];
      if (word !== term) found.push([word, word.length - term.length <= MAX_SUFFIX ? 0.6 : 0.25]);
    }
    for (let length = term.length - 1; length >= Math.max(MIN_PREFIX + 1, term.length - MAX_SUFFIX); length--) {
      const stem = term.slice(0, length);
      if (has(stem)) found.push([stem, 0.5]);
    }
    return found;
  };

  /** @type {SiteSearch["search"]} */
  const search = (index, query) => {
    const all = [...new Set(words(query))].slice(0, MAX_TERMS);
    const meant = all.filter((word) => !STOP.has(word));
    const terms = meant.length ? meant : all;
    const phrase = query.normalize("NFKC").toLowerCase().trim();
    const pageScores = rank(index, index.inPages, terms, PAGE_SATURATION);
    const ranked = /** @type {[SiteSection, number][]} */ ([...rank(index, index.inSections, terms, SATURATION)].map(([number, score]) => {
      const section = index.sections[number];
      const isNamed = (section.heading || section.title).toLowerCase().includes(phrase);
      const hasPhrase = isNamed ? 1.5 : section.text.toLowerCase().includes(phrase) ? 1.15 : 1;
      return [section, score * hasPhrase + PAGE_SHARE * (pageScores.get(section.page) ?? 0)];
    }));
    ranked.sort((one, other) => other[1] - one[1]);
    const perPage = new Map();
    const results = [];
    for (const [section, score] of ranked) {
      const shown = perPage.get(section.url) ?? 0;
      if (shown >= 3) continue;
      perPage.set(section.url, shown + 1);
      results.push({ ...section, score, snippet: snippet(section.text, terms) });
      if (results.length === MAX_RESULTS) break;
    }
    return results;
  };

  const snippet = (/** @type {string} */ text, /** @type {string[]} */ terms) => {
    const lower = text.toLowerCase();
    const places = terms.map((term) => lower.indexOf(term)).filter((place) => place >= 0);
    const begin = Math.max(0, Math.min(...(places.length ? places : [0])) - 40);
    // Between words, where there are any nearby.
    const start = begin ? text.slice(0, begin + 20).lastIndexOf(" ") + 1 || begin : 0;
    const end = start + SNIPPET < text.length ? text.lastIndexOf(" ", start + SNIPPET) : text.length;
    const cut = text.slice(start, end > start ? end : start + SNIPPET).trim();
    return `${start ? "… " : ""}${cut}${end < text.length ? " …" : ""}`;
  };

  /** The text in parts, each with whether it is a word that the query looks for. @type {SiteSearch["parts"]} */
  const parts = (text, query) => {
    const terms = words(query);
    const isHit = (/** @type {string} */ part) => words(part).some((word) => terms.some((term) => word === term
      || (term.length >= MIN_PREFIX && word.startsWith(term))
      || (word.length > MIN_PREFIX && term.startsWith(word) && term.length - word.length <= MAX_SUFFIX)));
    return text.split(/([\p{L}\p{N}_]+)/u).map((part, place) => [part, place % 2 === 1 && isHit(part)]);
  };

  return { load, search, parts };
})();
