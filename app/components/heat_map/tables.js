// @ts-check
/// <reference path="../data.js" />
/// <reference path="../draw.js" />
/** A matrix as text: to take along, and for screen readers. */

const MOST_TABLE_CELLS = 4096;

/** The exact values; masked cells stay empty. @param {Frame} frame */
function asCsv({ header, arrays: { values, hidden } }) {
  const quoted = (/** @type {unknown} */ text) => `"${String(text).replaceAll('"', '""')}"`;
  const corner = [header.row_title, header.column_title].filter(Boolean).join(" \\ ");
  const lines = [`# ${visibleLine(header.caption || header.label)}`, [corner, ...header.columns].map(quoted).join(",")];
  header.rows.forEach((/** @type {string} */ name, /** @type {number} */ row) => {
    const start = row * header.columns.length;
    const cells = header.columns.map((/** @type {string} */ _, /** @type {number} */ i) =>
      hidden?.[start + i] ? "" : values[start + i],
    );
    lines.push([quoted(name), ...cells].join(","));
  });
  return new Blob([lines.join("\n"), "\n"], { type: "text/csv" });
}

/** What a screen reader reads; of a large matrix, its name alone. @param {Frame} frame */
function asTable({ header, arrays: { values, hidden } }) {
  const body = element("table");
  body.append(element("caption", "", header.label));
  if (values.length > MOST_TABLE_CELLS) return body;
  const head = body.appendChild(element("tr"));
  for (const text of ["", ...header.columns]) head.append(element("th", "", text));
  header.rows.forEach((/** @type {string} */ text, /** @type {number} */ row) => {
    const line = body.appendChild(element("tr"));
    line.append(element("th", "", text));
    header.columns.forEach((/** @type {string} */ _, /** @type {number} */ column) => {
      const i = row * header.columns.length + column;
      const value = hidden?.[i] ? "masked" : number(values[i]);
      const notes = [header.cell_notes[row]?.[column], header.names?.notes[row][column]];
      line.append(element("td", "", [value, ...notes].filter(Boolean).join(", ")));
    });
  });
  return body;
}
