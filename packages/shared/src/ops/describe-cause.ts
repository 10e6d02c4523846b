// One line for anything thrown, for logs and for errors made of other errors.

/** The message; a host with several addresses fails with an AggregateError that has none, then its code. */
export function describeCause(error: unknown): string {
  if (typeof error !== 'object' || error === null) return String(error);
  const { message, code } = error as { readonly message?: unknown; readonly code?: unknown };
  return String(message || code || error);
}
