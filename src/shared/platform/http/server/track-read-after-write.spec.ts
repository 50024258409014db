import { describe, expect, it } from '@jest/globals';
import type { Request, Response } from 'express';
import { trackReadAfterWrite } from './track-read-after-write.js';
import { currentReadAfterWriteContext, type ReadAfterWriteContext } from '../../database/read-after.js';
import type { Replica } from '../../replica/replica.js';

/** Serves a request and returns the headers of its response. */
function served(
  path: string,
  headers: Record<string, string>,
  work: (request?: ReadAfterWriteContext) => void,
  replica: Replica | null = { timeline: 3 } as Replica,
) {
  const answered: Record<string, unknown> = { 'Set-Cookie': ['other=1'] };
  const response = {
    headersSent: false,
    getHeader: (name: string) => answered[name],
    setHeader: (name: string, value: unknown) => (answered[name] = value),
  };
  const follow = trackReadAfterWrite(replica ?? undefined);
  follow({ path, headers } as unknown as Request, response as unknown as Response, () =>
    work(currentReadAfterWriteContext()),
  );
  return answered;
}

describe('A request of the API', () => {
  it('reads no state before the write that it names, and returns the position of its last write', () => {
    const answered = served('/v1/pos', { 'x-read-after': '2-900' }, (request) => {
      expect(request?.after).toEqual({ timeline: 2, transaction: 900n });
      request!.wrote(1_001n);
      request!.wrote(1_000n);
      expect(request!.after).toEqual({ timeline: 3, transaction: 1_000n });
    });

    expect(answered).toEqual({ 'X-Read-After': '3-1000', 'Set-Cookie': ['other=1'] });
  });

  it.each(['', '1', '1-', '-1', '0-1', '1-01', ' 1-1', '1-1, 1-2', `1-${'9'.repeat(20)}`])(
    'is rejected if the position is malformed: %j',
    (text) => {
      for (const replica of [undefined, null])
        expect(() => served('/v1/pos', { 'x-read-after': text }, () => undefined, replica)).toThrow(
          'X-Read-After: must be',
        );
    },
  );
});

describe('A page of the dashboard', () => {
  it('reads no state before the write in its cookie, which is replaced by its own last write', () => {
    const cookie = 'a=1; __Host-dashboard_read_after=3-7';
    const answered = served('/app/links', { cookie, 'x-read-after': 'x' }, (request) => {
      expect(request?.after).toEqual({ timeline: 3, transaction: 7n });
      request!.wrote(8n);
      request!.wrote(9n);
    });

    expect(answered).toEqual({
      'Set-Cookie': ['other=1', '__Host-dashboard_read_after=3-9; Path=/; HttpOnly; Secure; SameSite=Lax'],
    });
  });

  it('ignores an invalid cookie', () => {
    served('/app', { cookie: '__Host-dashboard_read_after=x' }, (request) =>
      expect(request?.after).toBeUndefined(),
    );
  });
});

describe('A request of a payer', () => {
  it('has no position of a write to wait for', () => {
    served('/checkout/abc', {}, (request) => expect(request).toBeUndefined());
    served('/application', {}, (request) => expect(request).toBeUndefined());
  });
});
