import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { generatePaserkKeyPair } from '#shared/naspip/paserk.js';
import { NaspipSigner } from '#shared/naspip/naspip-signer.js';
import { sandboxNetwork, sandboxPayer } from '../chain/sandbox-chain.js';
import type { SandboxFile } from '../folder/sandbox-folder.js';
import { planPayment } from './payment-plan.js';

const SESSION = 's'.repeat(32);
const REQUEST = '018f0000-0000-7000-8000-000000000001';
const ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7';
const EXPIRES = new Date('2030-01-01T00:08:00Z');
const NOW = new Date('2030-01-01T00:00:01Z');
const NETWORK = sandboxNetwork('http://127.0.0.1:1');
const [USDC, USDT, DAI] = NETWORK.assets.map(({ unique_asset_id }) => unique_asset_id) as [
  string,
  string,
  string,
  string,
];
const NATIVE_POS = '018f0000-0000-7000-8000-000000000002';

const signer = new NaspipSigner({
  issuer: 'sandbox.example',
  keyId: 'sandbox-1',
  secretKey: generatePaserkKeyPair().secretKey,
  keyExpiresAt: new Date('2040-01-01T00:00:00Z'),
});

/** An API with one checkout: it selects what is named, and answers what is selected. */
class OneCheckout {
  readonly asked: string[] = [];
  readonly offered = [USDC, USDT, DAI];
  selected: string | undefined;
  hasEnded = false;
  url = '';
  private readonly server: Server = createServer((request, response) => {
    const [status, body] = this.answer(request.url!);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });

  async listen(): Promise<void> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private answer(path: string): [number, object] {
    if (path === '/.well-known/naspip-keys') return [200, signer.publicKeys()];
    this.asked.push(path);
    const { pathname, searchParams } = new URL(path, this.url);
    if (pathname !== `/public/checkout/${SESSION}/payment` || this.hasEnded) {
      return [409, { status: 'error', code: 'state_conflict', message: 'This checkout has ended.' }];
    }
    const option = searchParams.get('payment_option') ?? this.selected;
    if (option !== undefined && !this.offered.includes(option)) {
      return [400, { status: 'error', code: 'validation_failed', message: 'No such option.' }];
    }
    this.selected = option;
    const order = { merchant: { name: 'Corner Coffee' } };
    if (this.selected === undefined) return [200, { url: this.url, payment_options: [USDT, DAI], order }];
    return [200, { payment: { ...PAYMENT, unique_asset_id: this.selected }, order }];
  }
}

const PAYMENT = {
  id: REQUEST,
  address: ADDRESS,
  is_open: false,
  amount: '7.5',
  expires_at: EXPIRES.getTime(),
};

let api: OneCheckout;
let sandbox: SandboxFile;

beforeEach(async () => {
  api = new OneCheckout();
  await api.listen();
  sandbox = {
    ...{ api_url: api.url, checkout_url: null, api_key: 'key', api_secret: 'secret', pos_id: REQUEST },
    ...{ native_pos_id: NATIVE_POS, networks: [NETWORK], payer: sandboxPayer },
  } as unknown as SandboxFile;
});
afterEach(() => api.close());

const plan = (what: string, more: { asset?: string; amount?: string; native?: true } = {}) =>
  planPayment(sandbox, { what, parts: 1, ...more }, NOW);

function directToken(uniqueAssetId: string): string {
  const payment = { id: REQUEST, address: ADDRESS, uniqueAssetId, isOpen: false, amount: '7.5' };
  return signer.sign({
    payload: { payment },
    issuedAt: new Date('2030-01-01T00:00:00Z'),
    expiresAt: EXPIRES,
  });
}

function tokenFor(url: string): string {
  const order = { total: '7.5', coinCode: 'USD', merchant: { name: 'Corner Coffee' } };
  return signer.sign({
    payload: { url, paymentOptions: [USDT, DAI], order },
    issuedAt: new Date('2030-01-01T00:00:00Z'),
    expiresAt: EXPIRES,
  });
}

describe('The plan of a payment to a checkout', () => {
  it.each([
    ['its token', () => tokenFor(`${api.url}/public/checkout/${SESSION}/payment`)],
    ['its session id', () => SESSION],
    ['its page', () => `${api.url}/checkout/${SESSION}`],
    ['its URL for wallets', () => `${api.url}/public/checkout/${SESSION}/payment`],
  ])('pays the first option of the checkout, which is named by %s', async (_, what) => {
    const found = await plan(what());

    expect(found).toMatchObject({ requestId: REQUEST, address: ADDRESS, merchant: 'Corner Coffee' });
    expect(found.asset.symbol).toBe('USDT');
    expect(found.transfers).toEqual([7_500_000n]);
    expect(found.expiresAt).toEqual(EXPIRES);
  });

  it('calls only this sandbox', async () => {
    const elsewhere = await listenElsewhere();

    for (const what of [
      `${elsewhere.url}/checkout/${SESSION}`,
      tokenFor(`${elsewhere.url}/public/checkout/${SESSION}/payment`),
    ]) {
      await expect(plan(what)).rejects.toThrow(/The sandbox wallet opens only|calls only/);
    }
    await expect(plan(tokenFor(`${api.url}/v1/transactions`))).rejects.toThrow(/calls only/);

    expect(elsewhere.asked).toEqual([]);
    expect(api.asked).toEqual([]);
    await elsewhere.close();
  });
});

describe('The plan of a payment in another asset', () => {
  it('goes to the same address, with the same number by default', async () => {
    const found = await plan(directToken(USDC), { asset: 'dai' });

    expect(found).toMatchObject({ address: ADDRESS, posId: REQUEST });
    expect([found.asset.symbol, found.asked.asset.symbol]).toEqual(['DAI', 'USDC']);
    expect(found.asked.amount).toBe(7_500_000n);
    expect(found.transfers).toEqual([7_500_000_000_000_000_000n]);
    expect((await plan(directToken(USDC), { asset: 'DAI', amount: '2' })).transfers).toEqual([
      2n * 10n ** 18n,
    ]);
  });
});

async function listenElsewhere(): Promise<OneCheckout> {
  const elsewhere = new OneCheckout();
  await elsewhere.listen();
  return elsewhere;
}
