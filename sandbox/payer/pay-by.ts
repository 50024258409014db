import { outgoingFetch } from '#shared/platform/http/outgoing/outgoing-fetch.js';
import type { SandboxFile } from '../folder/sandbox-folder.js';
import { CannotStart, waitUntil } from '../processes/child-process.js';
import { describePlan } from './describe-plan.js';
import type { PayingWay } from './pay-arguments.js';
import type { PaymentPlan } from './payment-plan.js';
import { payByButton } from './pay-by-button.js';
import { payByX402 } from './pay-by-x402.js';
import { notSigned, readSession, type PayerSession, type Speaking } from './payer-session.js';
import { signTransfer } from './sign-transfer.js';

const SEEN_WITHIN_MS = 120_000;
const ASK_EVERY_MS = 1_000;

/**
 * Pays a checkout by signature, x402 or button.
 * @throws CannotStart with the reason
 */
export async function payBy(
  way: PayingWay,
  plan: PaymentPlan,
  sandbox: SandboxFile,
  speaking: Speaking,
): Promise<void> {
  if (plan.session === undefined)
    throw new CannotStart(`--by ${way} pays a checkout, and this is a payment request without one.`);
  for (const line of describePlan(plan, { fromContract: false })) speaking.say(line);
  const session = await readSession(sandbox, plan.session);
  if (way === 'button') return payByButton(session, sandbox, speaking);
  if (way === 'x402') return payByX402(session, plan, sandbox, speaking);
  return payBySignature(session, plan, sandbox, speaking);
}

/** Posts the signed transfer until the service has seen it. Repeated posts are sent only once. */
async function payBySignature(
  session: PayerSession,
  plan: PaymentPlan,
  { api_url, payer }: SandboxFile,
  { output, say }: Speaking,
): Promise<void> {
  const asked = session.selected?.signature_payment;
  if (asked === undefined) throw notSigned(plan);
  const { name, version, chain_id: chainId, verifying_contract: verifyingContract } = asked.domain;
  const domain = { name, version, chainId, verifyingContract };
  const until = new Date(session.expires_at);
  const { authorization, signature } = await signTransfer(payer!, domain, { ...asked, until });
  const { from, value, validAfter, validBefore, nonce } = authorization;
  const body = JSON.stringify({
    authorization: { from, value, valid_after: validAfter, valid_before: validBefore, nonce },
    signature,
  });
  say(`  signed    for ${asked.to}, nonce ${nonce}`);
  let hash: string | undefined;
  const isSeen = async () => {
    const answer = await outgoingFetch(`${api_url}/public/checkout/${session.session_id}/authorization`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    const { data, message } = (await answer.json()) as Answer;
    if (answer.status >= 400 && answer.status < 500 && answer.status !== 429)
      throw new CannotStart(`The service rejects this signature. ${message}`);
    hash = data?.transaction_hash;
    return data?.status === 'seen';
  };
  const options = { timeoutMs: SEEN_WITHIN_MS, everyMs: ASK_EVERY_MS };
  const seen = await output.withProgress('Waiting until the service has sent it and seen it', () =>
    waitUntil(isSeen, options),
  );
  say(
    seen ? `  paid      by the service's transaction ${hash}` : `  queued    the service has not sent it yet`,
  );
}

interface Answer {
  readonly data?: { readonly status: string; readonly transaction_hash?: string };
  readonly message?: string;
}
