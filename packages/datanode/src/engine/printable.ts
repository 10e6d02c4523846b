// A client's text as it may stand in one line of an error: short, and without control characters.

const MAX_LENGTH = 100;

export function printable(text: string): string {
  return text.slice(0, MAX_LENGTH).replace(/\p{Cc}/gu, '\uFFFD');
}
