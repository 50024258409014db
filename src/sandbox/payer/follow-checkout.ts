import { ApiRefused, type ApiClient } from '../api/api-client.js';
import type { AnswerOf } from '../api/api-types.js';
import type { SandboxAsset, SandboxFile } from '../folder/sandbox-folder.js';
import { CannotStart } from '../processes/child-process.js';

type Answer = AnswerOf<'askForPayment'>;
/** A NASPIP payment instruction as JSON. */
export type Instruction = Answer & { payment: NonNullable<Answer['payment']> };

const SESSION_ID = /^[A-Za-z0-9_-]{32}$/;
const SESSION_PATH = /\/checkout\/([A-Za-z0-9_-]{32})(?:\/payment)?\/?$/;

/** The payment endpoint of a checkout. @param what a session id, or a URL of its page @returns undefined for anything else */
export function checkoutUrlOf({ api_url, checkout_url }: SandboxFile, what: string): string | undefined {
  if (SESSION_ID.test(what)) return paymentUrl(api_url, what);
  if (!/^https?:/.test(what) || !URL.canParse(what)) return undefined;
  const { origin, pathname } = new URL(what);
  const own = [api_url, checkout_url].flatMap((url) => (url === null ? [] : [new URL(url).origin]));
  const session = own.includes(origin) ? SESSION_PATH.exec(pathname)?.[1] : undefined;
  if (session !== undefined) return paymentUrl(api_url, session);
  throw new CannotStart(
    `The sandbox wallet follows no other URLs than its own checkouts', like ${own.at(-1)}/checkout/….`,
  );
}

/**
 * Asks a checkout for its payment, as a wallet does, and chooses the asset where none is named or selected.
 * @param choice what to pay with; where it is no option of the checkout, what is selected or its first option is asked
 * @throws CannotStart with the reason as a sentence
 */
export async function followCheckout(
  api: ApiClient,
  sandbox: SandboxFile,
  url: string,
  choice: SandboxAsset | undefined,
): Promise<Instruction> {
  const path = ownPath(sandbox, url);
  try {
    const named = choice && (await askIfOption(api, path, choice.unique_asset_id));
    const answer = named ?? (await ask(api, path, undefined));
    if (hasPayment(answer)) return answer;
    const chosen = await ask(api, path, answer.payment_options?.[0] ?? '');
    if (hasPayment(chosen)) return chosen;
  } catch (error) {
    if (!(error instanceof ApiRefused)) throw error;
    throw new CannotStart(`This checkout cannot be paid. ${error.message}`);
  }
  throw new CannotStart(`${url} names no payment, although an asset was chosen.`);
}

function hasPayment(answer: Answer): answer is Instruction {
  return answer.payment !== undefined;
}

/** Undefined where the checkout does not offer it. */
function askIfOption(api: ApiClient, path: string, option: string): Promise<Answer | undefined> {
  return ask(api, path, option).catch((error: unknown) => {
    if (error instanceof ApiRefused && error.code === 'validation_failed') return undefined;
    throw error;
  });
}

function ask(api: ApiClient, path: string, option: string | undefined): Promise<Answer> {
  return api.raw(
    option === undefined ? path : `${path}?${new URLSearchParams({ payment_option: option }).toString()}`,
  );
}

/** A token can name any URL, also that of another service on this machine that acts on every request. */
function ownPath({ api_url }: SandboxFile, url: string): string {
  const { origin, pathname } = new URL(url);
  const base = new URL(api_url);
  const prefix = base.pathname.replace(/\/$/, '');
  if (origin === base.origin && pathname.startsWith(`${prefix}/public/checkout/`)) {
    return pathname.slice(prefix.length);
  }
  throw new CannotStart(`This token names ${url}, and the sandbox wallet asks only ${api_url}.`);
}

function paymentUrl(apiUrl: string, sessionId: string): string {
  return `${apiUrl}/public/checkout/${sessionId}/payment`;
}
