import { beforeEach, describe, expect, it } from '@jest/globals';
import { joinedModules } from '#shared/web/script/joined-modules.js';
import { TILL_SCRIPT_MODULES, TILL_MESSAGES } from '../pages/till-assets.js';

interface Till {
  pair(): Promise<void>;
  setPairing(pairing: object): void;
  startSale(body: object): Promise<void>;
  leaveSale(): Promise<void>;
  poll(): Promise<void>;
  appState: { sale?: object | undefined; left: object[]; shop: { coin?: string | undefined } };
  screens: Record<string, () => void>;
}
interface Place {
  readonly children: unknown[];
}
interface Answer {
  readonly status: number;
  readonly data?: object;
  readonly code?: string;
  readonly headers?: Record<string, string>;
}

const MODULES = TILL_SCRIPT_MODULES.filter(({ pathname }) =>
  /(units|prices|page|service|signals|shop|app-state|payment-state|sale|pairing-screen|codes|elements|today-screen)\.browser/.test(
    pathname,
  ),
);
const GLOBALS = [
  'document',
  'window',
  'location',
  'navigator',
  'fetch',
  'readStored',
  'writeStored',
  'deleteStored',
  'setTimeout',
  'TEXTS',
];
const PARTS = 'pair, setPairing, startSale, leaveSale, poll, appState, screens';

const TOKEN = { status: 200, data: { token: 'token', expired_at: '2100-01-01T00:00:00.000Z' } };
const REVOKED = { status: 401, code: 'credential_disabled' };
const FIND = '/v1/pos/bar/payment-request?reference_id=T-1&page_size=1';
const PAIRED = { api_key: 'key', api_secret: 'secret', point_of_sale_id: 'bar', device_name: 'Phone' };

let answers: Record<string, Answer>;
let stored: Map<string, unknown>;
/** Milliseconds until each further poll. */
let waits: number[];
let opened: string[];
let asked: string[];
let places: Map<string, Place>;

/** Runs the till's modules in a simulated phone without a screen. */
function aTill(): Till {
  places = new Map();
  const made = (): Place => {
    const children: unknown[] = [];
    const add = (...some: unknown[]) => void children.push(...some);
    return {
      ...{ value: '', hidden: true, children },
      ...{ append: add, replaceChildren: add, addEventListener: () => undefined },
    };
  };
  const place = (id: string) => {
    if (!places.has(id)) places.set(id, made());
    return places.get(id);
  };
  const document = {
    ...{ documentElement: { lang: 'en' }, body: { dataset: {} }, hidden: false },
    ...{ querySelectorAll: () => [], querySelector: () => null, getElementById: place, createElement: made },
  };
  const fetch = async (path: string, { method }: { method: string }) => {
    asked.push(`${method} ${path}`);
    const { status, data, code, headers = {} } = answers[path] ?? { status: 404, code: 'not_found' };
    const all = new Map(Object.entries(headers));
    return {
      ok: status < 400,
      status,
      headers: { get: (name: string) => all.get(name) ?? null },
      json: async () => ({ data, code }),
    };
  };
  const values = [
    ...[
      document,
      { AbortSignal, scrollTo: () => undefined, reportError: () => undefined },
      { hash: '' },
      {},
      fetch,
    ],
    async (key: string) => stored.get(key),
    async (key: string, value: unknown) => void stored.set(key, value),
    async (key: string) => void stored.delete(key),
    (_: unknown, ms: number) => waits.push(ms),
    TILL_MESSAGES.en.script,
  ];
  const till = new Function(...GLOBALS, `${joinedModules(MODULES)}\nreturn { ${PARTS} };`)(...values) as Till;
  for (const name of ['pad', 'payment', 'pairing']) till.screens[name] = () => void opened.push(name);
  return till;
}

beforeEach(() => {
  [answers, stored, waits, opened, asked] = [{ '/v1/auth/token': TOKEN }, new Map(), [], [], []];
});

