import type { SandboxFile } from '../folder/sandbox-folder.js';
import type { Screen } from '../terminal/screen.js';
import { ApiClient } from '../api/api-client.js';
import type { AnswerOf } from '../api/api-types.js';

type Checkout = AnswerOf<'createCheckout'>;
type PaymentLink = AnswerOf<'createPaymentLink'>;

export interface PreparedPayments {
  readonly urls: Pick<SandboxFile, 'checkout_url' | 'payment_link_url'>;
  /** Name and words of each for the screen. */
  readonly shown: readonly { name: string; at: string }[];
}

const PRICE = { amount: '12.50', coin_code: 'USD' };
const ORDER = {
  total: '12.50',
  coin_code: 'USD',
  items: [
    { description: 'Flat white', amount: '8.00', coin_code: 'USD', unit_price: '4.00', quantity: 2 },
    { description: 'Lemon cake', amount: '4.50', coin_code: 'USD', quantity: 1 },
  ],
};

/**
 * A checkout, and the payment link of an earlier start or a new one, through the API as a merchant's program makes them.
 * What cannot be made is a sentence on the screen: the sandbox is of use without it.
 */
export async function preparePayments(sandbox: SandboxFile, screen: Screen): Promise<PreparedPayments> {
  if (sandbox.payer === null) return { urls: { checkout_url: null, payment_link_url: null }, shown: [] };
  const api = new ApiClient(sandbox.api_url, { apiKey: sandbox.api_key, apiSecret: sandbox.api_secret });
  const [checkout, link] = [
    await orSay(screen, 'checkout', () => createCheckout(api, sandbox)),
    await orSay(screen, 'payment link', () => ensurePaymentLink(api, sandbox)),
  ];
  const price = `${PRICE.amount} ${PRICE.coin_code}`;
  return {
    urls: { checkout_url: checkout?.hosted_checkout_url ?? null, payment_link_url: link?.url ?? null },
    shown: [
      ...(checkout ? [{ name: 'Checkout', at: `${checkout.hosted_checkout_url} (${until(checkout)})` }] : []),
      ...(link ? [{ name: 'Payment link', at: `${link.url} (pay ${price} at any time)` }] : []),
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
  // By its code: where the pages are found is a setting.
  const known = data.find(({ code, active }) => active && sandbox.payment_link_url?.endsWith(`/${code}`));
  return known ?? (await api.post<PaymentLink>(path, { ...PRICE, order: ORDER }));
}

/** In the time of day of whoever reads it. */
function until({ expires_at }: Checkout): string {
  return `pay it until ${new Date(expires_at).toTimeString().slice(0, 8)}`;
}

async function orSay<T>(screen: Screen, what: string, make: () => Promise<T>): Promise<T | undefined> {
  try {
    return await make();
  } catch (error) {
    screen.say(`No ${what} was made. ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}
