import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { SigningKeyRing } from '#shared/kernel/signing-key-ring.js';
import { CheckoutSettings } from '../requests/checkout-settings.js';
import { HttpSandboxWallet } from './http-sandbox-wallet.js';

const ASSET = { uniqueAssetId: 'nsandbox_t0x1', address: '0x52908400098527886E0F7030069857D2E4169EE7' };

let server: Server;
let url: string;
let answer: { status: number; body: object } | 'nothing';
let asked: { path: string; body: unknown }[];

beforeEach(async () => {
  asked = [];
  answer = { status: 202, body: { accepted: true } };
  server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    asked.push({ path: request.url!, body: JSON.parse(text) });
    if (answer !== 'nothing') response.writeHead(answer.status).end(JSON.stringify(answer.body));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

function walletAt(sandboxWalletUrl?: string): HttpSandboxWallet {
  return new HttpSandboxWallet(
    new CheckoutSettings({
      publicUrl: 'http://127.0.0.1:3000',
      checkoutHost: 'http://127.0.0.1:3000',
      wallets: [],
      cookieKeys: new SigningKeyRing([]),
      ...(sandboxWalletUrl !== undefined && { sandboxWalletUrl }),
    }),
  );
}

describe('The sandbox wallet over HTTP', () => {
  it('receives the amount in smallest units and the time of the payment', async () => {
    await walletAt(url).pay(ASSET, 10n ** 30n);
    await walletAt(url).pay(ASSET, 1n, new Date('2030-01-01T00:09:01.250Z'));

    const what = { unique_asset_id: ASSET.uniqueAssetId, address: ASSET.address };
    expect(asked).toEqual([
      { path: '/payments', body: { ...what, amount: `1${'0'.repeat(30)}` } },
      { path: '/payments', body: { ...what, amount: '1', not_before: '2030-01-01T00:09:01.250Z' } },
    ]);
  });

  it('forwards a request of the page and returns the answer', async () => {
    answer = { status: 200, body: { error: { code: 4902, message: 'No such network.' } } };

    expect(await walletAt(url).ask('{"method":"eth_chainId"}')).toEqual(answer.body);
    expect(asked).toEqual([{ path: '/requests', body: { method: 'eth_chainId' } }]);
    await expect(walletAt().ask('{}')).rejects.toMatchObject({ code: 'not_found' });
  });

  it('rejects with the message of the wallet', async () => {
    answer = { status: 400, body: { message: 'amount must be a string.' } };

    await expect(walletAt(url).pay(ASSET, 1n)).rejects.toMatchObject({
      code: 'state_conflict',
      message: expect.stringContaining('amount must be a string.'),
    });
  });

  it('is unavailable if the wallet does not respond in time', async () => {
    await expect(walletAt('http://127.0.0.1:1').pay(ASSET, 1n)).rejects.toMatchObject({
      code: 'unavailable',
    });
    answer = 'nothing';
    await expect(walletAt(url).pay(ASSET, 1n)).rejects.toMatchObject({ code: 'unavailable' });
  });
});
