import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { getAddress } from 'viem/utils';
import { FramingSite } from '../support/framing-site.js';
import { PayerWorld, POLL, sees, standsAt } from '../support/payer-world.js';
import { modulesOf, scan } from '../support/scan.js';

let world: PayerWorld;
let partner: FramingSite;

beforeAll(async () => {
  const wallets = 'Harbour=https://wallet.example/pay,Pocket=pocket://pay?via=page';
  world = await PayerWorld.start({ settings: { CHECKOUT_WALLETS: wallets } });
  partner = await FramingSite.listen();
  world.allow(partner.origin);
});

afterEach(() => world.leave());

afterAll(async () => {
  await world?.stop();
  await partner?.close();
});

describe('What a payer takes to the wallet', () => {
  it('copies address and amount', async () => {
    const checkout = await world.chosenCheckout();
    const permissions = ['clipboard-read', 'clipboard-write'];
    const page = await world.open(checkout, { permissions });
    const clipboard = () => page.evaluate(() => navigator.clipboard.readText());

    await page.locator('#address-copy').click();
    await page.locator('#address-copy', { hasText: 'Copied' }).waitFor();
    expect(await clipboard()).toBe((await world.progress(checkout)).address);
    await page.locator('#amount-copy').click();
    await page.locator('#amount-copy', { hasText: 'Copied' }).waitFor();
    expect(await clipboard()).toBe('12.5');
    expect(await page.locator('#news').textContent()).toBe('Copied');
  });

  it('has the address selected where nothing can be copied', async () => {
    const checkout = await world.chosenCheckout();
    const page = await world.blank();
    await page.addInitScript(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
    await page.goto(checkout.hosted_checkout_url);
    await page.locator('#address-copy').click();

    const selected = await page.evaluate(() => window.getSelection()?.toString());
    expect(selected).toBe((await world.progress(checkout)).address);
  });

  it('opens a configured wallet with the token', async () => {
    const checkout = await world.chosenCheckout();
    const page = await world.open(checkout);
    const { token } = await world.progress(checkout);
    await page.getByRole('tab', { name: 'Payment code' }).click();
    const hrefs = await Promise.all(
      ['Harbour', 'Pocket'].map(async (name) =>
        page.getByRole('link', { name: new RegExp(`Open in .*${name}`) }).getAttribute('href'),
      ),
    );

    const [harbour, pocket] = hrefs.map((href) => new URL(href!));
    expect(harbour!.href).toMatch(/^https:\/\/wallet\.example\/pay\?naspip_token=/);
    expect(harbour!.searchParams.get('naspip_token')).toBe(token);
    expect(pocket!.href).toMatch(/^pocket:\/\/pay\?via=page&naspip_token=/);
    expect(pocket!.searchParams.get('naspip_token')).toBe(token);
  });

  it('scans the address alone, and the token, in light and in dark', async () => {
    const checkout = await world.chosenCheckout();
    const { address, token } = await world.progress(checkout);
    const [ofAddress, ofToken] = [modulesOf(address!), modulesOf(token)];
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await world.open(checkout, { colorScheme, deviceScaleFactor: 2 });

      expect(await scan(page.locator('#way-address img'), ofAddress.length)).toEqual(ofAddress);
      await page.getByRole('tab', { name: 'Payment code' }).click();
      expect(await scan(page.locator('#way-code img'), ofToken.length)).toEqual(ofToken);
    }
  });

  it('has a link that names token, chain, address and what is missing', async () => {
    const checkout = await world.chosenCheckout();
    const page = await world.open(checkout);
    const { address } = await world.progress(checkout);
    const token = tokenContract();
    const link = () => page.locator('#open-uri').getAttribute('href');

    expect(await link()).toBe(`ethereum:${token}@31337/transfer?address=${address}&uint256=12500000`);
    await world.pay(checkout, '4.000001');
    await world.poll(page);
    await standsAt(page, 'Part of the payment received');
    expect(await link()).toBe(`ethereum:${token}@31337/transfer?address=${address}&uint256=8499999`);
  });
});

describe('How the page looks', () => {
  it.each([
    ['en-GB', 'en', 'Choose what to pay with'],
    ['es-MX', 'es', 'Elige con qué pagar'],
    ['pt-BR', 'pt', 'Escolha com o que pagar'],
    ['fi-FI', 'en', 'Choose what to pay with'],
  ])('speaks to a browser of %s in %s', async (locale, language, heading) => {
    const page = await world.open(await world.checkout(), { locale });

    expect(await page.locator('html').getAttribute('lang')).toBe(language);
    await standsAt(page, heading);
  });

  it('is light or dark as the payer likes', async () => {
    const checkout = await world.chosenCheckout();
    const [light, dark] = await Promise.all(
      (['light', 'dark'] as const).map(async (colorScheme) => {
        const page = await world.open(checkout, { colorScheme });
        return page.evaluate(() => {
          const { backgroundColor, color } = getComputedStyle(document.body);
          const sum = (css: string) =>
            [...css.matchAll(/\d+/g)].slice(0, 3).reduce((all, [one]) => all + +one, 0);
          return sum(backgroundColor) - sum(color);
        });
      }),
    );

    expect(light).toBeGreaterThan(400);
    expect(dark).toBeLessThan(-400);
  });
});

