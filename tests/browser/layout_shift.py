"""How far the parts of a page have moved while it was loaded."""

from tests.browser.waiting import FRAMES

SHIFT = f"""async () => {{
  await ({FRAMES})();
  const observer = new PerformanceObserver(() => {{}});
  observer.observe({{type: "layout-shift", buffered: true}});
  return observer.takeRecords().reduce((shift, entry) => shift + entry.value, 0);
}}"""
"""Cumulative layout shift of the whole life of a page: https://web.dev/articles/cls"""
