// Remembers the smallest type that was written on every canvas, in the canvas's own pixels.
(() => {
  const written = new WeakMap();
  globalThis.gfWritten = written;
  const proto = CanvasRenderingContext2D.prototype;
  for (const name of ["fillText", "strokeText"]) {
    const write = proto[name];
    proto[name] = function (text, ...rest) {
      const size = parseFloat(/([\d.]+)px/.exec(this.font)?.[1] ?? "10");
      const { a, b } = this.getTransform();
      const drawn = size * Math.hypot(a, b);
      const known = written.get(this.canvas);
      if (String(text).trim() && (!known || drawn < known.size)) {
        written.set(this.canvas, { size: drawn, text: String(text) });
      }
      return write.call(this, text, ...rest);
    };
  }
})();