describe('How the page keeps itself up to date', () => {
  it('asks every 3 seconds while seen, every 15 while not, and no more at the end; 304 while nothing changes', async () => {
    const checkout = await world.chosenCheckout();
    const page = await world.blank();
    await page.addInitScript(() => {
      let isHidden = false;
      Object.defineProperty(document, 'hidden', { get: () => isHidden });
      Object.assign(window, { hide: (hidden: boolean) => (isHidden = hidden) });
    });
    const answers: number[] = [];
    let unanswered = 0;
    page.on('request', (request) => {
      if (request.url().includes('/public/checkout/')) unanswered += 1;
    });
    page.on('response', (response) => {
      if (!response.url().includes('/public/checkout/')) return;
      answers.push(response.status());
      unanswered -= 1;
    });
    const asked = async (seconds: number) => {
      answers.length = 0;
      for (let passed = 0; passed < seconds; passed += 3) {
        await page.clock.runFor(POLL);
        do await page.waitForTimeout(40);
        while (unanswered > 0);
      }
      return [...answers];
    };
    await page.goto(checkout.hosted_checkout_url);

    const seen = await asked(30);
    await page.evaluate(() => {
      (window as unknown as { hide(hidden: boolean): void }).hide(true);
      document.dispatchEvent(new Event('visibilitychange'));
    });
    const unseen = await asked(60);
    await world.pay(checkout, '12.5');
    await world.finalise();
    await world.becomes(checkout, 'completed');
    await page.evaluate(() => {
      (window as unknown as { hide(hidden: boolean): void }).hide(false);
      document.dispatchEvent(new Event('visibilitychange'));
    });
    await standsAt(page, 'Payment complete');
    await page.locator('#stay').click();
    const ended = await asked(30);

    expect(new Set([...seen, ...unseen])).toEqual(new Set([304]));
    expect(seen.length).toBeGreaterThanOrEqual(8);
    expect(seen.length).toBeLessThanOrEqual(11);
    expect(unseen.length).toBeGreaterThanOrEqual(3);
    expect(unseen.length).toBeLessThanOrEqual(5);
    expect(ended).toEqual([]);
  });

  it('says quietly that the network is gone, and goes on when it is back', async () => {
    const checkout = await world.chosenCheckout();
    const page = await world.open(checkout);
    await page.context().setOffline(true);
    await page.clock.runFor(POLL);
    await sees(page, 'No connection. Retrying …');
    await world.pay(checkout, '12.5');
    expect(world.takeComplaints().every((text) => text.includes('ERR_INTERNET_DISCONNECTED'))).toBe(true);
    await page.context().setOffline(false);

    await standsAt(page, 'Payment detected, confirming');
    expect(await page.locator('#offline').isVisible()).toBe(false);
    world.takeComplaints();
  });
});

describe('What the page allows', () => {
  it('runs no script but its own', async () => {
    const page = await world.open(await world.checkout());
    await page.evaluate(() => {
      const script = document.createElement('script');
      script.textContent = 'document.title = "taken over"';
      document.body.append(script);
    });

    expect(await page.title()).not.toBe('taken over');
    expect(world.takeComplaints()).toEqual([expect.stringContaining('Content Security Policy')]);
  });

  it('is shown in no frame', async () => {
    const checkout = await world.checkout();
    const frame = await framed(checkout.hosted_checkout_url);

    expect(await frame.locator('#checkout').count()).toBe(0);
    expect(world.takeComplaints()).toEqual([expect.stringContaining('frame-ancestors')]);
  });

  it('is shown in a frame of the site that the point of sale names', async () => {
    const { posId } = world.service.seed;
    await world.service.query(
      'UPDATE point_of_sale.points_of_sale SET frame_origins = $2, version = version + 1 WHERE id = $1',
      [posId, [partner.origin]],
    );
    const checkout = await world.checkout();
    const frame = await framed(checkout.hosted_checkout_url);

    await frame.locator('#status').waitFor();
    expect(await frame.locator('#status').textContent()).toBe('Choose what to pay with');
  });
});

/** The page in a frame of another site. */
async function framed(url: string) {
  const page = await world.blank();
  await page.goto(`${partner.origin}/?${new URLSearchParams({ url })}`);
  return page.frameLocator('iframe');
}

/** In the spelling of EIP-55. */
function tokenContract(): string {
  return getAddress(world.asset('USDC').unique_asset_id.split('_t')[1]!);
}
