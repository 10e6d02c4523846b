// Does a name fit a pattern with `*`? By search alone: no pattern makes it slow.

/** Whether `name` fits `pattern`, in which `*` stands for any text. */
export function wildcardMatches(pattern: string, name: string): boolean {
  const parts = pattern.split('*');
  const first = parts[0] ?? '';
  const last = parts.at(-1) ?? '';
  if (parts.length === 1) return pattern === name;
  if (name.length < first.length + last.length || !name.startsWith(first) || !name.endsWith(last))
    return false;
  let from = first.length;
  for (const part of parts.slice(1, -1)) {
    const at = name.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return from <= name.length - last.length;
}
