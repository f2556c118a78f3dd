"""How far the parts of a page have moved while it was loaded."""

SHIFT = """() => new Promise(resolve => {
  let shift = 0;
  new PerformanceObserver(list => {
    for (const entry of list.getEntries()) shift += entry.value;
  }).observe({type: "layout-shift", buffered: true});
  setTimeout(() => resolve(shift), 200);
})"""
"""Cumulative layout shift of the whole life of a page: https://web.dev/articles/cls"""
