import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { x402Client, x402HTTPClient } from '@x402/core/client';
import { decodePaymentRequiredHeader, decodePaymentResponseHeader } from '@x402/core/http';
import { ExactEvmScheme } from '@x402/evm';
import { wrapFetchWithPayment } from '@x402/fetch';
import { privateKeyToAccount } from 'viem/accounts';
import type { PublicCheckoutDto } from '#contexts/payments/infrastructure/requests/http/checkout.dto.js';
import { sandboxPayer } from '#sandbox/chain/sandbox-chain.js';
import { CheckoutDesk } from '#test/support/checkout-desk.js';
import { type Received } from '#test/support/hostile/hostile-http.js';
import { TEST_CHAIN_ID } from '#test/support/chain.js';
import type { TestService } from '#test/support/service.js';
import type { SharedService } from '#test/support/shared-service.js';

const NETWORK = `eip155:${TEST_CHAIN_ID}` as const;

let service: TestService;
let desk: CheckoutDesk;
let usdc: string;
let dai: string;

/** The official client, which pays in any asset and amount. */
const client = new x402Client()
  .register(NETWORK, new ExactEvmScheme(privateKeyToAccount(sandboxPayer.private_key)))
  .setSpendControls(false);
const http = new x402HTTPClient(client);

type Session = Required<Pick<PublicCheckoutDto, 'x402_url'>> & PublicCheckoutDto;
/** Once some token is known to take signatures. */
async function open(): Promise<Session> {
  const { session_id: sessionId } = await desk.open();
  return (await desk.until(sessionId, ({ x402_url: url }) => url !== undefined)) as Session;
}
const pathOf = ({ session_id: id }: { session_id: string }) => `/public/checkout/${id}/x402`;
const ask = (session: Session, query = '') => desk.get(pathOf(session) + query);
const headerIn = ({ headers }: Received, name: string) => String(headers[name]);

async function sign(session: Session): Promise<string> {
  const required = decodePaymentRequiredHeader(headerIn(await ask(session), 'payment-required'));
  return http.encodePaymentSignatureHeader(await http.createPaymentPayload(required))['PAYMENT-SIGNATURE']!;
}

/** The session was polled before, so its answer follows the choice a few milliseconds later. */
const selectedIn = ({ session_id: id }: Session, option: string) =>
  desk.until(id, ({ selected }) => selected?.unique_asset_id === option);

const authorizationsOf = ({ id }: { id: string }) =>
  service.query<{ state: string; transactionHash: string }>(
    `SELECT state, transaction_hash AS "transactionHash" FROM payments.authorizations WHERE payment_request_id = $1`,
    [id],
  );

export function payingByX402Suite(shared: SharedService): void {
  describe('Paying by x402', () => {
    beforeAll(async () => {
      service = await shared.shop();
      desk = new CheckoutDesk(service);
      [usdc, dai] = [service.assets[0]!.unique_asset_id, service.assets[2]!.unique_asset_id];
    });

    afterAll(() => desk?.close());

    it('answers the official client once the transfer is detected', async () => {
      const session = await open();
      const pay = wrapFetchWithPayment(fetch, client);

      const answer = await pay(session.x402_url);

      const paid = (await answer.json()) as PublicCheckoutDto;
      expect([answer.status, paid]).toEqual([200, expect.anything()]);
      const receipt = decodePaymentResponseHeader(answer.headers.get('payment-response')!);
      expect(paid).toMatchObject({
        id: session.id,
        status: 'processing',
        selected: { missing_amount: '0', transaction_hash: receipt.transaction },
      });
      expect(receipt).toEqual({
        success: true,
        transaction: paid.selected!.transaction_hash,
        network: NETWORK,
        payer: sandboxPayer.address,
        amount: '10000000',
      });
    });

    it('requests the missing amount in header and body, in the asset of the query', async () => {
      const session = await open();
      const first = await ask(session);
      const other = await ask(session, `?payment_option=${dai}`);
      const again = await ask(session);

      const { selected } = await selectedIn(session, dai);
      expect([first, other, again].map(({ status }) => status)).toEqual([402, 402, 402]);
      expect(first.json).toEqual(decodePaymentRequiredHeader(headerIn(first, 'payment-required')));
      expect(first.json).toMatchObject({
        x402Version: 2,
        resource: { url: session.x402_url, mimeType: 'application/json' },
        accepts: [{ scheme: 'exact', network: NETWORK, amount: '10000000', asset: usdc.split('_t')[1] }],
      });
      expect(again.json).toMatchObject({
        accepts: [{ amount: '10000000000000000000', asset: dai.split('_t')[1], payTo: selected!.address }],
      });
      expect(first.headers['access-control-allow-origin']).toBe('*');
      expect(headerIn(first, 'access-control-expose-headers')).toContain(
        'payment-required, payment-response',
      );
    });

    it('does not select or pay on HEAD', async () => {
      const session = await open();
      const head = () => desk.http.send({ method: 'HEAD', target: pathOf(session) });
      const before = await head();
      const header = await sign(session);
      const after = await desk.http.send({
        method: 'HEAD',
        target: pathOf(session),
        headers: { 'payment-signature': header },
      });

      expect([before.status, after.status]).toEqual([409, 402]);
      expect(await authorizationsOf(session)).toEqual([]);
    });
  });
}
