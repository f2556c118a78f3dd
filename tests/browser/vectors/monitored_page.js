// Runs first in every frame: the functions that vectors call to show that they ran log to the console. Not `eval`, which
// Playwright uses.
(() => {
  const tell = console.debug.bind(console, "__ran");
  Object.defineProperty(window, "__ran", { value: (number) => tell(String(number)) });
  for (const name of ["alert", "confirm", "prompt", "print", "open", "fetch", "Worker", "SharedWorker", "EventSource"]) {
    window[name] = (...words) => tell(`${name}(${words.map(String).join(", ").slice(0, 80)})`);
  }
  document.write = document.writeln = (...words) => tell(`write(${String(words).slice(0, 80)})`);
  XMLHttpRequest.prototype.open = (...words) => tell(`XMLHttpRequest(${String(words).slice(0, 80)})`);
  Navigator.prototype.sendBeacon = (...words) => tell(`sendBeacon(${String(words).slice(0, 80)})`);
  for (const name of ["setTimeout", "setInterval"]) {
    const original = window[name].bind(window);
    window[name] = (work, ...rest) => (typeof work === "function" ? original(work, ...rest) : tell(`${name}(${work})`));
  }
})();
