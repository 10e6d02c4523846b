// By what are hits sorted? The forms OpenSearch accepts, made one, so that coordinator and data nodes order alike.
import { type SortKey, WeirError } from '@weir/shared';
import { z } from 'zod';

const orderSchema = z.enum(['asc', 'desc']);
const optionsSchema = z.strictObject({
  order: orderSchema.optional(),
  missing: z.enum(['_last', '_first']).optional(),
  unmapped_type: z.string().optional(),
});
const keySchema = z.union([z.string(), z.record(z.string(), z.union([orderSchema, optionsSchema]))]);
const sortSchema = z.union([keySchema.transform((key) => [key]), z.array(keySchema)]);

/** Keys of a body's `sort`: a name, an object, or a list of these. */
export function sortKeysOf(value: unknown): readonly SortKey[] {
  if (value === undefined) return [];
  const parsed = sortSchema.safeParse(value);
  if (!parsed.success)
    throw new WeirError(
      'parsing',
      `Failed to parse [sort]: ${JSON.stringify(value).slice(0, 200)}, allowed: names, or objects such as {"field":{"order":"asc"|"desc","missing":"_last"|"_first"}}`,
    );
  return parsed.data.flatMap((key) =>
    typeof key === 'string'
      ? [sortKey(key, undefined, undefined)]
      : Object.entries(key).map(([field, given]) =>
          typeof given === 'string'
            ? sortKey(field, given, undefined)
            : sortKey(field, given.order, given.missing),
        ),
  );
}

/** Keys of the query string's `sort`: `field,other:desc`. */
export function sortKeysFromText(text: string): readonly SortKey[] {
  return text
    .split(',')
    .filter((part) => part !== '')
    .map((part) => {
      const at = part.lastIndexOf(':');
      if (at < 0) return sortKey(part, undefined, undefined);
      const order = orderSchema.safeParse(part.slice(at + 1));
      if (order.success) return sortKey(part.slice(0, at), order.data, undefined);
      throw new WeirError(
        'illegal_argument',
        `Failed to parse value [${part}] of parameter [sort], allowed after the colon: [asc, desc]`,
      );
    });
}

/** What goes to the data nodes. */
export function toWireSort(keys: readonly SortKey[]): unknown {
  return keys.map(({ field, order, missing }) => ({ [field]: { order, missing } }));
}

function sortKey(
  field: string,
  order: SortKey['order'] | undefined,
  missing: SortKey['missing'] | undefined,
): SortKey {
  return { field, order: order ?? (field === '_score' ? 'desc' : 'asc'), missing: missing ?? '_last' };
}
