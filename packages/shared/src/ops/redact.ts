// How what must stay secret is kept out of texts and fields.

/** Stands where a secret was. */
export const REDACTED = '[redacted]';

/** A text in which URLs may stand, such as an error's message or a line of JSON, without their users and passwords. */
export function redactUrlsIn(text: string): string {
  return text.includes('@') ? text.replace(/\/\/[^\s"\\:@/]*:[^\s"\\@/]*@/g, '//***@') : text;
}
