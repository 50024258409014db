import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Address, type Hex, createWalletClient, encodeFunctionData, http, parseAbi } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { PublicCheckoutDto } from '#contexts/payments/infrastructure/requests/http/checkout.dto.js';
import { formatAmount, parseAmount } from '#shared/kernel/amount.js';
import { tokenOf } from '#sandbox/payer/payer-wallet.js';
import { CheckoutDesk, sessionIn } from '../support/checkout-desk.js';
import { eventually } from '../support/eventually.js';
import { SharedService } from '../support/shared-service.js';
import { SigningPayer } from '../support/signing-payer.js';
import type { TestService } from '../support/service.js';

/** The long form is `npm run evidence -- sponsored-gas`; its table is in docs/decisions/0042-payments-by-signature.md. */
const LONG = process.env['EVIDENCE'] === 'long';
/** Room for a few, and for more, each. */
const LIMITS = LONG
  ? { per_payment: '0.0005', per_organization_and_day: '0.001', per_day: '0.0015' }
  : { per_payment: '0.0004', per_organization_and_day: '0.0006', per_day: '0.0008' };
const UNTIL_FINAL = 6;
const RICH = '0x56bc75e2d63100000';
const ABI = parseAbi([
  'function cancelAuthorization(address authorizer, bytes32 nonce, bytes signature)',
  'function transfer(address to, uint256 amount) returns (bool)',
]);

const shared = new SharedService({
  settles: true,
  settings: { PAYMENT_WINDOW_SECONDS: '3600' },
  network: () => ({ settlement: { paused: true }, sponsored_payments: LIMITS }),
});

interface Hostile {
  readonly payer: SigningPayer;
  readonly shop: TestService;
  readonly desk: CheckoutDesk;
}

interface Sent {
  readonly session: PublicCheckoutDto;
  readonly nonce: Hex;
  readonly call: { readonly to: Address; readonly data: Hex };
}

let shops: TestService[];
let asset: string;
beforeAll(async () => {
  shops = [await shared.shop(), await shared.shop()];
  asset = shops[0]!.assets.find(({ symbol }) => symbol === 'USDC')!.unique_asset_id;
});

async function hostile(shop: TestService): Promise<Hostile> {
  const payer = new SigningPayer();
  await shop.wallet.mined(await shop.wallet.send(tokenOf(asset), payer.address, 1_000_000_000n));
  await shop.chain.rpc('anvil_setBalance', [payer.address, RICH]);
  return { payer, shop, desk: new CheckoutDesk(shop) };
}

async function session({ desk, shop }: Hostile): Promise<PublicCheckoutDto> {
  const { session_id: sessionId } = await desk.open({}, shop.seed.posId);
  return sessionIn(await desk.select(sessionId, asset));
}

/** The payer's own transaction, which a block takes before the service's. */
async function first({ payer, shop }: Hostile, to: Address, data: Hex): Promise<void> {
  const client = createWalletClient({
    account: privateKeyToAccount(payer.key),
    transport: http(shop.chain.url),
  });
  const fees = { maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: 10n ** 11n };
  await client.sendTransaction({ to, data, gas: 200_000n, chain: null, ...fees });
}

const SCENES = [
  {
    name: 'cancels its nonces, always for the same checkout',
    shop: 0,
    sameSession: true,
    limit: 'per_payment',
    async spoil(who: Hostile, { session: asked, nonce, call }: Sent) {
      const args = [who.payer.address, nonce, await who.payer.signCancelling(asked, nonce)] as const;
      await first(who, call.to, encodeFunctionData({ abi: ABI, functionName: 'cancelAuthorization', args }));
    },
  },
  {
    name: 'sends its authorizations itself before, each for another checkout',
    shop: 0,
    sameSession: false,
    limit: 'per_organization_and_day',
    spoil: (who: Hostile, { call }: Sent) => first(who, call.to, call.data),
  },
  {
    name: 'moves its balance away before, each for another checkout of another merchant',
    shop: 1,
    sameSession: false,
    limit: 'per_day',
    async spoil(who: Hostile, { call }: Sent) {
      const token = tokenOf(asset);
      const held = await who.shop.wallet.balance(token, who.payer.address);
      await first(
        who,
        call.to,
        encodeFunctionData({ abi: ABI, functionName: 'transfer', args: [who.shop.wallet.address, held] }),
      );
    },
  },
] as const;

