import type { SandboxFile } from '../folder/sandbox-folder.js';
import type { TerminalOutput } from '../terminal/terminal-output.js';
import { sandboxTime } from '../chain/sandbox-time.js';
import { ApiClient } from '../api/api-client.js';
import type { AnswerOf } from '../api/api-types.js';

type Checkout = AnswerOf<'createCheckout'>;
type PaymentLink = AnswerOf<'createPaymentLink'>;
type Subscription = AnswerOf<'createSubscription'>;

export interface PreparedPayments {
  readonly urls: Pick<SandboxFile, 'checkout_url' | 'payment_link_url' | 'subscription_url'>;
  /** Name and page of each, for the terminal. */
  readonly shown: readonly { name: string; at: string }[];
}

const PRICE = { amount: '12.50', coin_code: 'USD' };
/** The monthly fee, in the shop's first asset. */
const FEE = '9.90';
const ORDER = {
  total: '12.50',
  coin_code: 'USD',
  items: [
    { description: 'Flat white', amount: '8.00', coin_code: 'USD', unit_price: '4.00', quantity: 2 },
    { description: 'Lemon cake', amount: '4.50', coin_code: 'USD', quantity: 1 },
  ],
};

/**
 * Creates a checkout, and a payment link and a subscription unless an earlier start made one that still runs, through the API as a merchant's program does.
 * A failure is printed and nothing more: the sandbox is useful without them.
 */
export async function preparePayments(
  sandbox: SandboxFile,
  output: TerminalOutput,
): Promise<PreparedPayments> {
  if (sandbox.payer === null) {
    return { urls: { checkout_url: null, payment_link_url: null, subscription_url: null }, shown: [] };
  }
  const api = new ApiClient(sandbox.api_url, { apiKey: sandbox.api_key, apiSecret: sandbox.api_secret });
  const [checkout, link, subscription] = [
    await makeOrReport(output, 'checkout', () => createCheckout(api, sandbox)),
    await makeOrReport(output, 'payment link', () => ensurePaymentLink(api, sandbox)),
    await makeOrReport(output, 'subscription', () => ensureSubscription(api, sandbox)),
  ];
  const now = checkout && (await sandboxTime(sandbox.networks[0]!.rpc_url));
  const price = `${PRICE.amount} ${PRICE.coin_code}`;
  return {
    urls: {
      checkout_url: checkout?.hosted_checkout_url ?? null,
      payment_link_url: link?.url ?? null,
      subscription_url: subscription?.url ?? null,
    },
    shown: [
      ...(checkout && now
        ? [{ name: 'Checkout', at: `${checkout.hosted_checkout_url} (${payUntil(checkout, now)})` }]
        : []),
      ...(link ? [{ name: 'Payment link', at: `${link.url} (pay ${price} at any time)` }] : []),
      ...(subscription
        ? [{ name: 'Subscription', at: `${subscription.url} (${FEE} ${subscription.currency} a month)` }]
        : []),
    ],
  };
}

function createCheckout(api: ApiClient, { pos_id }: SandboxFile): Promise<Checkout> {
  const body = { ...PRICE, order: ORDER, reference_id: `sandbox-${Date.now()}` };
  return api.post<Checkout>(`/v1/pos/${pos_id}/payment-request-checkout`, body);
}

async function ensurePaymentLink(api: ApiClient, sandbox: SandboxFile): Promise<PaymentLink> {
  const path = `/v1/pos/${sandbox.pos_id}/payment-link`;
  const { data } = await api.get<AnswerOf<'listPaymentLinks'>>(`${path}?page=1&page_size=100`);
  // Compared by code, since the origin of the pages is a setting.
  const known = data.find(({ url, active }) => active && isSamePage(url, sandbox.payment_link_url));
  return known ?? (await api.post<PaymentLink>(path, { ...PRICE, order: ORDER }));
}

/** Accepted on behalf of a payer who has a wallet here, so that there is a charge to pay. */
async function ensureSubscription(
  api: ApiClient,
  { pos_id, networks, subscription_url }: SandboxFile,
): Promise<Subscription> {
  const path = `/v1/pos/${pos_id}/subscription`;
  const { data } = await api.get<AnswerOf<'listSubscriptions'>>(`${path}?page=1&page_size=100`);
  const runs = ['active', 'past_due'];
  const known = data.find(({ url, status }) => runs.includes(status) && isSamePage(url!, subscription_url));
  if (known) return known;
  const { unique_asset_id } = networks[0]!.assets[0]!;
  const offered = await api.post<Subscription>(path, { amount: FEE, unique_asset_id, interval: 'P1M' });
  await api.post(`/v1/wallets/v1/subscriptions/${offered.id}/accept`, {
    wallet_external_id: 'sandbox-wallet',
  });
  return offered;
}

/** The origin of the pages is a setting, which may have changed. */
function isSamePage(url: string, kept: string | null): boolean {
  return kept !== null && new URL(url).pathname === new URL(kept).pathname;
}

/** In local time, as the user's own clock will show it. @param now in the sandbox */
function payUntil({ expires_at }: Checkout, now: Date): string {
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
