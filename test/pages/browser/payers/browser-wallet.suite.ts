import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Page, Route } from 'playwright-core';
import type {
  CheckoutDto,
  PublicCheckoutDto,
} from '#contexts/payments/infrastructure/requests/http/checkout.dto.js';
import { tokenOf } from '#sandbox/payer/payer-wallet.js';
import { eventually } from '#test/support/eventually.js';
import { pageFaults } from '#test/support/page-faults.js';
import { PayerWorld, sees, standsAt } from '#test/support/payer-world.js';
import { refuses, silence, TEST_WALLET, TestWallet, type Behaviour } from './test-wallet.js';

/** Milliseconds that the script leaves a person to answer, and a wallet to answer by itself. */
const BY_PERSON = 90_000;
const BY_ITSELF = 15_000;
const OTHER_ACCOUNT = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

/** Each keeps a wallet from paying: how it behaves then, and what the payer is told. */
const OBSTACLES: readonly [string, [string, Behaviour][], RegExp][] = [
  ['the payer declines to connect', [['eth_requestAccounts', () => refuses(4001)]], /^You declined in/],
  ['another question is open', [['eth_requestAccounts', () => refuses(-32002)]], /another request open/],
  [
    'the wallet is locked',
    [['eth_requestAccounts', () => refuses(4100)]],
    /shares no account with this page/,
  ],
  [
    'it shows no account',
    [['eth_requestAccounts', () => ({ result: [] })]],
    /shares no account with this page/,
  ],
  ['it has no connection', [['eth_chainId', () => refuses(4900)]], /is not connected to its network/],
  [
    'it stays on another network',
    [
      ['eth_chainId', () => ({ result: '0x1' })],
      ['wallet_switchEthereumChain', () => ({ result: null })],
    ],
    /is on another network\. Switch it to .*Sandbox/,
  ],
  [
    'the payer keeps the other network',
    [
      ['eth_chainId', () => ({ result: '0x1' })],
      ['wallet_switchEthereumChain', () => refuses(4001)],
    ],
    /^You declined in/,
  ],
  [
    'it does not know the network',
    [
      ['eth_chainId', () => ({ result: '0x1' })],
      ['wallet_switchEthereumChain', () => refuses(4902)],
      ['wallet_addEthereumChain', () => refuses(4902)],
    ],
    /does not know .*Sandbox/,
  ],
  ['it holds too little', [['eth_call', () => ({ result: '0x1' })]], /has .*0\.000001.*, but .* is needed/],
  [
    'the transfer would fail',
    [['eth_estimateGas', () => refuses(3, 'execution reverted: paused')]],
    /would reject this transfer/,
  ],
  ['it answers nonsense', [['eth_getBalance', () => ({ result: '<b>no</b>' })]], /reported an error/],
];

let world: PayerWorld;
let wallet: TestWallet;

async function openWith(checkout: CheckoutDto): Promise<Page> {
  const page = await world.blank();
  await wallet.install(page.context());
  await page.goto(checkout.hosted_checkout_url);
  return page;
}

async function connect(page: Page): Promise<void> {
  await page.getByRole('button', { name: TEST_WALLET }).click();
}

async function says(page: Page, words: string | RegExp): Promise<void> {
  await page.locator('#wallet-note', { hasText: words }).waitFor();
}

const pay = (page: Page) => page.locator('#wallet-pay').click();

function held(): { behaviour: Behaviour; answer: (behaviour: ReturnType<Behaviour>) => void } {
  let answer: (value: ReturnType<Behaviour>) => void = () => undefined;
  const promise = new Promise<Awaited<ReturnType<Behaviour>>>((resolve) => {
    answer = (value) => resolve(value as Awaited<ReturnType<Behaviour>>);
  });
  return { behaviour: () => promise as ReturnType<Behaviour>, answer };
}

