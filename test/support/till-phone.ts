import type { Page } from 'playwright-core';
import type { PaymentRequestProgressDto } from '#contexts/payments/infrastructure/requests/http/payment-request.dto.js';
import { OWN_FORM, signedIn } from './dashboard-session.js';
import { eventually } from './eventually.js';
import type { PayerWorld, Visit } from './payer-world.js';
import { oneTimeSecretStore } from './shown-once.js';

const TILL = {
  coin_code: 'USD',
  tip_percentages: [5, 10],
  products: [
    { name: 'Flat white', amount: '4.20' },
    { name: 'Croissant <b>', amount: '2.80' },
  ],
};

interface PhoneVisit extends Visit {
  /** The phone's clock is wrong by so many milliseconds. */
  readonly ahead?: number;
}

/** A physical point of sale of a world's shop, and the phones that are paired with it. */
export class TillCounter {
  lastCode = '';

  private constructor(
    private readonly world: PayerWorld,
    private readonly posId: string,
    private readonly origin: string,
  ) {}

  /** @param till in place of one with tips and products @param origin where phones reach the service */
  static async open(
    world: PayerWorld,
    till: object = TILL,
    origin = world.service.apiUrl,
  ): Promise<TillCounter> {
    const { api, seed } = world.service;
    const payment_options = ['USDC', 'DAI'].map((symbol) => world.asset(symbol).unique_asset_id);
    const config = { merchant: { name: 'Corner Coffee' }, payment_options, till };
    const made = { name: 'Counter', type: 'physical', account_id: seed.accountId, config };
    const { id } = await api.post<{ id: string }>('/v1/pos', made);
    return new TillCounter(world, id, origin);
  }

  get url(): string {
    return `${this.origin}/till`;
  }

  async pairingCode(): Promise<string> {
    const { query, seed, apiUrl } = this.world.service;
    const cookie = await signedIn(query, seed.organizationId, 'cashier');
    const offered = await fetch(`${apiUrl}/app/till`, {
      ...{ method: 'POST', headers: { ...OWN_FORM, cookie }, redirect: 'manual' },
      body: new URLSearchParams({ point_of_sale_id: this.posId }),
    });
    const page = await oneTimeSecretStore(apiUrl, offered, cookie);
    this.lastCode = /id="pairing-code"[^>]*>([0-9A-Z]{8})</.exec(page)![1]!;
    return this.lastCode;
  }

  /** A phone that was paired by the QR code of the dashboard, at its amount pad. */
  async pairedPhone({ ahead, ...visit }: PhoneVisit = {}): Promise<Page> {
    const page = await this.world.blank({ clock: false, ...visit });
    if (ahead !== undefined) await page.clock.install({ time: Date.now() + ahead });
    await page.addInitScript(() => {
      const vibrated: unknown[] = [];
      Object.assign(window, { vibrated });
      Object.defineProperty(navigator, 'vibrate', { value: (pulses: unknown) => vibrated.push(pulses) });
    });
    await page.goto(`${this.url}#pair=${await this.pairingCode()}`);
    await page.locator('#device-name').fill('Phone at the bar');
    await page.locator('#pair').click();
    await page.locator('#typed').waitFor();
    return page;
  }

  async newest(): Promise<PaymentRequestProgressDto> {
    const { api } = this.world.service;
    const [{ id } = { id: '' }] = await this.rows();
    return api.get<PaymentRequestProgressDto>(`/v1/pos/${this.posId}/payment-request/${id}`);
  }

  async count(): Promise<number> {
    return (await this.rows()).length;
  }

  async hasEnded(): Promise<void> {
    await eventually(
      () => this.rows(),
      ([newest]) => newest?.ended === true,
    );
  }

  async pay(amount: string): Promise<void> {
    const { id } = await this.newest();
    await this.world.pay({ id, posId: this.posId }, amount);
  }

  async revoke(): Promise<void> {
    const { query, seed, apiUrl } = this.world.service;
    const cookie = await signedIn(query, seed.organizationId, 'owner');
    const devices = await query<{ id: string }>(
      'SELECT id FROM identity.credentials WHERE point_of_sale_id = $1',
      [this.posId],
    );
    for (const { id } of devices)
      await fetch(`${apiUrl}/app/points-of-sale/${this.posId}/tills/${id}/revoke`, {
        ...{ method: 'POST', headers: { ...OWN_FORM, cookie }, redirect: 'manual' },
      });
  }

  private rows(): Promise<{ id: string; ended: boolean }[]> {
    return this.world.service.query(
      `SELECT id, expires_at <= platform.now() AS ended FROM payments.payment_requests
       WHERE point_of_sale_id = $1 ORDER BY created_at DESC`,
      [this.posId],
    );
  }
}

export async function type(page: Page, amount: string): Promise<void> {
  for (const sign of amount) await page.locator(`[data-key="${sign === '.' ? 'point' : sign}"]`).click();
}

/** Types an amount and charges it, with the tip that a button with these words stands for. */
export async function charge(page: Page, amount: string, tip = /No tip/): Promise<void> {
  await type(page, amount);
  await page.locator('#charge').click();
  await page.locator('.tip', { hasText: tip }).click();
}

export async function saleIs(page: Page, state: string): Promise<void> {
  await page.locator('#state').getByText(state, { exact: true }).waitFor();
}

export function signals(page: Page): Promise<unknown> {
  return page.evaluate(() => (window as unknown as { vibrated: unknown }).vibrated);
}
