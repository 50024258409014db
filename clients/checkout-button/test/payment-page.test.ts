import { describe, expect, it } from '@jest/globals';
import { readPage } from '../src/payment-page.js';

const SESSION = 'Zk9mQ2x1c3RlckNvZmZlZTAxMjM0NTY3';
const URL_OF_PAGE = `https://pay.example/checkout/${SESSION}`;
const SERVED = 'https://pay.example/button.js';
const PAGE = { url: URL_OF_PAGE, origin: 'https://pay.example', session: SESSION, inDialog: true };

Object.assign(globalThis, { document: { baseURI: 'https://shop.example/basket' } });

function read(attributes: Record<string, string>, scriptUrl: string | undefined = undefined) {
  const button = { getAttribute: (name: string) => attributes[name] ?? null };
  return readPage(button as unknown as Element, scriptUrl);
}

describe('The page that a button opens', () => {
  it.each([
    ['a URL with query and fragment', { url: `${URL_OF_PAGE}?from=mail#top` }, undefined],
    ['a session, at the service that serves the module', { session: SESSION }, SERVED],
    ['a session and a host', { session: SESSION, host: 'https://pay.example/' }, undefined],
  ])('is determined by the configuration of the button: %s', (_, attributes, scriptUrl) => {
    expect(read(attributes as Record<string, string>, scriptUrl)).toEqual({ ...PAGE, returnTo: undefined });
  });

  it('opens in a tab and returns to the shop if the button is configured so', () => {
    const { inDialog, returnTo } = read({ url: URL_OF_PAGE, mode: 'tab', return: '/thanks?order=7' });

    expect([inDialog, returnTo?.href]).toEqual([false, 'https://shop.example/thanks?order=7']);
  });

  it.each([
    [{ session: `${SESSION}/../x` }, 'session: must be'],
    [{ session: SESSION, host: 'pay.example' }, 'host: must be a URL'],
    [{ session: SESSION, host: 'javascript:alert(1)' }, 'host: must be a URL'],
    [{ url: 'javascript:alert(1)' }, 'url: must be a URL'],
    [{ url: `https://pay.example/checkout/${SESSION}/..` }, 'url: must be the hosted_checkout_url'],
    [{ url: URL_OF_PAGE, mode: 'popup' }, 'mode: must be dialog or tab'],
    [{ url: URL_OF_PAGE, return: 'javascript:alert(1)' }, 'return: must be a URL'],
  ])('is rejected if the configuration is invalid: %j', (attributes, sentence) => {
    expect(() => read(attributes as Record<string, string>)).toThrow(sentence);
  });
});
