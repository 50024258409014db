import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { x402Client, x402HTTPClient } from '@x402/core/client';
import { decodePaymentRequiredHeader, decodePaymentResponseHeader } from '@x402/core/http';
import { ExactEvmScheme } from '@x402/evm';
import { wrapFetchWithPayment } from '@x402/fetch';
import { privateKeyToAccount } from 'viem/accounts';
import type { PublicCheckoutDto } from '#contexts/payments/infrastructure/requests/http/checkout.dto.js';
import { sandboxPayer } from '#sandbox/chain/sandbox-chain.js';
import { CheckoutDesk } from '#test/support/checkout-desk.js';
import { eventually } from '#test/support/eventually.js';
import { HostileHttp, type Received } from '#test/support/hostile/hostile-http.js';
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
const send = (session: Session, header: string, query = '') =>
  desk.get(pathOf(session) + query, { 'payment-signature': header });
const headerIn = ({ headers }: Received, name: string) => String(headers[name]);
const errorsIn = ({ json }: Received) =>
  (json!['errors'] as { field: string; rule: string }[]).map(({ field, rule }) => `${field} ${rule}`);

/** The official client signs this for the session. */
async function sign(session: Session): Promise<string> {
  const required = decodePaymentRequiredHeader(headerIn(await ask(session), 'payment-required'));
  return http.encodePaymentSignatureHeader(await http.createPaymentPayload(required))['PAYMENT-SIGNATURE']!;
}

/** The same payment with another value at a path of names. */
function changed(header: string, path: string, value: unknown): string {
  const payload = JSON.parse(Buffer.from(header, 'base64').toString()) as Record<string, unknown>;
  const names = path.split('.');
  const last = names.pop()!;
  const holder = names.reduce((one, name) => one[name] as Record<string, unknown>, payload);
  holder[last] = value;
  return Buffer.from(JSON.stringify(payload)).toString('base64');
}

/** The session was polled before, so its answer follows the choice a few milliseconds later. */
const selectedIn = ({ session_id: id }: Session, option: string) =>
  desk.until(id, ({ selected }) => selected?.unique_asset_id === option);

const authorizationsOf = ({ id }: { id: string }) =>
  service.query<{ state: string; transactionHash: string }>(
    `SELECT state, transaction_hash AS "transactionHash" FROM payments.authorizations WHERE payment_request_id = $1`,
    [id],
  );
const transfersOf = ({ id }: { id: string }) =>
  service.query('SELECT FROM payments.transfers WHERE payment_request_id = $1', [id]);