describe('A till with a revoked credential', () => {
  beforeEach(() => {
    answers['/v1/auth/token'] = REVOKED;
  });

  async function revokedTill(): Promise<Till> {
    const till = aTill();
    till.setPairing(PAIRED);
    Object.assign(till.appState.shop, { coin: 'USD' });
    await till.startSale({ amount: '5', coin_code: 'USD', reference_id: 'T-1' });
    await till.poll();
    await new Promise(setImmediate);
    return till;
  }

  it('stops polling', async () => {
    await revokedTill();

    expect([opened.includes('pairing'), waits]).toEqual([true, []]);
  });

  it('drops its sale and settings after pairing with another point of sale', async () => {
    const till = await revokedTill();
    answers = { '/public/till/pairing': { status: 201, data: { ...PAIRED, point_of_sale_id: 'terrace' } } };

    await till.pair();

    expect([opened.at(-1), till.appState.sale, till.appState.shop.coin]).toEqual([
      'pad',
      undefined,
      undefined,
    ]);
    expect(stored.has('sales')).toBe(false);
  });

  it('looks up its sale after pairing again instead of creating another', async () => {
    const till = await revokedTill();
    answers = { '/public/till/pairing': { status: 201, data: PAIRED }, '/v1/auth/token': TOKEN };
    answers[FIND] = { status: 200, data: { data: [] } };

    await till.pair();
    expect([opened.at(-1), till.appState.shop.coin]).toEqual(['payment', 'USD']);
    await till.poll();
    await new Promise(setImmediate);

    expect(asked).toContain(`GET ${FIND}`);
    expect(asked).not.toContain('POST /v1/pos/bar/payment-request-checkout');
    expect([opened.at(-1), till.appState.sale]).toEqual(['pad', undefined]);
  });
});

describe('A sale that was not sent', () => {
  it.each([-11, 11])('is only looked up if it was made %i minutes ago', async (minutes) => {
    const till = aTill();
    till.setPairing(PAIRED);
    answers[FIND] = { status: 200, data: { data: [] } };
    const madeAt = Date.now() - minutes * 60_000;
    till.appState.sale = { key: 'k', madeAt, body: { reference_id: 'T-1' } };

    await till.poll();
    await new Promise(setImmediate);

    expect(asked).toEqual(['POST /v1/auth/token', `GET ${FIND}`]);
  });
});

describe('A sale that the cashier leaves', () => {
  const PAYMENT = '/v1/pos/bar/payment-request/r1';
  const leaving = async (request: object) => {
    const till = aTill();
    till.setPairing(PAIRED);
    till.appState.sale = { key: 'k', madeAt: Date.now(), body: {}, request: { id: 'r1', ...request } };
    await till.leaveSale();
    await new Promise(setImmediate);
    return till;
  };

  it.each([
    ['waits for a payment', { status: 'created', expires_at: '2100-01-01T00:00:00Z' }, 0],
    ['is closing', { status: 'created', expires_at: '2000-01-01T00:00:00Z' }, 1],
    ['is paid', { status: 'completed', expires_at: '2100-01-01T00:00:00Z' }, 0],
  ])('is polled afterwards if its payment may not be final: it %s', async (_, request, polled) => {
    answers[PAYMENT] = { status: 200, data: { id: 'r1', ...request } };

    expect((await leaving(request)).appState.left).toHaveLength(polled);
  });

  it('is polled less often after each failure, however short a wait the service requests', async () => {
    answers[PAYMENT] = { status: 503, headers: { 'retry-after': '1' } };
    const till = await leaving({ status: 'created', expires_at: '2000-01-01T00:00:00Z' });
    for (let n = 0; n < 4; n += 1) {
      await till.poll();
      await new Promise(setImmediate);
    }

    expect(waits).toEqual([2_000, 4_000, 8_000, 16_000, 20_000]);
  });
});
