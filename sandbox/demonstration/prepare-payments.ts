import type { Schemas } from '#client/api-types.js';
import type { SandboxFile } from '../folder/sandbox-folder.js';
import type { StartedSandbox } from '../terminal/startup-summary.js';
import type { TerminalOutput } from '../terminal/terminal-output.js';
import { sandboxTime } from '../chain/chain-rpc.js';
import { merchantClient } from '../merchant/merchant-client.js';

type Client = ReturnType<typeof merchantClient>;

type Urls = 'checkout_url' | 'bitcoin_checkout_url' | 'payment_link_url' | 'subscription_url';
type PreparedPayments = Pick<SandboxFile, Urls> & Pick<StartedSandbox, 'payable'>;

/** Priced in BTC, because a price in dollars requires a reachable market. */
const BITCOIN_PRICE = { amount: '0.0005', coin_code: 'BTC' };
const PRICE = { amount: '12.50', coin_code: 'USD' };
/** Monthly, in the shop's first asset. */
const FEE = '9.90';
const RUNNING = ['active', 'past_due'];
const ORDER = {
  total: '12.50',
  coin_code: 'USD',
  items: [
    { description: 'Flat white', amount: '8.00', coin_code: 'USD', unit_price: '4.00', quantity: 2 },
    { description: 'Lemon cake', amount: '4.50', coin_code: 'USD', quantity: 1 },
  ],
};

/**
 * Creates a checkout, and reuses or creates a payment link and a subscription. Failures are only printed, because the
 * sandbox is useful without them.
 */
export async function preparePayments(
  sandbox: SandboxFile,
  output: TerminalOutput,
): Promise<PreparedPayments> {
  if (sandbox.payer === null) {
    const none = { checkout_url: null, bitcoin_checkout_url: null };
    return { ...none, payment_link_url: null, subscription_url: null, payable: [] };
  }
  const client = merchantClient(sandbox);
  const { bitcoin_pos_id: bitcoinPos } = sandbox;
  const [checkout, bitcoin, link, subscription] = [
    await makeOrReport(output, 'checkout', () => createCheckout(client, sandbox)),
    bitcoinPos === null
      ? undefined
      : await makeOrReport(output, 'checkout in bitcoin', () =>
          client
            .pointOfSale(bitcoinPos)
            .createCheckout({ ...BITCOIN_PRICE, reference_id: `sandbox-${Date.now()}` }),
        ),
    await makeOrReport(output, 'payment link', () => ensurePaymentLink(client, sandbox)),
    await makeOrReport(output, 'subscription', () => ensureSubscription(client, sandbox)),
  ];
  const now = checkout && (await sandboxTime(sandbox.networks[0]!.rpc_url));
  const price = `${PRICE.amount} ${PRICE.coin_code}`;
  return {
    checkout_url: checkout?.hosted_checkout_url ?? null,
    bitcoin_checkout_url: bitcoin?.hosted_checkout_url ?? null,
    payment_link_url: link?.url ?? null,
    subscription_url: subscription?.url ?? null,
    payable: [
      ...(checkout && now
        ? [{ name: 'Checkout', at: `${checkout.hosted_checkout_url} (${payUntil(checkout, now)})` }]
        : []),
      ...(bitcoin && now
        ? [{ name: 'In bitcoin', at: `${bitcoin.hosted_checkout_url} (${payUntil(bitcoin, now)})` }]
        : []),
      ...(link ? [{ name: 'Payment link', at: `${link.url} (pay ${price} at any time)` }] : []),
      ...(subscription
        ? [{ name: 'Subscription', at: `${subscription.url} (${FEE} ${subscription.currency} a month)` }]
        : []),
    ],
  };
}

function createCheckout(client: Client, { pos_id }: SandboxFile): Promise<Schemas['Checkout']> {
  const body = { ...PRICE, order: ORDER, reference_id: `sandbox-${Date.now()}` };
  return client.pointOfSale(pos_id).createCheckout(body);
}

async function ensurePaymentLink(
  client: Client,
  { pos_id: posID, payment_link_url }: SandboxFile,
): Promise<Schemas['PaymentLink']> {
  const path = { posID };
  for await (const link of client.list('/v1/pos/{posID}/payment-link', { path }))
    if (link.active && isSamePage(link.url, payment_link_url)) return link;
  const body = { ...PRICE, order: ORDER };
  return client.post('/v1/pos/{posID}/payment-link', { params: { path }, body });
}

/** Accepts a new subscription on behalf of a payer, so that there is a charge to pay. */
async function ensureSubscription(
  client: Client,
  { pos_id: posID, networks, subscription_url }: SandboxFile,
): Promise<Schemas['Subscription']> {
  const path = { posID };
  for await (const kept of client.list('/v1/pos/{posID}/subscription', { path }))
    if (RUNNING.includes(kept.status) && isSamePage(kept.url!, subscription_url)) return kept;
  const { unique_asset_id } = networks[0]!.assets[0]!;
  const offered = await client.post('/v1/pos/{posID}/subscription', {
    params: { path },
    body: { amount: FEE, unique_asset_id, interval: 'P1M' },
  });
  await client.post('/v1/wallets/v1/subscriptions/{id}/accept', {
    params: { path: { id: offered.id } },
    body: { wallet_external_id: 'sandbox-wallet' },
  });
  return offered;
}

/** The origin is a setting that may have changed, so only paths are compared. */
function isSamePage(url: string, kept: string | null): boolean {
  return kept !== null && new URL(url).pathname === new URL(kept).pathname;
}

/**
 * The end of the checkout's window by the user's local clock.
 * @param now the sandbox's time
 */
function payUntil({ expires_at }: Schemas['Checkout'], now: Date): string {
  const left = new Date(expires_at).getTime() - now.getTime();
  return `pay it until ${new Date(Date.now() + left).toTimeString().slice(0, 8)}`;
}

async function makeOrReport<T>(
  output: TerminalOutput,
  what: string,
  make: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await make();
  } catch (error) {
    output.print(`No ${what} was made. ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}
