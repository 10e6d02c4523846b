import { describe, expect, it } from '@jest/globals';
import { parseRedisAddress, redactUrl } from './redis-address.ts';

describe('a Redis address', () => {
  it('is a redis:// or rediss:// URL, or a unix socket with or without unix://', () => {
    expect(parseRedisAddress('redis://127.0.0.1:6380/2').target).toBe('redis://127.0.0.1:6380/2');
    expect(parseRedisAddress('rediss://cache.example').target).toBe('rediss://cache.example');
    expect(parseRedisAddress('unix:///run/redis.sock').target).toBe('/run/redis.sock');
    expect(parseRedisAddress('/run/redis.sock').target).toBe('/run/redis.sock');
  });

  it('is shown without user and password', () => {
    expect(parseRedisAddress('redis://me:s3cret@host:6379').shown).toBe('redis://***@host:6379');
    expect(redactUrl('redis://:s3cret@host')).toBe('redis://***@host');
    expect(redactUrl('redis://me:s3/cr@et@host/1')).toBe('redis://***@host/1');
    expect(redactUrl('redis://host?password=s3cret&db=1')).toBe('redis://host?password=***&db=1');
  });

  it.each(['http://host', 'redis://', 'host:6379', '', 'redis://host:99999'])(
    'is refused when it is %j',
    (text) => {
      expect(() => parseRedisAddress(text)).toThrow('redis://host:port, rediss://host:port, unix:///path');
    },
  );

  it('never shows the password of what it refuses', () => {
    for (const text of ['http://me:s3cret@host', 'redis://me:s3cret@host:99999'])
      expect(() => parseRedisAddress(text)).toThrow(expect.not.stringContaining('s3cret') as never);
  });
});
