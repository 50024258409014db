import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { flattenedVerify, importJWK } from 'jose';
import type { SignedReceipt } from '#contexts/payments/infrastructure/receipts/receipt-signatures.js';
import type { PaymentRequestProgressDto } from '#contexts/payments/infrastructure/requests/http/payment-request.dto.js';
import { rfc8785Json } from '#shared/naspip/detached-jws.js';
import type { NaspipPublicKeys } from '#shared/naspip/naspip-token.js';
import { visible } from '#shared/web/testing/visible-text.js';
import { CheckoutDesk, sessionIn } from '#test/support/checkout-desk.js';
import { eventually } from '#test/support/eventually.js';
import type { TestService } from '#test/support/service.js';
import type { SharedService } from '#test/support/shared-service.js';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

let service: TestService;
let desk: CheckoutDesk;

const post = (target: string, body: string, headers: Record<string, string> = FORM) =>
  desk.http.send({ method: 'POST', target, headers, body });

/** A JOSE library verifies it with the published keys. */
async function signedBy({ receipt, signature }: SignedReceipt) {
  const published = (await desk.get('/.well-known/naspip-keys')).json as unknown as NaspipPublicKeys;
  const [header = '', , value = ''] = signature.split('.');
  const { iss, kid } = JSON.parse(Buffer.from(header, 'base64url').toString()) as Record<string, string>;
  const x = published[iss!]![kid!]!.publicKey.slice('k4.public.'.length);
  const payload = Buffer.from(rfc8785Json(receipt)).toString('base64url');
  const key = await importJWK({ kty: 'OKP', crv: 'Ed25519', x }, 'EdDSA');
  return (await flattenedVerify({ protected: header, payload, signature: value }, key)).protectedHeader;
}

export function receiptsSuite(shared: SharedService): void {
  describe('The receipt of a checkout', () => {
    beforeAll(async () => {
      service = await shared.shop();
      desk = new CheckoutDesk(service);
    });
    // The suites after this one move the clock and break invariants.
    afterAll(async () => {
      desk?.close();
      expect(await service.breaches()).toEqual([]);
    });

    it('is signed, displayed and emailed to the address of the payer once the payment is final', async () => {
      const { session_id: session, id } = await desk.open({ order: { description: 'Table 7' } });
      const page = `/checkout/${session}`;
      await desk.pay(sessionIn(await desk.select(session, service.assets[0]!.unique_asset_id)));
      await desk.until(session, ({ status }) => status === 'processing');
      const refused = await post(`${page}/receipt-mail`, 'email=anna%0d%0aBcc%3Aeve%40mail.example');
      const accepted = await post(`${page}/receipt-mail`, 'email=Anna%40mail.example');
      await service.chain.mine(5);
      const { receipt_url: url } = await eventually(
        () =>
          service.api.get<PaymentRequestProgressDto>(`/v1/pos/${service.seed.posId}/payment-request/${id}`),
        (request) => request.receipt_url !== undefined,
      );
      const { pathname } = new URL(url!);
      const shown = await desk.get(pathname, { accept: 'text/html,*/*' });
      const read = await desk.get(pathname, { accept: 'application/json' });
      const saved = await desk.get(`${pathname}/document`);
      const checkout = await desk.get(page);
      const [, unsubscribe = ''] = await eventually(
        () =>
          /"recipient":"anna@mail\.example[^\n]*pay\.example(\/unsubscribe\/0[\w-]{22})/.exec(
            service.log('worker'),
          ) ?? [],
        ({ length }) => length > 0,
      );
      const looked = await desk.get(unsubscribe);
      const multipart = { 'content-type': 'multipart/form-data; boundary=x', origin: 'https://mail.example' };
      const oneClick =
        '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n';
      const stopped = await post(unsubscribe, oneClick, multipart);

      expect(url).toMatch(/^https:\/\/pay\.example\/receipt\/0[\w-]{22}$/);
      expect([refused.headers['location'], accepted.headers['location']]).toEqual([
        `${page}?mail=invalid#mail`,
        `${page}#mail`,
      ]);
      expect(visible(shown.text)).toContain('Paid The merchant received the payment');
      const document = read.json as unknown as SignedReceipt;
      expect(document.receipt).toMatchObject({
        url,
        status: 'paid',
        payment_request_id: id,
        order: { description: 'Table 7' },
        received: { amount: '10', symbol: 'USDC' },
      });
      expect(await signedBy(document)).toMatchObject({ alg: 'EdDSA', typ: 'payment-receipt+jws' });
      expect(saved.headers['content-disposition']).toBe(`attachment; filename="receipt-${id}.json"`);
      expect(checkout.text).toContain(`href="${pathname}"`);
      expect(visible(checkout.text)).toContain('The receipt is sent by email.');
      expect([looked.status, stopped.status]).toEqual([200, 200]);
      expect(visible(stopped.text)).toContain('This address no longer receives emails');
    });
  });
}
