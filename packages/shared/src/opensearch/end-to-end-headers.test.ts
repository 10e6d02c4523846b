import { describe, expect, it } from '@jest/globals';
import { answerHeaders, requesterHeaders, requestHeaders } from './end-to-end-headers.ts';

describe('headers that go on', () => {
  it('C150: keep credentials and everything unknown, as they were written and as often', () => {
    const raw = ['AUTHORIZATION', 'Basic eA==', 'X-Two', 'a', 'X-Two', 'b', 'X-Forwarded-For', '10.0.0.1'];
    expect(requestHeaders(raw)).toEqual(raw);
    expect(answerHeaders(['Set-Cookie', 'a', 'set-cookie', 'b', 'WWW-Authenticate', 'Basic'])).toHaveLength(
      6,
    );
  });

  it('C150: leave out those about the connection, and what Connection names', () => {
    const raw = [
      ...['Host', 'weir', 'Connection', 'X-Drop, keep-alive', 'connection', 'x-other', 'X-Drop', '1'],
      ...[
        'X-OTHER',
        '2',
        'Keep-Alive',
        'timeout=5',
        'Proxy-Connection',
        'k',
        'TE',
        'trailers',
        'Trailer',
        'x',
      ],
      ...['Transfer-Encoding', 'chunked', 'Upgrade', 'h2c', 'Expect', '100-continue', 'X-Kept', '3'],
    ];
    expect(requestHeaders(raw)).toEqual(['X-Kept', '3']);
    expect(answerHeaders(raw)).toEqual(['Host', 'weir', 'Expect', '100-continue', 'X-Kept', '3']);
  });

  it("leave out Weir's own secret", () => {
    expect(requestHeaders(['X-Weir-Cluster-Secret', 's', 'x-opaque-id', 'app'])).toEqual([
      'x-opaque-id',
      'app',
    ]);
  });

  it('leave out what describes a body where another one goes in its place', () => {
    const raw = [
      ...['Content-Length', '3', 'Content-Type', 'x', 'Content-Encoding', 'gzip', 'Accept-Encoding', 'gzip'],
      ...['Accept', 'application/yaml', 'Authorization', 'ApiKey k', 'X-Opaque-Id', 'app', 'If-Match', 'x'],
    ];
    expect(requesterHeaders(raw)).toEqual(['Authorization', 'ApiKey k', 'X-Opaque-Id', 'app']);
  });
});
