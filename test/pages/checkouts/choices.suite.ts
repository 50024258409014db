import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { CheckoutDto } from '#contexts/payments/infrastructure/requests/http/checkout.dto.js';
import { keyLookupIn, verifyNaspipToken, type NaspipPublicKeys } from '#shared/naspip/naspip-token.js';
import { CheckoutDesk, sessionIn, walletPath } from '#test/support/checkout-desk.js';
import { codeOf } from '#test/support/hostile/hostile-calls.js';
import type { TestService } from '#test/support/service.js';
import type { SharedService } from '#test/support/shared-service.js';

const CONFIRMATIONS = 5;

let service: TestService;
let desk: CheckoutDesk;
let usdc: string;

const asksForPayment = async (session: CheckoutDto, option?: string) => desk.get(walletPath(session, option));

export function choicesSuite(shared: SharedService): void {
  describe('Choices of a wallet', () => {
    beforeAll(async () => {
      service = await shared.shop();
      desk = new CheckoutDesk(service);
      usdc = service.assets[0]!.unique_asset_id;
    });

    afterAll(() => desk?.close());

    describe('A wallet', () => {
      it('verifies the token, selects an asset at its URL, and receives the address and amount', async () => {
        const opened = await desk.open({ order: { total: '10', coin_code: 'USD', description: 'Table 7' } });
        const published = await desk.get('/.well-known/naspip-keys');
        const keys = keyLookupIn(published.json as unknown as NaspipPublicKeys);

        const { payload, expiresAt } = verifyNaspipToken(opened.token, keys, new Date());
        const { url } = payload as unknown as { url: string };
        const options = (await (await fetch(url)).json()) as object;
        const chosen = (await (await fetch(`${url}?payment_option=${usdc}`)).json()) as {
          payment: { address: string };
        };
        const asked = await asksForPayment(opened);

        expect(url).toBe(opened.checkout_url);
        for (const { headers } of [published, asked])
          expect(headers['access-control-allow-origin']).toBe('*');
        expect(published.headers['cache-control']).toBe('public, max-age=300');
        expect(payload).toMatchObject({
          paymentOptions: opened.payment_options.map(({ unique_asset_id: id }) => id),
        });
        expect(expiresAt.toISOString()).toBe(opened.expires_at);
        expect(options).toEqual({
          url,
          payment_options: opened.payment_options.map(({ unique_asset_id: id }) => id),
          order: { total: '10', coin_code: 'USD', description: 'Table 7', merchant: opened.merchant },
        });
        expect(asked.json).toEqual(chosen);
        expect(asked.json).toMatchObject({
          payment: {
            id: opened.id,
            unique_asset_id: usdc,
            is_open: false,
            amount: '10',
            expires_at: Date.parse(opened.expires_at),
          },
        });
        expect(chosen.payment.address).toBe((await desk.read(opened.session_id)).selected!.address);
      });

      it('receives the remaining amount after a partial payment, and is refused after the full amount', async () => {
        const opened = await desk.open();
        const selected = sessionIn(await desk.select(opened.session_id, usdc));
        await desk.pay(selected, '3.5');
        await desk.until(opened.session_id, ({ status }) => status === 'processing');
        const rest = await asksForPayment(opened);
        await desk.pay(selected, '6.5');
        await desk.until(opened.session_id, ({ selected: now }) => now!.missing_amount === '0');
        const paid = await asksForPayment(opened);
        await service.chain.mine(CONFIRMATIONS);
        await desk.until(opened.session_id, ({ status }) => status === 'completed');
        const ended = await asksForPayment(opened);

        expect(rest.json).toMatchObject({ payment: { amount: '6.5', address: selected.selected!.address } });
        expect([paid, ended].map((answer) => [answer.status, codeOf(answer)])).toEqual([
          [409, 'state_conflict'],
          [409, 'state_conflict'],
        ]);
        expect(paid.text).toContain('Do not pay again');
      });
    });
  });
}