/** Signs and spoils until nothing more is sponsored. */
async function spoilAll({ shop: place, sameSession, spoil }: (typeof SCENES)[number]) {
  const shop = shops[place]!;
  const who = await hostile(shop);
  const { chain } = shop;
  let refusedBy: string | null = null;
  let open = await session(who);
  const requests = [open.id];
  while (refusedBy === null) {
    const signed = await who.payer.sign(open);
    const answer = await who.desk.http.send({
      method: 'POST',
      target: `/public/checkout/${open.session_id}/authorization`,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(signed),
    });
    if (answer.status === 409)
      refusedBy = (answer.json!['errors'] as { rule: string }[] | undefined)?.[0]?.rule ?? answer.text;
    else {
      expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
      await chain.rpc('evm_setAutomine', [false]);
      const nonce = signed.authorization.nonce as Hex;
      await spoil(who, { session: open, nonce, call: await broadcast(shop, nonce) });
      await chain.rpc('evm_setAutomine', [true]);
      await ended(shop, nonce);
      const token = tokenOf(asset);
      if ((await shop.wallet.balance(token, who.payer.address)) < 10_000_000n)
        await shop.wallet.mined(await shop.wallet.send(token, who.payer.address, 100_000_000n));
      if (!sameSession) requests.push((open = await session(who)).id);
    }
  }
  who.desk.close();
  return { refusedBy, requests };
}

async function broadcast({ query }: TestService, nonce: Hex): Promise<Sent['call']> {
  const [row] = await eventually(
    () =>
      query<{ to: Address; data: Hex }>(
        `SELECT s.recipient AS "to", '0x' || encode(s.data, 'hex') AS data FROM networks.sendings s
         JOIN payments.authorizations a ON a.id = s.id WHERE a.nonce = $1 AND s.state = 'broadcast'`,
        [nonce],
      ),
    (rows) => rows.length > 0,
  );
  return row!;
}

async function ended({ query, chain }: TestService, nonce: Hex): Promise<void> {
  // Once: each block takes the chain's time a second further ahead, towards the end of the checkout.
  await chain.mine(UNTIL_FINAL);
  const state = async () => {
    const [row] = await query<{ state: string }>(
      'SELECT state FROM payments.authorizations WHERE nonce = $1',
      [nonce],
    );
    return row!.state;
  };
  await eventually(state, (each) => each === 'seen' || each === 'failed');
}

describe('A payer who has gas spent for nothing', () => {
  it(
    'is stopped by each limit',
    async () => {
      const lines: string[] = [];
      for (const scene of SCENES) {
        const { refusedBy, requests } = await spoilAll(scene);
        const [sums] = await shops[0]!.query<
          Record<'stored' | 'seen' | 'failed' | 'cost' | 'reserved', string>
        >(
          `SELECT count(*) AS stored, count(*) FILTER (WHERE state = 'seen') AS seen, count(*) FILTER (WHERE state = 'failed') AS failed,
             COALESCE(sum(gas_cost), 0) AS cost, COALESCE(sum(reserved_cost), 0) AS reserved
           FROM payments.authorizations WHERE payment_request_id = ANY($1::uuid[])`,
          [requests],
        );
        const eth = (wei: string) => formatAmount(BigInt(wei), 18);
        expect(refusedBy).toBe(scene.limit);
        const { stored, seen, failed, cost, reserved } = sums!;
        lines.push(
          `| ${[scene.name, stored, seen, failed, eth(cost), eth(reserved), `${scene.limit} ${LIMITS[scene.limit]}`].join(' | ')} |`,
        );
      }
      const [spent] = await shops[0]!.query<{ cost: string }>(
        'SELECT sum(gas_cost) AS cost FROM payments.authorizations',
      );

      expect(BigInt(spent!.cost)).toBeGreaterThan(0n);
      expect(BigInt(spent!.cost)).toBeLessThanOrEqual(parseAmount(LIMITS.per_day, 18) as bigint);
      expect(await shops[0]!.breaches()).toEqual([]);
      process.stdout.write(
        `| the payer | sent | seen | failed | gas spent, ETH | reserved, ETH | refused by |\n${lines.join('\n')}\nIn all ${formatAmount(BigInt(spent!.cost), 18)} ETH.\n`,
      );
    },
    LONG ? 1_800_000 : 240_000,
  );
});
