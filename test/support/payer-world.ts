import { setTimeout as pause } from 'node:timers/promises';
import { expect } from '@jest/globals';
import type { Browser, BrowserContext, BrowserContextOptions, Page, Response } from 'playwright-core';
import type { CheckoutDto } from '#contexts/payments/infrastructure/requests/http/checkout.dto.js';
import type { PaymentRequestProgressDto } from '#contexts/payments/infrastructure/requests/http/payment-request.dto.js';
import { parseAmount } from '#shared/kernel/amount.js';
import type { SandboxAsset } from '#sandbox/folder/sandbox-folder.js';
import { tokenOf } from '#sandbox/payer/payer-wallet.js';
import { startBrowser } from './browser.js';
import { eventually } from './eventually.js';
import { startTestService, type ServiceOptions, type TestService } from './service.js';

export const SHOP = 'https://shop.example';
/** How often a page that is seen asks, in milliseconds. */
export const POLL = 3_000;
/** Blocks, the transfer's own among them. */
export const CONFIRMATIONS = 5;

const CLOSES_WITHIN_MS = 10_000;
/** A limit for what hangs: on a busy machine any step of a browser may take long. */
const PATIENT_MS = 90_000;

export interface Visit extends BrowserContextOptions {
  /** The test moves the page's time, besides its passing by itself. Not without JavaScript. */
  readonly clock?: boolean;
}

interface AskedRequest {
  readonly id: string;
  readonly posId?: string;
}

/** Merchants' checkouts and payers' browsers, on one service. */
export class PayerWorld {
  private readonly opened: BrowserContext[] = [];
  private readonly complaints: string[] = [];
  private readonly allowed = new Set<string>();

  private constructor(
    readonly service: TestService,
    readonly browser: Browser,
  ) {
    this.allowed.add(service.apiUrl);
  }

  static async start(options: ServiceOptions = {}): Promise<PayerWorld> {
    const browser = startBrowser();
    const service = startTestService({ wallet: true, ...options });
    const [started] = await Promise.allSettled([service, browser]);
    try {
      return new PayerWorld(await service, await browser);
    } catch (error) {
      if (started.status === 'fulfilled') await started.value.stop();
      await browser.then((one) => one.close()).catch(() => undefined);
      throw error;
    }
  }

  static startForAll(): Promise<PayerWorld> {
    // A settlement would mine blocks, and so confirm what a test holds back.
    const network = { settlement: { paused: true }, wallet_rpc_url: 'https://rpc.example/sandbox' };
    const wallets = 'Harbour=https://wallet.example/pay,Pocket=pocket://pay?via=page';
    return PayerWorld.start({
      settles: true,
      network: () => network,
      settings: { CHECKOUT_WALLETS: wallets },
    });
  }

  async stop(): Promise<void> {
    await this.browser.close();
    await this.service.stop();
  }

  get requestsPath(): string {
    return `/v1/pos/${this.service.seed.posId}/payment-request`;
  }

  asset(symbol: string): SandboxAsset {
    return this.service.assets.find((asset) => asset.symbol === symbol)!;
  }

  /** 12.50 USD, to return to the shop afterwards. Three assets can be chosen from. */
  checkout(body: Partial<{ amount: string; order: object; return_url: string }> = {}): Promise<CheckoutDto> {
    const whole = { amount: '12.50', coin_code: 'USD', return_url: `${SHOP}/thanks?cart=7`, ...body };
    return this.service.api.post<CheckoutDto>(`${this.requestsPath}-checkout`, whole);
  }

  async chosenCheckout(symbol = 'USDC', body = {}): Promise<CheckoutDto> {
    const made = await this.checkout(body);
    await this.choose(made, symbol);
    return made;
  }

  async choose({ session_id }: CheckoutDto, symbol: string): Promise<void> {
    await this.service.api.post(`/public/checkout/${session_id}/select-asset`, {
      unique_asset_id: this.asset(symbol).unique_asset_id,
    });
  }

  /** @param asked of the seeded point of sale unless it names another */
  progress({ id, posId = this.service.seed.posId }: AskedRequest): Promise<PaymentRequestProgressDto> {
    return this.service.api.get<PaymentRequestProgressDto>(`/v1/pos/${posId}/payment-request/${id}`);
  }

