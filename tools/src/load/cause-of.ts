// Why a request had no answer, in a few words.

/** fetch() itself says only "fetch failed"; the cause below it tells. */
export function causeOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  return cause instanceof Error ? cause.message || cause.name : String(cause);
}