const bodies: string[] = [];
/** An account without coin, which can only sign. @param answer to each post but the last, in the service's place */
async function readyToSign(answer?: (route: Route) => Promise<void>): Promise<[CheckoutDto, Page]> {
  bodies.length = 0;
  const checkout = await world.chosenCheckout();
  await eventually(
    () => world.service.api.get<PublicCheckoutDto>(`/public/checkout/${checkout.session_id}`),
    ({ selected }) => selected?.signature_payment !== undefined,
  );
  const page = await openWith(checkout);
  await page.route('**/authorization', async (route) => {
    bodies.push(route.request().postData()!);
    if (answer !== undefined && bodies.length === 1) await answer(route);
    else await route.continue();
  });
  wallet.on('eth_getBalance', () => ({ result: '0x0' }));
  await connect(page);
  await page.locator('#wallet-sign').waitFor();
  return [checkout, page];
}

function prepare(shared: () => PayerWorld): void {
  beforeAll(() => {
    world = shared();
  });

  beforeEach(() => {
    wallet = new TestWallet(world.service.chain.url);
  });

  afterEach(() => world.leave());
}

export function browserWalletSuite(shared: () => PayerWorld): void {
  describe('A wallet of the browser', () => {
    prepare(shared);

    it('pays the missing amount of a token once, and follows the payment to its end', async () => {
      const checkout = await world.chosenCheckout();
      const page = await openWith(checkout);
      await says(page, 'Pay with a wallet in this browser.');
      await connect(page);
      await says(page, /^\S*0xf39F…2266\S* has/);
      await page.locator('#wallet-root .note', { hasText: /The network fee is about .*ETH/ }).waitFor();
      const found = await pageFaults(page);
      await page.locator('#wallet-pay').dblclick();
      await says(page, 'Your wallet sent the payment.');
      const hash = await page.locator('#wallet-hash').textContent();
      await world.becomesPaid(checkout, '12.5');
      await world.poll(page);
      await standsAt(page, 'Payment detected, confirming');
      await world.finalise();
      await world.becomes(checkout, 'completed');
      await world.poll(page);

      await standsAt(page, 'Payment complete');
      const { selected } = await world.service.api.get<PublicCheckoutDto>(
        `/public/checkout/${checkout.session_id}`,
      );
      const { address, transaction_hash } = selected!;
      const sent = wallet.asked.filter(({ method }) => method === 'eth_sendTransaction');
      expect(sent).toEqual([
        {
          method: 'eth_sendTransaction',
          params: [
            {
              from: wallet.account,
              to: tokenOf(world.asset('USDC').unique_asset_id).toLowerCase(),
              value: '0x0',
              data: `0xa9059cbb${address.slice(2).toLowerCase().padStart(64, '0')}${(12_500_000).toString(16).padStart(64, '0')}`,
              chainId: '0x7a69',
            },
          ],
        },
      ]);
      expect(transaction_hash).toBe(hash);
      expect(found).toEqual([]);
    });

    describe('A signature', () => {
      it('pays from an account without native coin, also after the payer declined at first', async () => {
        const [checkout, page] = await readyToSign();
        expect(await page.locator('#wallet-pay').count()).toBe(0);
        wallet.on('eth_signTypedData_v4', () => refuses(4001));
        await page.locator('#wallet-sign').click();
        await says(page, /^You declined in/);
        wallet.on('eth_signTypedData_v4', undefined);
        await page.locator('#wallet-retry').click();
        await page.locator('#wallet-sign').waitFor();
        expect([wallet.times('eth_signTypedData_v4'), bodies]).toEqual([1, []]);
        await page.locator('#wallet-sign').dblclick();
        await says(page, 'Signature received');
        await world.becomesPaid(checkout, '12.5');
        await world.poll(page);
        await standsAt(page, 'Payment detected');

        expect(wallet.times('eth_signTypedData_v4')).toBe(2);
        expect(wallet.times('eth_sendTransaction')).toBe(0);
      });
    });
  });
}

