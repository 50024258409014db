import { readFileSync } from 'node:fs';
import { describe, expect, it, jest } from '@jest/globals';

const script = readFileSync(new URL('till-code.browser.js', import.meta.url), 'utf8');

/** Runs the script in a page that displays no payment, and lets it poll once. */
async function askedOnce(status: number, body: object): Promise<{ replaced: unknown[][]; reloads: number }> {
  const listeners = new Map<string, (event: object) => void>();
  const location = { pathname: '/pos/code', search: '?pay=a', replace: jest.fn(), reload: jest.fn() };
  const main = { dataset: { wait: '/public/pos/code', shown: '' } };
  const document = {
    querySelector: () => main,
    querySelectorAll: () => [],
    getElementById: () => null,
    addEventListener: () => undefined,
  };
  const window = {
    AbortSignal,
    addEventListener: (name: string, listener: (event: object) => void) => listeners.set(name, listener),
    setTimeout: () => 1,
    clearTimeout: () => undefined,
  };
  const answer = { status, ok: status === 200, json: async () => body };
  const page = { document, window, location, fetch: async () => answer };
  new Function(...Object.keys(page), script)(...Object.values(page));
  listeners.get('pageshow')!({ persisted: true });
  await new Promise((resolve) => setImmediate(resolve));
  return { replaced: location.replace.mock.calls, reloads: location.reload.mock.calls.length };
}

describe('The script of a printed code', () => {
  it.each([
    ['there is a request to pay', 200, { data: { checkout_session: { id: 'request' } } }],
    ['the code was removed', 404, { code: 'not_found' }],
  ])('opens the page again if %s', async (_, status, body) => {
    expect(await askedOnce(status, body)).toEqual({ replaced: [['/pos/code?pay=a']], reloads: 0 });
  });

  it('stays while there is nothing to pay', async () => {
    expect(await askedOnce(404, { code: 'no_open_request' })).toEqual({ replaced: [], reloads: 0 });
  });
});
