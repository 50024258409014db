import type { Schemas } from '#client/api-types.js';
import type { PaymentCollectionClient } from '#client/payment-collection-client.js';
import { PaymentCollectionError } from '#client/payment-collection-error.js';
import type { SandboxAsset, SandboxFile } from '../folder/sandbox-folder.js';
import { CannotStart } from '../processes/child-process.js';

type Answer = Schemas['WalletPayload'];
export type Instruction = Answer & { payment: NonNullable<Answer['payment']> };

const SESSION_ID = /^[A-Za-z0-9_-]{32}$/;
const SESSION_PATH = /\/checkout\/([A-Za-z0-9_-]{32})(?:\/payment)?\/?$/;

/**
 * @param what a session id or a URL of its page
 * @returns undefined for anything else
 */
export function checkoutSessionOf({ api_url, checkout_url }: SandboxFile, what: string): string | undefined {
  if (SESSION_ID.test(what)) return what;
  if (!/^https?:/.test(what) || !URL.canParse(what)) return undefined;
  const { origin, pathname } = new URL(what);
  const own = [api_url, checkout_url].flatMap((url) => (url === null ? [] : [new URL(url).origin]));
  const session = own.includes(origin) ? SESSION_PATH.exec(pathname)?.[1] : undefined;
  if (session !== undefined) return session;
  throw new CannotStart(
    `The sandbox wallet opens only URLs of this sandbox's checkouts, such as ${own.at(-1)}/checkout/….`,
  );
}

/**
 * A token may name any URL, including a local service that acts on every request. Only this sandbox's checkouts are
 * accepted.
 * @throws CannotStart
 */
export function checkoutSessionOfToken({ api_url }: SandboxFile, url: string): string {
  const { origin, pathname } = new URL(url);
  const base = new URL(api_url);
  const checkouts = `${base.pathname.replace(/\/$/, '')}/public/checkout/`;
  const isOwn = origin === base.origin && pathname.startsWith(checkouts);
  const session = isOwn ? SESSION_PATH.exec(pathname)?.[1] : undefined;
  if (session !== undefined) return session;
  throw new CannotStart(`This token contains the URL ${url}, but the sandbox wallet calls only ${api_url}.`);
}

/**
 * Selects an asset if the checkout has none selected.
 * @param named asset to pay with; if it is not offered, the selected or first option is used
 * @throws CannotStart
 */
export async function followCheckout(
  client: PaymentCollectionClient,
  sessionId: string,
  named: SandboxAsset | undefined,
): Promise<Instruction> {
  const ask = (payment_option?: string): Promise<Answer> => {
    const params = { path: { sessionId }, query: { ...(payment_option && { payment_option }) } };
    return client.get('/public/checkout/{sessionId}/payment', { params });
  };
  try {
    const answer = (named && (await ask(named.unique_asset_id).catch(passOverNoOption))) ?? (await ask());
    if (hasPayment(answer)) return answer;
    const chosen = await ask(answer.payment_options?.[0]);
    if (hasPayment(chosen)) return chosen;
  } catch (error) {
    if (!(error instanceof PaymentCollectionError) || error.status === undefined) throw error;
    throw new CannotStart(`This checkout cannot be paid. ${error.message}`);
  }
  throw new CannotStart(
    `The checkout ${sessionId} contains no payment instruction, although an asset was selected.`,
  );
}

function hasPayment(answer: Answer): answer is Instruction {
  return answer.payment !== undefined;
}

/** Ignores the error that the checkout does not offer the asset. */
function passOverNoOption(error: unknown): undefined {
  if (!(error instanceof PaymentCollectionError && error.code === 'validation_failed')) throw error;
}
