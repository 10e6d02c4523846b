import { describe, expect, it } from '@jest/globals';
import { WeirError } from '../ops/errors.ts';
import { brokenRule, checkIndexName } from './index-name.ts';

const CHARACTERS = 'must not contain the following characters [ , ", *, \\, <, |, ,, >, /, ?]';

describe('an index name', () => {
  it.each(['logs-a', 'logs-2026.01.01', '.hidden', 'a', '日本語', 'x'.repeat(255), 'a+b_c', 'é', '...'])(
    'may be %j',
    (name) => {
      expect(brokenRule(name)).toBeUndefined();
    },
  );

  it.each([
    ['', 'must not be empty'],
    ['Logs', 'must be lowercase'],
    ['É', 'must be lowercase'],
    ['a b', CHARACTERS],
    ['a,b', CHARACTERS],
    ['a/b', CHARACTERS],
    ['a\\b', CHARACTERS],
    ['a*', CHARACTERS],
    ['a?', CHARACTERS],
    ['a"', CHARACTERS],
    ['a<', CHARACTERS],
    ['a>', CHARACTERS],
    ['a|', CHARACTERS],
    ['../_cluster/settings', CHARACTERS],
    ['a#', "must not contain '#'"],
    ['a:b', "must not contain ':'"],
    ['_internal', "must not start with '_', '-', or '+'"],
    ['-a', "must not start with '_', '-', or '+'"],
    ['+a', "must not start with '_', '-', or '+'"],
    ['.', "must not be '.' or '..'"],
    ['..', "must not be '.' or '..'"],
    ['x'.repeat(256), 'index name is too long, (256 > 255)'],
    ['é'.repeat(128), 'index name is too long, (256 > 255)'],
    ['a\u0000b', 'must not contain control characters'],
    ['a\nb', 'must not contain control characters'],
    ['a\u0085b', 'must not contain control characters'],
    ['a\ud83d', 'must be valid Unicode, found half of a surrogate pair'],
  ])('C151: must not be %j: %s', (name, rule) => {
    expect(brokenRule(name)).toBe(rule);
  });

  it('that is wrong is a 400 of its own type that names it', () => {
    expect(() => checkIndexName('Logs')).toThrow(
      new WeirError('invalid_index_name', 'Invalid index name [Logs], must be lowercase'),
    );
    checkIndexName('logs');
  });

  it('that is very long does not come back whole', () => {
    let message = '';
    try {
      checkIndexName('x'.repeat(1_000_000));
    } catch (error) {
      message = String(error);
    }
    expect(message.length).toBeLessThan(500);
    expect(message).toContain('(1000000 > 255)');
  });
});
