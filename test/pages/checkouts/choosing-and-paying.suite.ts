import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TransactionDto } from '#contexts/ledger/infrastructure/http/transaction.dto.js';
import type {
  CheckoutDto,
  PublicCheckoutDto,
} from '#contexts/payments/infrastructure/requests/http/checkout.dto.js';
import type { PaymentRequestProgressDto } from '#contexts/payments/infrastructure/requests/http/payment-request.dto.js';
import type { RegisteredWebhookDto } from '#contexts/webhooks/infrastructure/registration/http/webhook.dto.js';
import { WebhookReceiver } from '#sandbox/merchant/webhook-receiver.js';
import type { PageBody } from '#shared/platform/http/answers/pagination.dto.js';
import { CheckoutDesk, sessionIn } from '#test/support/checkout-desk.js';
import type { Received } from '#test/support/hostile/hostile-http.js';
import { eventually } from '#test/support/eventually.js';
import type { TestService } from '#test/support/service.js';
import type { SharedService } from '#test/support/shared-service.js';

const CONFIRMATIONS = 5;
const PAGES = 'https://pay.example';

let service: TestService;
let desk: CheckoutDesk;
let receiver: WebhookReceiver;
let usdc: string;
let dai: string;
let payers = 0;

/** Polls from an address of its own each time, so that no wait meets the limit of one payer. */
const until = (sessionId: string, isDone: (session: PublicCheckoutDto) => boolean) =>
  eventually(() => desk.read(sessionId, `127.21.${(payers += 1) >> 8}.${payers & 255}`), isDone);
const merchantReads = ({ id }: CheckoutDto) =>
  service.api.get<PaymentRequestProgressDto & CheckoutDto>(
    `/v1/pos/${service.seed.posId}/payment-request/${id}`,
  );
const ANSWER_DEPENDENT = ['date', 'connection', 'keep-alive', 'content-length', 'etag', 'ratelimit'];
const left = ({ headers }: Received) => Number(/;r=(\d+);/.exec(String(headers['ratelimit']))![1]);
const standing = ({ headers }: Received) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !ANSWER_DEPENDENT.includes(name)));

export function choosingAndPayingSuite(shared: SharedService): void {
  describe('Choosing and paying', () => {
    beforeAll(async () => {
      [service, receiver] = await Promise.all([shared.shop(), WebhookReceiver.listen()]);
      desk = new CheckoutDesk(service);
      usdc = service.assets[0]!.unique_asset_id;
      dai = service.assets[2]!.unique_asset_id;
      const body = { url: receiver.url, event_type: 'payment_request' };
      const path = `/v1/account/${service.seed.accountId}/webhook`;
      receiver.secret = (await service.api.post<RegisteredWebhookDto>(path, body)).secret;
    });

    afterAll(async () => {
      desk?.close();
      await receiver?.close();
    });

    describe('A checkout', () => {
      it('is selected, paid, confirmed and posted to the ledger', async () => {
        const opened = await desk.open({
          reference_id: 'order-7',
          return_url: 'https://shop.example/thanks',
        });
        const pending = await desk.read(opened.session_id);
        const selected = sessionIn(await desk.select(opened.session_id, usdc));
        const hash = await desk.pay(selected);
        const processing = await until(opened.session_id, ({ status }) => status === 'processing');
        await service.chain.mine(1);
        await until(opened.session_id, ({ selected: now }) => now!.confirmations === 2);
        await service.chain.mine(CONFIRMATIONS - 2);
        const completed = await until(opened.session_id, ({ status }) => status === 'completed');
        const booked = await eventually(
          async () =>
            (
              await service.api.get<PageBody<TransactionDto>>('/v1/transactions?page=1&page_size=100')
            ).data.filter(({ payment_request_id: id }) => id === opened.id),
          ({ length }) => length > 0,
        );
        const notified = await eventually(
          async () => new Set(receiver.notificationsOf(opened.id).map(({ status }) => status)),
          ({ size }) => size >= 2,
        );

        const { reference_id: reference, ...seen } = opened;
        expect(reference).toBe('order-7');
        expect(pending).toEqual(seen);
        expect(pending).toMatchObject({
          status: 'pending',
          hosted_checkout_url: `${PAGES}/checkout/${opened.session_id}`,
        });
        expect(selected).toMatchObject({
          status: 'created',
          selected: { symbol: 'USDC', amount: '10', missing_amount: '10', confirmations: 0 },
        });
        expect(processing.selected).toMatchObject({
          received_amount: '10',
          missing_amount: '0',
          transaction_hash: hash,
        });
        expect(completed).toMatchObject({ id: opened.id, selected: { confirmations: CONFIRMATIONS } });
        expect(booked).toMatchObject([
          {
            type: 'payment_in',
            gross_amount: '10',
            currency: 'USDC',
            reference_id: 'order-7',
            transaction_hash: hash,
          },
        ]);
        expect([...notified].sort()).toEqual(['completed', 'processing']);
        expect(receiver.refused).toEqual([]);
      });

      it('returns the session and the selection to its merchant', async () => {
        const opened = await desk.open({ reference_id: 'order-8' });
        const { selected } = sessionIn(await desk.select(opened.session_id, dai));

        const read = await merchantReads(opened);

        expect(read).toMatchObject({
          id: opened.id,
          status: 'created',
          reference_id: 'order-8',
          session_id: opened.session_id,
          token: opened.token,
          checkout_url: opened.checkout_url,
          hosted_checkout_url: opened.hosted_checkout_url,
          amount: '10',
          coin_code: 'USD',
          selected: { unique_asset_id: dai, address: selected!.address, amount: '10' },
        });
        expect(read.selected!.rate).toMatchObject({ price: '1', sources: ['peg'] });
      });

      it('answers polls by ETag, with the same headers from memory as from the application', async () => {
        const { session_id: id } = await desk.open();
        const asked = { 'x-request-id': 'mine-1', origin: PAGES };
        const first = await desk.poll(id, asked);
        const again = await desk.poll(id, asked);
        const tag = { ...asked, 'if-none-match': `W/${String(first.headers['etag'])}, "other"` };
        const unchanged = await desk.poll(id, tag);
        const head = await desk.http.send({
          method: 'HEAD',
          target: `/public/checkout/${id}`,
          headers: asked,
        });
        const other = await desk.open();
        const longWay = await desk.poll(other.session_id, { ...asked, 'if-none-match': '*' });

        expect([first, again, head, unchanged, longWay].map(({ status }) => status)).toEqual([
          200, 200, 200, 304, 304,
        ]);
        expect([again.text, head.text, unchanged.text, longWay.text]).toEqual([first.text, '', '', '']);
        expect([again, head, unchanged].map(({ headers }) => headers['etag'])).toEqual(
          [first, first, first].map(({ headers }) => headers['etag']),
        );
        const counted = [first, again, unchanged, head].map(left);
        expect(counted).toEqual([0, 1, 2, 3].map((polls) => counted[0]! - polls));
        expect(left(longWay)).toBe(counted[0]);
        expect(standing(again)).toEqual(standing(first));
        expect(standing(head)).toEqual(standing(first));
        expect(standing(unchanged)).toEqual(standing(longWay));
        expect(standing(first)).toMatchObject({
          'x-request-id': 'mine-1',
          'cache-control': 'no-store',
          'referrer-policy': 'no-referrer',
          'content-security-policy': "default-src 'none';frame-ancestors 'none'",
          'content-type': 'application/json; charset=utf-8',
        });
      });
    });
  });
}