export function payingByX402Suite(shared: SharedService): void {
  describe('Paying by x402', () => {
    beforeAll(async () => {
      service = await shared.shop();
      desk = new CheckoutDesk(service);
      [usdc, dai] = [service.assets[0]!.unique_asset_id, service.assets[2]!.unique_asset_id];
    });

    afterEach(async () => {
      await service.chain.rpc('evm_setAutomine', [true]);
    });

    afterAll(() => desk?.close());

    it('takes the official client, as it comes, once it has seen the transfer', async () => {
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

    it('answers what is missing, in its header and its body, and selects as the payer would', async () => {
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

    it('sends one payment once that a hundred bring at the same time, and answers it alike for ever', async () => {
      const session = await open();
      const header = await sign(session);
      await service.chain.rpc('evm_setAutomine', [false]);
      const crowd = new HostileHttp(service.apiUrl, 101);
      const pay = (from: string) =>
        crowd.send({
          ...{ method: 'GET', target: pathOf(session), from },
          headers: { 'payment-signature': header },
        });

      const sources = Array.from({ length: 101 }, (_, n) => `127.0.0.${2 + (n % 5)}`);
      const sent = sources.map(pay);
      // Ten of each address wait for the block; the others find no place.
      const first = await Promise.race(sent);
      await eventually(
        () => service.chain.rpc<{ pending: object }>('txpool_content'),
        ({ pending }) => Object.keys(pending).length > 0,
      );
      await service.chain.rpc('evm_setAutomine', [true]);
      await service.chain.mine(1);
      const all = await Promise.all(sent);
      const again: Received[] = [];
      for (const [n, { status }] of all.entries())
        if (status === 503)
          again.push(
            await eventually(
              () => pay(sources[n]!),
              (answer) => answer.status !== 503,
            ),
          );
      crowd.close();
      const later = await send(session, header);
      await service.chain.mine(6);
      await desk.until(session.session_id, ({ status }) => status === 'completed');
      const afterwards = await send(session, header);

      const paid = [...all, ...again].filter(({ status }) => status === 200);
      expect([first.status, first.json!['code'], first.headers['retry-after']]).toEqual([
        503,
        'payment_pending',
        '1',
      ]);
      expect([paid.length, again.length > 0]).toEqual([101, true]);
      const receipts = [...paid, later, afterwards].map((one) => headerIn(one, 'payment-response'));
      expect(new Set(receipts).size).toBe(1);
      expect(afterwards.json).toMatchObject({ status: 'completed', selected: { received_amount: '10' } });
      expect(await transfersOf(session)).toHaveLength(1);
      const { transaction } = decodePaymentResponseHeader(receipts[0]!);
      const ended = await eventually(
        () => authorizationsOf(session),
        ([one]) => one?.state === 'seen',
      );
      expect(ended).toEqual([{ state: 'seen', transactionHash: transaction }]);
    });

    it('takes nothing that does not fit, and says which field', async () => {
      const session = await open();
      const other = await open();
      const [header, foreign] = [await sign(session), await sign(other)];
      const nonce = `0x${'11'.repeat(32)}`;
      // One of each kind; each field has its own case in payment-headers.spec.
      const cases: [header: string, status: number, refused: string][] = [
        [foreign, 402, 'PAYMENT-SIGNATURE.resource.url resource'],
        [changed(header, 'payload.authorization.validBefore', '1'), 402, 'authorization time'],
        [changed(header, 'payload.authorization.nonce', nonce), 402, 'authorization signature'],
        [changed(header, 'x402Version', 1), 400, 'PAYMENT-SIGNATURE.x402Version x402_version'],
      ];
      for (const [sent, status, refused] of cases) {
        const answer = await send(session, sent);
        expect([refused, answer.status, errorsIn(answer)]).toEqual([
          refused,
          status,
          expect.arrayContaining([refused]),
        ]);
        if (status === 402)
          expect(decodePaymentRequiredHeader(headerIn(answer, 'payment-required'))).toMatchObject({
            error: answer.json!['error'],
            accepts: [{ amount: '10000000' }],
          });
      }
      const formerVersion = await desk.get(pathOf(session), { 'x-payment': header });
      const tooLong = await send(session, 'A'.repeat(100_000));

      expect([formerVersion.status, errorsIn(formerVersion)]).toEqual([400, ['X-PAYMENT x402_version']]);
      expect([tooLong.status, tooLong.json!['code']]).toEqual([431, 'headers_too_large']);
      expect(await authorizationsOf(session)).toEqual([]);
    });

    it('takes nothing that is paid otherwise or has ended', async () => {
      const session = await open();
      const header = await sign(session);
      await desk.pay(await selectedIn(session, usdc));
      await desk.until(session.session_id, ({ status }) => status === 'processing');
      const paid = [await ask(session), await send(session, header)];
      await service.chain.mine(6);
      await desk.until(session.session_id, ({ status }) => status === 'completed');
      const ended = [await ask(session), await send(session, header)];
      const unknown = await desk.get(`/public/checkout/${'B'.repeat(32)}/x402`);

      const codes = [...paid, ...ended].map(({ status, json }) => [status, json!['code']]);
      expect(codes).toEqual(codes.map(() => [409, 'state_conflict']));
      expect([unknown.status, await authorizationsOf(session)]).toEqual([404, []]);
    });

    it('neither selects nor pays by HEAD', async () => {
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
