// Full-text search in the index of a site, by BM25 over sections: titles and headings weigh more than text. Words match their
// beginnings, so that "table" finds "tables" and what is typed finds what it may become.
const siteSearch = (() => {
  "use strict";

  // k1 and b of BM25; what a word in each field is worth.
  const SATURATION = 1.2, LENGTH_SHARE = 0.6;
  const TITLE = 10, HEADING = 7, PATH = 3, TEXT = 1;
  const MAX_SUFFIX = 4, MIN_PREFIX = 3, MAX_RESULTS = 12, SNIPPET = 140, MAX_TERMS = 16;
  const WORD = /[\p{L}\p{N}_]+/gu;
  const NO_SPACES = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}]/u;
  // So frequent in questions that they tell pages apart by chance alone.
  const STOP = new Set("a an and are as at be by can do does for from how i in is it my of on or that the there this to what when where which who why with you".split(" "));

  const words = (text) => {
    const found = [];
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

  const load = (pages) => {
    const sections = [];
    const postings = new Map();
    let total = 0;
    const add = (text, weight, number) => {
      const found = words(text);
      for (const word of found) {
        let counts = postings.get(word);
        if (!counts) postings.set(word, (counts = new Map()));
        counts.set(number, (counts.get(number) ?? 0) + weight);
      }
      return found.length;
    };
    for (const [url, title, parts] of pages) {
      const first = sections.length;
      const path = url.replace(/(?:index)?\.html$/, "");
      for (const [anchor, heading, text] of parts.length ? parts : [["", title, ""]]) {
        const number = sections.length;
        const isFirst = number === first;
        const section = { url, title, anchor: isFirst ? "" : anchor, heading: isFirst ? "" : heading, text, length: 0 };
        sections.push(section);
        // The first section stands for its page.
        if (isFirst) add(`${title}`, TITLE, number);
        add(heading, isFirst ? 1 : HEADING, number);
        add(decodeURIComponent(path), isFirst ? PATH : 1, number);
        if (!isFirst) add(title, 2, number);
        section.length = add(text, TEXT, number);
        total += section.length;
      }
    }
    return { sections, postings, vocabulary: [...postings.keys()].sort(), mean: total / Math.max(1, sections.length) };
  };

  // Words of the index that a term stands for, with how well each fits.
  const expand = (index, term) => {
    const found = [];
    if (index.postings.has(term)) found.push([term, 1]);
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
      if (index.postings.has(stem)) found.push([stem, 0.5]);
    }
    return found;
  };

  const search = (index, query) => {
    const all = [...new Set(words(query))].slice(0, MAX_TERMS);
    const meant = all.filter((word) => !STOP.has(word));
    const terms = meant.length ? meant : all;
    const scores = new Map();
    const matched = new Map();
    for (const term of terms) {
      const best = new Map();
      for (const [word, fit] of expand(index, term)) {
        const counts = index.postings.get(word);
        const rarity = Math.log(1 + (index.sections.length - counts.size + 0.5) / (counts.size + 0.5));
        for (const [number, count] of counts) {
          const length = 1 - LENGTH_SHARE + (LENGTH_SHARE * index.sections[number].length) / (index.mean || 1);
          const score = (fit * rarity * count * (SATURATION + 1)) / (count + SATURATION * length);
          if (score > (best.get(number) ?? 0)) best.set(number, score);
        }
      }
      for (const [number, score] of best) {
        scores.set(number, (scores.get(number) ?? 0) + score);
        matched.set(number, (matched.get(number) ?? 0) + 1);
      }
    }
    const phrase = query.normalize("NFKC").toLowerCase().trim();
    const ranked = [...scores].map(([number, score]) => {
      const section = index.sections[number];
      const names = `${section.heading || section.title}`.toLowerCase();
      const hasPhrase = names.includes(phrase) ? 1.5 : section.text.toLowerCase().includes(phrase) ? 1.15 : 1;
      return [section, score * hasPhrase * (matched.get(number) / terms.length) ** 2];
    });
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

  const snippet = (text, terms) => {
    const lower = text.toLowerCase();
    const places = terms.map((term) => lower.indexOf(term)).filter((place) => place >= 0);
    const begin = Math.max(0, Math.min(...(places.length ? places : [0])) - 40);
    const cut = text.slice(begin, begin + SNIPPET).trim();
    return `${begin ? "… " : ""}${cut}${begin + SNIPPET < text.length ? " …" : ""}`;
  };

  return { load, search };
})();
