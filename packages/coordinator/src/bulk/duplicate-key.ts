// Which key does some object of a JSON text hold twice? JSON.parse keeps the last one in silence.

/** A string, as a key where a colon follows, or the border of an object. */
const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|[{}]/g;

/** The first key given twice in one object, or undefined; `json` has to be valid JSON. */
export function duplicateKey(json: string): string | undefined {
  const open: Set<string>[] = [];
  for (const [token, text, colon] of json.matchAll(TOKEN)) {
    if (token === '{') open.push(new Set());
    if (token === '}') open.pop();
    if (text === undefined || colon === undefined) continue;
    const key = JSON.parse(text) as string;
    const keys = open.at(-1);
    if (keys?.has(key) === true) return key;
    keys?.add(key);
  }
  return undefined;
}
