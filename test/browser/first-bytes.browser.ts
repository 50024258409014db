import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { brotliDecompressSync, constants, gunzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { CheckoutDto } from '#contexts/payments/infrastructure/requests/http/checkout.dto.js';
import { CountingProxy } from '../support/counting-proxy.js';
import { PayerWorld, standsAt } from '../support/payer-world.js';

/** Ten segments of 1,460 bytes, less 264: what arrives before the first answer of a new connection. */
const FIRST_WINDOW = 14_336;
const OPTIONS = 10;
const ITEMS = 50;

/** Each reads also what has only begun to arrive. */
const CODINGS = {
  gzip: (bytes: Buffer) => gunzipSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH }),
  br: (bytes: Buffer) => brotliDecompressSync(bytes, { finishFlush: constants.BROTLI_OPERATION_FLUSH }),
};
type Coding = keyof typeof CODINGS;

const ORDER = {
  total: '12.50',
  coin_code: 'USD',
  items: [
    { description: 'Flat white', amount: '8.00', coin_code: 'USD', unit_price: '4.00', quantity: 2 },
    { description: 'Cheesecake', amount: '4.50', coin_code: 'USD' },
  ],
};
const LARGE_ORDER = {
  total: '12.50',
  coin_code: 'USD',
  description: 'Order 2026-1042, to be collected at the counter of the shop in Rua Augusta until Friday',
  items: Array.from({ length: ITEMS }, (_, i) => ({
    description: articleName(i),
    amount: `${(i * 37) % 90}.${10 + ((i * 53) % 90)}`,
    coin_code: 'USD',
    quantity: 1 + (i % 7),
  })),
};

let world: PayerWorld;
let proxy: CountingProxy;

beforeAll(async () => {
  const settings = { CHECKOUT_WALLETS: 'Harbour=https://wallet.example/pay,Pocket=pocket://pay' };
  const moreAssets = Array.from({ length: OPTIONS - 3 }, (_, i) => someAsset(i));
  world = await PayerWorld.start({ wallet: false, settings, moreAssets });
  proxy = await CountingProxy.before(world.service.apiUrl);
  world.allow(proxy.origin);
});

afterEach(() => world.leave());

afterAll(async () => {
  await world?.stop();
  await proxy?.close();
});

describe('The first window of a connection', () => {
  it.each([
    ['a typical order, nothing chosen', ORDER, false],
    ['a typical order, an asset chosen', ORDER, true],
    [`${ITEMS} items and ${OPTIONS} options, nothing chosen`, LARGE_ORDER, false],
    [`${ITEMS} items and ${OPTIONS} options, an asset chosen`, LARGE_ORDER, true],
  ])('holds the first code and the whole page of %s', async (_, order, isChosen) => {
    const checkout = isChosen
      ? await world.chosenCheckout('USDC', { order })
      : await world.checkout({ order });
    expect(checkout.payment_options).toHaveLength(OPTIONS);

    for (const coding of Object.keys(CODINGS) as Coding[]) {
      const { body } = await fetchCoded(checkout, coding);
      const toFirstCode = bytesUntil(body, coding, /<img src="data:image\/png[^>]*>/);

      expect(toFirstCode).toBeLessThanOrEqual(FIRST_WINDOW);
      expect(body.length).toBeLessThanOrEqual(FIRST_WINDOW);
    }
  });

  it('is all that a browser asks for before the page is complete', async () => {
    const checkout = await world.chosenCheckout('USDC', { order: LARGE_ORDER });
    const path = new URL(checkout.hosted_checkout_url).pathname;
    const page = await world.blank();
    await page.goto(proxy.origin + path, { waitUntil: 'networkidle' });
    await standsAt(page, 'Waiting for your payment');

    const codes = page.locator('img');
    expect(await codes.count()).toBe(2);
    for (const code of await codes.all())
      expect(await code.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth > 0)).toBe(
        true,
      );
    // On a busy machine the page has begun to poll by now.
    expect(proxy.asked.filter((asked) => !asked.startsWith('/public/checkout/'))).toEqual([path]);
    expect(await page.locator('link[rel="icon"]').getAttribute('href')).toBe('data:,');
  });
});

async function fetchCoded({ hosted_checkout_url: url }: CheckoutDto, coding: Coding) {
  const [answer] = (await once(get(url, { headers: { 'accept-encoding': coding } }), 'response')) as [
    IncomingMessage,
  ];
  const chunks: Buffer[] = [];
  for await (const chunk of answer as AsyncIterable<Buffer>) chunks.push(chunk);
  expect(answer.headers['content-encoding']).toBe(coding);
  return { body: Buffer.concat(chunks) };
}

/** How many of these bytes have to arrive until the browser has read this. */
function bytesUntil(body: Buffer, coding: Coding, what: RegExp): number {
  const isThere = (bytes: number) => what.test(CODINGS[coding](body.subarray(0, bytes)).toString('utf8'));
  expect(isThere(body.length)).toBe(true);
  let [tooFew, enough] = [32, body.length];
  while (enough - tooFew > 1) {
    const middle = Math.ceil((tooFew + enough) / 2);
    if (isThere(middle)) enough = middle;
    else tooFew = middle;
  }
  return enough;
}

/** A stablecoin that nobody has. */
function someAsset(i: number) {
  const token = `0x${(BigInt(i + 1) * 0x9e3779b97f4a7c15n ** 2n).toString(16).padStart(40, '0').slice(-40)}`;
  return {
    token,
    symbol: `USD${i}`,
    name: `Dollar of issuer ${i}`,
    decimals: 6,
    minimum_amount: '0.01',
    peg: 'USD',
  };
}

function articleName(i: number): string {
  const kinds = [
    'Espresso beans',
    'Filter coffee',
    'Porcelain cup',
    'Milk jug',
    'Green tea',
    'Honey',
    'Biscuits',
  ];
  const origins = [
    'Ethiopia',
    'Guatemala',
    'Alentejo',
    'Kyoto',
    'Oaxaca',
    'Sumatra',
    'Black Forest',
    'Antigua',
  ];
  const ways = ['washed', 'organic', 'hand made', 'dark roast', 'limited edition', 'small batch'];
  return `${kinds[i % 7]}, ${origins[(i * 5) % 8]}, ${ways[(i * 7) % 6]}, ${100 + ((i * 173) % 900)} g`;
}
