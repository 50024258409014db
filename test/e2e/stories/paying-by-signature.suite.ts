import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Address } from 'viem';
import type { AuthorizationDto } from '#contexts/payments/infrastructure/authorizations/http/authorization.dto.js';
import type { PublicCheckoutDto } from '#contexts/payments/infrastructure/requests/http/checkout.dto.js';
import { bookedFor } from '#test/support/booked.js';
import { CheckoutDesk } from '#test/support/checkout-desk.js';
import { eventually } from '#test/support/eventually.js';
import type { Received } from '#test/support/hostile/hostile-http.js';
import { SigningPayer, signaturePaymentOf } from '#test/support/signing-payer.js';
import type { TestService } from '#test/support/service.js';
import type { SharedService } from '#test/support/shared-service.js';
import { tokenOf } from '#sandbox/payer/payer-wallet.js';

const UNTIL_FINAL = 6;

let service: TestService;
let desk: CheckoutDesk;
let payer: SigningPayer;
let asset: string;

async function asked(): Promise<PublicCheckoutDto> {
  const { session_id: sessionId } = await desk.open({}, service.seed.posId);
  return desk.selectToSign(sessionId, asset);
}

function post(sessionId: string, body: unknown, headers: Record<string, string> = {}): Promise<Received> {
  return desk.http.send({
    method: 'POST',
    target: `/public/checkout/${sessionId}/authorization`,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
}

const dataOf = ({ json }: Received) => json!['data'] as AuthorizationDto;

export function payingBySignatureSuite(shared: SharedService): void {
  describe('Paying by a signature', () => {
    beforeAll(async () => {
      service = await shared.shop();
      desk = new CheckoutDesk(service);
      payer = new SigningPayer();
      asset = service.assets.find(({ symbol }) => symbol === 'USDC')!.unique_asset_id;
      const token = tokenOf(asset);
      await service.wallet.mined(await service.wallet.send(token, payer.address, 100_000_000n));
    });
    afterAll(() => desk?.close());

    it('pays a checkout once without native coin, however often it is posted', async () => {
      const session = await asked();
      expect(signaturePaymentOf(session)).toMatchObject({
        to: session.selected!.address,
        value: '10000000',
        domain: { verifying_contract: tokenOf(asset) },
      });
      const signed = await payer.sign(session);

      const first = await Promise.all(Array.from({ length: 10 }, () => post(session.session_id, signed)));
      expect(first.map(({ status }) => status)).toEqual(Array(10).fill(200));
      const seen = await eventually(
        async () => dataOf(await post(session.session_id, signed)),
        ({ status }) => status === 'seen',
      );
      await service.chain.mine(UNTIL_FINAL);
      const done = await desk.until(session.session_id, ({ status }) => status === 'completed');

      expect(done.selected).toMatchObject({ transaction_hash: seen.transaction_hash, missing_amount: '0' });
      expect(done.selected!.signature_payment).toBeUndefined();
      expect(await service.wallet.balance(tokenOf(asset), session.selected!.address as Address)).toBe(
        10_000_000n,
      );
      const sent = await service.query<{ purpose: string }>(
        `SELECT s.purpose FROM networks.sendings s JOIN payments.authorizations a ON a.id = s.id
         WHERE a.payment_request_id = $1`,
        [session.id],
      );
      expect(sent).toEqual([{ purpose: 'authorized_transfer' }]);
      const ended = () =>
        service.query<{ state: string; cost: string }>(
          'SELECT state, gas_cost AS cost FROM payments.authorizations WHERE payment_request_id = $1',
          [session.id],
        );
      const [row] = await eventually(ended, ([each]) => each?.state === 'seen');
      expect(BigInt(row!.cost)).toBeGreaterThan(0n);
    });

    it('posts the same ledger entries as an ordinary payment', async () => {
      const [signed, byHand] = [await asked(), await asked()];
      await post(signed.session_id, await payer.sign(signed));
      await desk.pay(byHand);
      for (const { session_id: id } of [signed, byHand])
        await desk.until(id, ({ status }) => status === 'processing');
      // Once: each block moves the chain's time on by a second at least, which suites after this one share.
      await service.chain.mine(UNTIL_FINAL);
      const [one, other] = await Promise.all([bookedFor(service, signed.id), bookedFor(service, byHand.id)]);

      expect(one).toMatchObject([{ type: 'payment_in', gross_amount: '10000000' }]);
      expect(one).toEqual(other);
    });
  });
}
