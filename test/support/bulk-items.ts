// The items of a bulk's answer, whatever their action was.

export type BulkItem = {
  readonly status: number;
  readonly error?: {
    readonly type: string;
    readonly reason: string;
    readonly weir: Readonly<Record<string, unknown>>;
  };
};

export function bulkItems(body: Readonly<Record<string, unknown>>): readonly BulkItem[] {
  return (body['items'] as readonly Readonly<Record<string, BulkItem>>[]).flatMap((item) =>
    Object.values(item),
  );
}
