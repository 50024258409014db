import { describe, expect, it } from '@jest/globals';
import { inlineAsset } from '#shared/web/document/inline-asset.js';
import { renderCheckoutPage } from './checkout-page.js';
import { EVERY_PAGE } from '#contexts/payments/testing/checkout/sample-pages.js';

const SHOP = 'https://shop.example';
const script = inlineAsset(new URL('./site-messages.browser.js', import.meta.url)).text;

/** Returns the messages that the shop receives after the page has loaded, and after its status changes. */
function heardFrom(states: [string, string], name = `payment-collection ${SHOP} session`): unknown[] {
  const [dataset, later] = states.map((state) => datasetOf(state));
  const heard: unknown[] = [];
  let changed: () => void = () => undefined;
  class Observer {
    constructor(callback: () => void) {
      changed = callback;
    }
    readonly observe = () => undefined;
  }
  const parent = { postMessage: (...message: unknown[]) => heard.push(message) };
  const window = { parent, name, MutationObserver: Observer };
  const document = { querySelector: () => ({ dataset }), addEventListener: () => undefined };
  new Function('window', 'document', 'location', script)(window, document, { pathname: '/checkout/id' });
  Object.assign(dataset!, later);
  changed();
  changed();
  return heard;
}

/** Returns the data attributes of the page that the script reads. */
function datasetOf(state: string): Record<string, string> {
  const html = renderCheckoutPage({ ...EVERY_PAGE[state]!, frameOrigins: [SHOP] }, 'en');
  const found = [.../<main[^>]*>/.exec(html)![0].matchAll(/data-(status|fulfilled|sites)="([^"]*)"/g)];
  return Object.fromEntries(found.map(([, name, value]) => [name, value]));
}

describe('A message of the checkout page to the site that embeds it', () => {
  it.each([
    ['completed', 'completed', true],
    ['overpaid', 'overpaid', true],
    ['underpaid, accepted', 'underpaid', true],
    ['underpaid', 'underpaid', false],
    ['expired', 'expired', false],
  ])('names the state of the page and whether it counts as paid: %s as %s', (state, status, fulfilled) => {
    const message = { type: 'payment-collection', session_id: 'id' };

    expect(heardFrom(['created', state])).toEqual([
      [{ ...message, event: 'ready', status: 'created', fulfilled: false }, SHOP],
      [{ ...message, event: 'status', status, fulfilled }, SHOP],
    ]);
  });

  it.each(['', 'payment-collection', 'payment-collection https://other.example', `other ${SHOP}`])(
    'is not sent if the name of the window does not name that site: %j',
    (name) => {
      expect(heardFrom(['created', 'completed'], name)).toEqual([]);
    },
  );
});
