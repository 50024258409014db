import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { recoverTypedDataAddress, type Hex } from 'viem';
import { sandboxPayer } from '../chain/sandbox-chain.js';
import type { SandboxFile } from '../folder/sandbox-folder.js';
import type { TerminalOutput } from '../terminal/terminal-output.js';
import { payBy } from './pay-by.js';
import type { PayingWay } from './pay-arguments.js';
import type { PaymentPlan } from './payment-plan.js';

const TOKEN = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';
const FORWARDER = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const SESSION = 'Zk9mQ2x1c3RlckNvZmZlZTAxMjM0NTY3';
const HASH = `0x${'ab'.repeat(32)}`;
const USDC = { symbol: 'USDC', unique_asset_id: `nsandbox_t${TOKEN}`, decimals: 6 };
const PLAN: PaymentPlan = {
  requestId: '1',
  posId: '2',
  network: { network: 'sandbox', chain_id: 31_337, rpc_url: 'http://127.0.0.1:1', assets: [USDC] },
  asset: USDC,
  address: FORWARDER,
  merchant: 'Shop',
  asked: { asset: USDC, amount: 12_500_000n },
  transfers: [12_500_000n],
  expiresAt: new Date('2030-01-01T00:08:00Z'),
  session: SESSION,
};
const DOMAIN = { name: 'Test USD Coin', version: '1', chain_id: 31_337, verifying_contract: TOKEN };

type Answered = { status: number; body?: object; headers?: Record<string, string> };
let server: Server;
let url: string;
let said: string[];
let asked: { path: string; headers: IncomingMessage['headers']; body: string }[];
let answers: Record<string, Answered[]>;

beforeEach(async () => {
  [said, asked] = [[], []];
  server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const path = request.url!.split('/').at(-1)!;
    asked.push({ path, headers: request.headers, body });
    const left = answers[path]!;
    const { status, body: answer = {}, headers } = left.length > 1 ? left.shift()! : left[0]!;
    response.writeHead(status, headers).end(JSON.stringify(answer));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

function session(changes: object): Answered {
  const data = {
    session_id: SESSION,
    status: 'created',
    expires_at: '2030-01-01T00:08:00.000Z',
    hosted_checkout_url: `${url}/checkout/${SESSION}`,
    ...changes,
  };
  return { status: 200, body: { data } };
}

function pay(way: PayingWay, plan = PLAN): Promise<void> {
  const sandbox = { api_url: url, payer: sandboxPayer } as SandboxFile;
  const output = { withProgress: (_: string, work: () => unknown) => work() } as unknown as TerminalOutput;
  return payBy(way, plan, sandbox, { output, say: (line) => said.push(line) });
}

/** Who has signed the transfer to the forwarder under this domain. */
function signer(message: Record<string, string>, signature: string): Promise<string> {
  const fields =
    'address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce';
  const types = {
    TransferWithAuthorization: fields.split(', ').map((field) => {
      const [type, name] = field.split(' ');
      return { type: type!, name: name! };
    }),
  };
  const { name, version } = DOMAIN;
  const domain = { name, version, chainId: 31_337, verifyingContract: TOKEN } as const;
  const primaryType = 'TransferWithAuthorization';
  return recoverTypedDataAddress({ domain, types, primaryType, message, signature: signature as Hex });
}

describe('A payment by a signature', () => {
  const payment = { domain: DOMAIN, to: FORWARDER, value: '12500000' };

  it('signs what the session requests, and posts the same until it is seen', async () => {
    answers = {
      [SESSION]: [session({ selected: { signature_payment: payment } })],
      authorization: [
        { status: 503, body: { status: 'error', code: 'unavailable', message: 'Try again.' } },
        { status: 202, body: { data: { status: 'queued' } } },
        { status: 200, body: { data: { status: 'seen', transaction_hash: HASH } } },
      ],
    };

    await pay('signature');

    const posted = asked.filter(({ path }) => path === 'authorization').map(({ body }) => body);
    const { authorization, signature } = JSON.parse(posted[0]!) as {
      authorization: Record<string, string>;
      signature: string;
    };
    const { from, value, valid_after: validAfter, valid_before: validBefore, nonce } = authorization;
    const message = { from, to: FORWARDER, value, validAfter, validBefore, nonce } as Record<string, string>;
    expect(new Set(posted).size).toBe(1);
    expect(await signer(message, signature)).toBe(sandboxPayer.address);
    expect([value, validAfter, validBefore]).toEqual(['12500000', '0', '1893456540']);
    expect(said.at(-1)).toContain(HASH);
  });

  it.each<PayingWay>(['signature', 'x402'])(
    'is rejected if the asset accepts no signature: --by %s',
    async (way) => {
      answers = { [SESSION]: [session({ selected: {} })] };

      await expect(pay(way)).rejects.toThrow('USDC cannot be paid by a signature here.');
    },
  );
});
