import { expect } from '@jest/globals';
import type { Address } from 'viem';
import type { PublicCheckoutDto } from '#contexts/payments/infrastructure/requests/http/checkout.dto.js';
import { tokenOf } from '#sandbox/payer/payer-wallet.js';
import { eventually } from '../../support/eventually.js';
import type { TestService } from '../../support/service.js';
import { SigningPayer } from '../../support/signing-payer.js';
import { held, type KillPoint } from './kill-points.js';
import type { KillSubject } from './kill-subjects.js';
import type { KillWorld } from './kill-world.js';

const UNTIL_FINAL = 6;
/** Enough for every kill of the long form. */
const HELD = 1_000_000_000n;
const PAID = 1_500_000n;

/** It is stored, simulated anew, and nothing of it is with the sender: what the key holds is asked for before a nonce is reserved. */
const QUEUED: KillPoint = {
  name: 'queued',
  arm: async ({ proxy, key, service }) =>
    held(proxy, { method: 'eth_getBalance', when: 'before' }, async ({ params }) => {
      if (String(params[0]).toLowerCase() !== key.address.toLowerCase()) return false;
      const queued = await service.query(`SELECT FROM payments.authorizations WHERE state = 'queued'`);
      return queued.length > 0;
    }),
};

export interface SignedPayment {
  readonly session: PublicCheckoutDto;
  /** @param apiUrl of another process than the first */
  post(apiUrl?: string): Promise<void>;
  /** Mines until it is completed, and checks what arrived. */
  completed(): Promise<void>;
}

/** A payer with tokens alone, and checkouts of 1.50 dollars. */
export async function openAuthorizationDesk({ service }: KillWorld) {
  const asset = service.assets.find(({ symbol }) => symbol === 'USDC')!.unique_asset_id;
  const token = tokenOf(asset);
  const payer = new SigningPayer();
  await service.wallet.mined(await service.wallet.send(token, payer.address, HELD));
  return {
    async signed(): Promise<SignedPayment> {
      await catchUp(service);
      const { session_id: sessionId } = await service.api.post<PublicCheckoutDto>(
        `/v1/pos/${service.seed.posId}/payment-request-checkout`,
        { amount: '1.5', coin_code: 'USD' },
      );
      const path = `/public/checkout/${sessionId}`;
      const session = await publicPost(service.apiUrl, `${path}/select-asset`, { unique_asset_id: asset });
      const body = await payer.sign(session);
      const read = async () =>
        (await (await fetch(`${service.apiUrl}${path}`)).json()).data as PublicCheckoutDto;
      return {
        session,
        async post(apiUrl = service.apiUrl) {
          await publicPost(apiUrl, `${path}/authorization`, body);
        },
        async completed() {
          const mine = async () => {
            await service.chain.mineWhileWaiting(UNTIL_FINAL);
            return read();
          };
          await eventually(mine, ({ status }) => status === 'completed');
          expect(await service.wallet.balance(token, session.selected!.address as Address)).toBe(PAID);
        },
      };
    },
  };
}

/** One payment by signature after another. */
export const AUTHORIZATION: KillSubject = {
  name: 'a payment by signature',
  points: [QUEUED],
  madeUp: [],
  async open(world) {
    const { service, key } = world;
    const desk = await openAuthorizationDesk(world);
    return {
      sender: key.address,
      async order() {
        const payment = await desk.signed();
        await payment.post();
        const sendings = () =>
          service.query<{ id: string; data: string }>(
            `SELECT s.id, encode(s.data, 'hex') AS data FROM networks.sendings s
             JOIN payments.authorizations a ON a.id = s.id WHERE a.payment_request_id = $1`,
            [payment.session.id],
          );
        let input = '';
        return {
          sending: async () => (await sendings())[0]?.id ?? null,
          again: () => payment.post(),
          async ended() {
            input = `0x${(await sendings())[0]!.data}`;
            await payment.completed();
            const state = () =>
              service.query<{ state: string }>(
                'SELECT state FROM payments.authorizations WHERE payment_request_id = $1',
                [payment.session.id],
              );
            await eventually(state, (rows) => rows[0]?.state === 'seen');
          },
          isMadeBy: (transaction) => transaction.input === input,
        };
      },
      close: async () => undefined,
    };
  },
};

/** Blocks that are mined at once are a second apart: the service's clock follows, or checkouts would end as soon as they are open. */
async function catchUp({ api, chain, query }: TestService): Promise<void> {
  const { timestamp } = await chain.rpc<{ timestamp: string }>('eth_getBlockByNumber', ['latest', false]);
  await query(
    `UPDATE platform.clock_offset SET value = value + GREATEST(to_timestamp($1) - platform.now(), interval '0')`,
    [Number(timestamp)],
  );
  await api.authenticate();
}

async function publicPost(apiUrl: string, path: string, body: object): Promise<PublicCheckoutDto> {
  const answer = await fetch(`${apiUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`${answer.status} ${text}`);
  return (JSON.parse(text) as { data: PublicCheckoutDto }).data;
}
