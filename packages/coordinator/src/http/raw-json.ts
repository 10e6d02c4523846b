// Puts stored documents into JSON answers byte for byte: parsing and writing them again would round large numbers.
import { systemRng } from '@weir/shared';

/** JSON text to be put into an answer as it stands. */
export class RawJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Made anew for each process, so that no text from outside can hold it. */
const MARK = systemRng.bytes(16).toString('hex');
const MARKED = new RegExp(`"${MARK}(\\d+)"`, 'g');

/** JSON text of a value in which each RawJson stands as it is. */
export function stringifyWithRaw(value: unknown): string {
  const raws: string[] = [];
  const text = JSON.stringify(value, (_key, shown: unknown) => {
    if (!(shown instanceof RawJson)) return shown;
    raws.push(shown.text);
    return `${MARK}${raws.length - 1}`;
  });
  return raws.length === 0 ? text : text.replace(MARKED, (_, position) => raws[Number(position)] ?? 'null');
}

/** The value with every RawJson parsed, for answers that are filtered or laid out anew. */
export function withoutRaw(value: unknown): unknown {
  return JSON.parse(stringifyWithRaw(value));
}
