// Tables of the generated pages.

/** A table; bars and line ends inside cells are made harmless. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;
  return [line(headings), `|${'---|'.repeat(headings.length)}`, ...rows.map(line)].join('\n');
}

export function code(text: string): string {
  return text === '' ? '' : `\`${text}\``;
}

/** Says where the page comes from. */
export function page(title: string, ...parts: readonly string[]): string {
  const origin = '<!-- Generated from the source by `npm run docs`; a test fails while it is stale. -->';
  return `${[`# ${title}`, origin, ...parts].join('\n\n')}\n`;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}