export function browserWalletCases(shared: () => PayerWorld): void {
  describe('A wallet of the browser', () => {
    prepare(shared);

    const inCoin = () =>
      world.service.api.post<CheckoutDto>(
        `/v1/pos/${world.service.seed.nativePosId}/payment-request-checkout`,
        { amount: '0.0123', coin_code: 'ETH' },
      );

    it('pays the native coin', async () => {
      const { nativePosId } = world.service.seed;
      const checkout = await inCoin();
      const page = await openWith(checkout);
      await connect(page);
      await pay(page);
      await says(page, 'Your wallet sent the payment.');

      const progress = () =>
        world.service.api.get<{ received_amount: string }>(
          `/v1/pos/${nativePosId}/payment-request/${checkout.id}`,
        );
      await eventually(progress, ({ received_amount }) => received_amount === '0.0123');
      expect(wallet.times('eth_sendTransaction')).toBe(1);
    });

    it('is the wallet of the sandbox on its pages', async () => {
      const checkout = await world.chosenCheckout();
      const page = await world.blank();
      page.on('dialog', (dialog) => void dialog.accept());
      await page.goto(checkout.hosted_checkout_url);
      await page.getByRole('button', { name: /Connect .*Sandbox wallet/ }).click();
      await pay(page);
      await says(page, 'Your wallet sent the payment.');

      await world.becomesPaid(checkout, '12.5');
    });

    it('pays the remainder if a part was received', async () => {
      const checkout = await world.chosenCheckout();
      const page = await openWith(checkout);
      await connect(page);
      await page.locator('#wallet-pay').waitFor();
      await world.pay(checkout, '2.5');
      await pay(page);
      await says(page, 'The payment has changed.');
      await world.poll(page);
      await standsAt(page, 'Part of the payment received');
      await page.locator('#wallet-retry').click();
      await page.locator('#wallet-pay', { hasText: '10' }).click();

      await world.becomesPaid(checkout, '12.5');
      expect(wallet.times('eth_sendTransaction')).toBe(1);
    });

    describe('A wallet before a transfer', () => {
      it('shows each obstacle to paying, and retries', async () => {
        const page = await openWith(await world.chosenCheckout());
        await connect(page);
        for (const [where, behaviours, words] of OBSTACLES) {
          await page.locator('#wallet-pay').waitFor();
          await wallet.emit(page, 'accountsChanged', []);
          await says(page, /account in .* has changed/);
          for (const [method, behaviour] of behaviours) wallet.on(method, behaviour);
          await page.locator('#wallet-retry').click();
          await says(page, words);
          expect([where, wallet.times('eth_sendTransaction')]).toEqual([where, 0]);

          for (const [method] of behaviours) wallet.on(method, undefined);
          await page.locator('#wallet-retry').click();
        }
        await page.locator('#wallet-pay').waitFor();
      });

      it('receives the public endpoint of a network that it does not know', async () => {
        const page = await openWith(await world.chosenCheckout());
        const knows = () => wallet.times('wallet_addEthereumChain') > 0;
        wallet.on('eth_chainId', () => (knows() ? undefined : { result: '0x1' }));
        wallet.on('wallet_switchEthereumChain', () => (knows() ? undefined : refuses(4902)));
        wallet.on('wallet_addEthereumChain', () => ({ result: null }));
        await connect(page);
        await page.locator('#wallet-pay').waitFor();

        expect(wallet.asked.find(({ method }) => method === 'wallet_addEthereumChain')?.params).toEqual([
          {
            chainId: '0x7a69',
            chainName: 'Sandbox',
            rpcUrls: ['https://rpc.example/sandbox'],
            nativeCurrency: { name: 'ETH', symbol: 'ETH', decimals: 18 },
          },
        ]);
      });

      it('reports when it holds the amount, but not the network fee', async () => {
        const page = await openWith(await inCoin());
        wallet.on('eth_getBalance', () => ({ result: `0x${(123n * 10n ** 14n).toString(16)}` }));
        await connect(page);

        await says(page, /too little of the network’s coin/);
      });

      it('reports a wallet that does not respond, and retries', async () => {
        const page = await openWith(await world.chosenCheckout());
        wallet.on('eth_requestAccounts', silence);
        await connect(page);
        await says(page, /Continue in/);
        await page.clock.runFor(BY_PERSON);
        await says(page, /does not respond/);
        wallet.on('eth_requestAccounts', undefined);
        wallet.on('eth_chainId', silence);
        await page.locator('#wallet-retry').click();
        await says(page, /Allow/);
        await page.clock.runFor(BY_ITSELF);

        await says(page, /does not respond/);
      });

      it('sends nothing after the account, the network or the payment has changed', async () => {
        const checkout = await world.chosenCheckout();
        const page = await openWith(checkout);
        await connect(page);
        for (const [event, value, words] of [
          ['accountsChanged', [OTHER_ACCOUNT], /account in .* has changed/],
          ['accountsChanged', [], /account in .* has changed/],
          ['chainChanged', '0x1', /is on another network/],
          ['disconnect', { code: 4900 }, /is not connected/],
        ] as const) {
          await page.locator('#wallet-pay').waitFor();
          await wallet.emit(page, event, value);
          await says(page, words);
          expect(await page.locator('#wallet-pay').count()).toBe(0);
          await page.locator('#wallet-retry').click();
        }

        await page.locator('#wallet-pay').waitFor();
        wallet.on('eth_accounts', () => ({ result: [OTHER_ACCOUNT] }));
        await pay(page);
        await says(page, /account in .* has changed/);
        wallet.on('eth_accounts', undefined);
        await page.locator('#wallet-retry').click();

        await page.locator('#wallet-pay').waitFor();
        // The last poll before the payment: the page's time stands still after it.
        const polled = page.waitForResponse((each) => each.url().includes('/public/checkout/'));
        await page.clock.pauseAt(Date.now() + 10_000);
        await polled;
        await world.pay(checkout, '12.5');
        await pay(page);
        await says(page, 'The payment has changed.');
        expect(wallet.times('eth_sendTransaction')).toBe(0);
      });
    });

    describe('A requested transfer', () => {
      async function ready(): Promise<Page> {
        const page = await openWith(await world.chosenCheckout());
        await connect(page);
        await page.locator('#wallet-pay').waitFor();
        return page;
      }

      it('is requested once until the wallet answers, across reloads and tabs', async () => {
        const page = await ready();
        const answer = held();
        wallet.on('eth_sendTransaction', answer.behaviour);
        await pay(page);
        await says(page, /Confirm the payment in/);
        const other = await page.context().newPage();
        await other.goto(page.url());
        await says(other, 'Your wallet has not responded to this payment');
        await page.reload();
        await says(page, 'Your wallet has not responded to this payment');
        expect(await page.locator('#wallet-pay').count()).toBe(0);
        expect(wallet.times('eth_sendTransaction')).toBe(1);

        await other.locator('#wallet-again').click();
        await page.getByRole('button', { name: TEST_WALLET }).waitFor();
      });

      it('sends one request if two tabs are pressed at the same moment', async () => {
        const page = await ready();
        const other = await page.context().newPage();
        await other.goto(page.url());
        await connect(other);
        await other.locator('#wallet-pay').waitFor();
        wallet.on('eth_sendTransaction', held().behaviour);
        // In the pages themselves: the first press takes the other's button away.
        const press = (tab: Page) =>
          tab.evaluate(() => document.querySelector<HTMLElement>('#wallet-pay')?.click());
        await Promise.all([press(page), press(other)]);
        for (const tab of [page, other]) await says(tab, /Confirm|Your wallet has not responded/);

        expect(wallet.times('eth_sendTransaction')).toBe(1);
      });

      it('accepts a late answer and its hash', async () => {
        const page = await ready();
        const answer = held();
        wallet.on('eth_sendTransaction', answer.behaviour);
        await pay(page);
        await says(page, /Confirm the payment in/);
        await page.clock.runFor(BY_PERSON);
        await says(page, 'Your wallet has not responded to this payment');
        answer.answer({ result: `0x${'ab'.repeat(32)}` });

        await says(page, 'Your wallet sent the payment.');
        expect(await page.locator('#wallet-hash').textContent()).toBe(`0x${'ab'.repeat(32)}`);
        await page.reload();
        await says(page, 'Your wallet sent the payment.');
        await page.clock.runFor(121_000);
        await sees(page, 'The network does not know this transaction.');
        await page.locator('#wallet-again').click();
        await page.getByRole('button', { name: TEST_WALLET }).waitFor();
      });

      it('shows an error of the wallet as text if the outcome is unknown', async () => {
        const page = await ready();
        wallet.on('eth_sendTransaction', () =>
          refuses(-32603, '<img src=x onerror=alert(1)> \u202enode fault'),
        );
        await pay(page);

        await says(page, 'Your wallet has not responded to this payment');
        await sees(page, /<img src=x onerror=alert\(1\)>/);
        expect(await page.locator('#browser-wallet img').count()).toBe(0);
      });

      it('allows another request after the network rejected the transfer', async () => {
        const page = await ready();
        wallet.on('eth_sendTransaction', () => ({ result: `0x${'cd'.repeat(32)}` }));
        wallet.on('eth_getTransactionReceipt', () => ({ result: { status: '0x0' } }));
        await pay(page);
        await page.clock.runFor(4_000);

        await says(page, 'The network rejected the transfer');
        await page.locator('#wallet-retry').waitFor();
      });
    });

    describe('A signature', () => {
      it('is posted again unchanged if the answer was lost, even after a reload', async () => {
        const [checkout, page] = await readyToSign((route) => route.abort());
        await page.locator('#wallet-sign').click();
        await says(page, 'Signed. Submitting the payment');
        await page.reload();
        await page.clock.runFor(5_000);
        await world.becomesPaid(checkout, '12.5');

        expect(bodies.length).toBeGreaterThan(1);
        expect(new Set(bodies).size).toBe(1);
        expect(wallet.times('eth_signTypedData_v4')).toBe(1);
        world.takeComplaints();
      });

      it.each([
        ['not_sponsored', 'Paying by signature is not possible now.'],
        ['authorization_refused', 'Your signature was not accepted.'],
      ])('shows an error of the service, and lets the payer retry: %s', async (code, words) => {
        const [, page] = await readyToSign((route) =>
          route.fulfill({ status: 409, json: { status: 'error', code, message: 'No.' } }),
        );
        await page.locator('#wallet-sign').click();
        await says(page, words);

        await page.locator('#wallet-retry').waitFor();
        world.takeComplaints();
      });
    });

    describe('The announcement of a wallet', () => {
      it('is shown as text with an inline icon, or as a wallet of this browser if it is invalid', async () => {
        const { hosted_checkout_url: url } = await world.chosenCheckout();
        const page = await world.blank();
        const hostile = '<img src=x onerror=alert(1)>\u202eevil'.padEnd(300, 'x');
        const icon = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script><rect width="9" height="9"/></svg>')}`;
        for (const info of [{ name: hostile, icon: 'javascript:alert(1)' }, { icon }, { name: 7 }])
          await new TestWallet(world.service.chain.url).install(page.context(), info);
        await page.goto(url);
        const button = page.getByRole('button', { name: /<img src=x onerror/ });
        const image = page.getByRole('button', { name: TEST_WALLET }).locator('img');
        for (const one of [button, image, page.getByRole('button', { name: /Connect .*your wallet/ })])
          await one.waitFor();

        expect(await button.locator('img').count()).toBe(0);
        expect((await button.textContent())!.length).toBeLessThan(80);
        expect(await image.evaluate((one: HTMLImageElement) => one.naturalWidth)).toBe(9);
      });
    });
  });
}
