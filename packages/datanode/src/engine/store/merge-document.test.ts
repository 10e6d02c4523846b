import { describe, expect, it } from '@jest/globals';
import { type ExactObject, parseExact, stringifyExact } from '@weir/shared/documents';
import { mergeInto } from './merge-document.ts';

function merge(target: string, changes: string): { readonly changed: boolean; readonly json: string } {
  const document = parseExact(target) as ExactObject;
  const changed = mergeInto(document, parseExact(changes) as ExactObject);
  return { changed, json: stringifyExact(document) };
}

describe('mergeInto', () => {
  it('merges objects key by key and replaces everything else', () => {
    expect(merge('{"a":{"b":1,"c":2},"d":[1,2],"e":1}', '{"a":{"c":3,"x":4},"d":[9],"f":null}')).toEqual({
      changed: true,
      json: '{"a":{"b":1,"c":3,"x":4},"d":[9],"e":1,"f":null}',
    });
  });

  it('sees that nothing changes, whatever the order of keys', () => {
    const document = '{"a":{"b":1,"c":{"x":[1,{"p":1,"q":2}]}},"n":null}';
    expect(merge(document, '{"n":null,"a":{"c":{"x":[1,{"q":2,"p":1}]}}}')).toEqual({
      changed: false,
      json: document,
    });
    expect(merge(document, '{}').changed).toBe(false);
  });

  it.each([
    ['{"a":1}', '{"a":1.0}'],
    ['{"a":9007199254740993}', '{"a":9007199254740992}'],
    ['{"a":1}', '{"a":"1"}'],
    ['{"a":[1,2]}', '{"a":[2,1]}'],
    ['{"a":{"b":1}}', '{"a":null}'],
    ['{"a":[{"b":1,"c":2}]}', '{"a":[{"b":1}]}'],
    ['{}', '{"a":null}'],
  ])('%s with %s is a change', (target, changes) => {
    expect(merge(target, changes).changed).toBe(true);
  });

  it('treats __proto__ as any other key', () => {
    expect(merge('{}', '{"__proto__":{"x":1},"constructor":2}').json).toBe(
      '{"__proto__":{"x":1},"constructor":2}',
    );
    expect(merge('{"__proto__":{"x":1}}', '{"__proto__":{"y":2}}').json).toBe('{"__proto__":{"x":1,"y":2}}');
    expect(({} as { x?: number }).x).toBeUndefined();
  });
});