  async pay(checkout: AskedRequest, amount: string): Promise<string> {
    const { address, unique_asset_id: id, received_amount: before } = await this.progress(checkout);
    const asset = this.service.assets.find(({ unique_asset_id }) => unique_asset_id === id)!;
    const units = BigInt(parseAmount(amount, asset.decimals));
    const hash = await this.service.wallet.send(tokenOf(id!), address as `0x${string}`, units);
    await this.service.wallet.mined(hash);
    await eventually(
      () => this.progress(checkout),
      ({ received_amount }) => received_amount !== before,
    );
    return hash;
  }

  finalise(): Promise<void> {
    return this.service.chain.mine(CONFIRMATIONS);
  }

  async becomes(checkout: Pick<CheckoutDto, 'id'>, status: string): Promise<void> {
    await eventually(
      () => this.progress(checkout),
      (progress) => progress.status === status,
    );
  }

  /** The amount is what was seen on the chain until now, in whole units. */
  async becomesPaid(checkout: CheckoutDto, amount: string): Promise<void> {
    await eventually(
      () => this.progress(checkout),
      (progress) => progress.received_amount === amount,
    );
  }

  /** A browser of its own, at the checkout's page. The shop's own pages say no more than their address. */
  async open({ hosted_checkout_url: url }: CheckoutDto, visit: Visit = {}): Promise<Page> {
    const page = await this.blank(visit);
    await page.goto(url);
    return page;
  }

  async blank({ clock = true, ...options }: Visit = {}): Promise<Page> {
    const context = await this.browser.newContext({ viewport: { width: 390, height: 844 }, ...options });
    this.opened.push(context);
    context.setDefaultTimeout(PATIENT_MS);
    await context.route(`${SHOP}/**`, (route) =>
      route.fulfill({ contentType: 'text/html', body: '<title>Shop</title><link rel="icon" href="data:,">' }),
    );
    if (clock && options.javaScriptEnabled !== false) await context.clock.install();
    const page = await context.newPage();
    this.listen(page);
    return page;
  }

  /**
   * Lets the page's time pass until it has asked once more, and has read itself anew where something has changed. A page whose
   * payment has ended asks no more; it may have asked by itself since.
   */
  async poll(page: Page): Promise<void> {
    const isProgress = (response: Response) => response.url().includes('/public/checkout/');
    const progress = page.waitForResponse(isProgress);
    // Begun before either has come, since one may follow the other at once.
    const shown = page.waitForResponse((each) => each.url().includes('/checkout/') && !isProgress(each));
    const ended = page.locator('main[data-ended]').waitFor({ state: 'attached' });
    // Not all of them come.
    for (const one of [progress, shown, ended]) one.catch(() => undefined);
    await page.clock.runFor(POLL);
    const answer = await Promise.race([progress, ended]);
    if (answer?.status() === 200) await Promise.race([shown, ended]);
  }

  /** Ends all visits. A page must have asked its own origin for everything, and have had nothing to complain of. */
  async leave(): Promise<void> {
    const complaints = this.complaints.splice(0);
    await Promise.all(this.opened.splice(0).map(closed));
    expect(complaints).toEqual([]);
  }

  allow(origin: string): void {
    this.allowed.add(origin);
  }

  private listen(page: Page): void {
    page.on('console', (message) => {
      // The page of a printed code polls; while there is nothing to pay, the answer is 404, which browsers report.
      if (/\/public\/pos\/[\w-]+$/.test(message.location().url) && message.text().includes('404')) return;
      if (message.type() === 'error' || message.type() === 'warning') this.complaints.push(message.text());
    });
    page.on('pageerror', (error) => this.complaints.push(String(error)));
    page.on('request', (request) => {
      const { origin, protocol } = new URL(request.url());
      const isReturn = origin === SHOP && request.isNavigationRequest();
      if (protocol !== 'data:' && !isReturn && !this.allowed.has(origin))
        this.complaints.push(`asked for ${request.url()}`);
    });
  }

  takeComplaints(): string[] {
    return this.complaints.splice(0);
  }
}

export async function sees(page: Page, words: string | RegExp): Promise<void> {
  await page.getByText(words).first().waitFor({ state: 'visible' });
}

export async function standsAt(page: Page, heading: string): Promise<void> {
  await page.locator('#status', { hasText: heading }).waitFor();
}

/** One that is on its way to another page may take half a minute; the browser ends with the file's last test anyway. */
async function closed(context: BrowserContext): Promise<void> {
  await Promise.race([context.close(), pause(CLOSES_WITHIN_MS, undefined, { ref: false })]);
}
