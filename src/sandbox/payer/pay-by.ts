import type { Address } from 'viem';
import type { SandboxFile } from '../folder/sandbox-folder.js';
import { CannotStart, waitUntil } from '../processes/child-process.js';
import type { TerminalOutput } from '../terminal/terminal-output.js';
import { describePlan } from './describe-plan.js';
import type { PayingWay } from './pay-arguments.js';
import type { PaymentPlan } from './payment-plan.js';
import { payByButton } from './pay-by-button.js';
import { payByX402 } from './pay-by-x402.js';
import { signTransfer } from './sign-transfer.js';

/** A checkout session as its payer sees it, as far as the ways to pay need it. */
export interface PayerSession {
  readonly session_id: string;
  readonly status: string;
  readonly expires_at: string;
  readonly hosted_checkout_url: string;
  readonly x402_url?: string;
  readonly selected?: {
    readonly signature_payment?: {
      readonly domain: {
        readonly name: string;
        readonly version: string;
        readonly chain_id: number;
        readonly verifying_contract: Address;
      };
      readonly to: Address;
      readonly value: string;
    };
  };
}

export interface Speaking {
  readonly output: TerminalOutput;
  say(line: string): void;
}

const SEEN_WITHIN_MS = 120_000;
const ASK_EVERY_MS = 1_000;

/** Pays a checkout in another way than by a transfer of the wallet's own. @throws CannotStart with the reason as a sentence */
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

export async function readSession({ api_url }: SandboxFile, id: string): Promise<PayerSession> {
  const answer = await fetch(`${api_url}/public/checkout/${id}`);
  const { data } = (await answer.json()) as { data?: PayerSession };
  if (data === undefined) throw new CannotStart(`The checkout ${id} cannot be read (${answer.status}).`);
  return data;
}

/** Posts what the wallet signed until the service has seen the transfer that it sent. The same again is sent once. */
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
    const answer = await fetch(`${api_url}/public/checkout/${session.session_id}/authorization`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    const { data, error } = (await answer.json()) as Answer;
    if (answer.status < 500 && answer.status !== 429 && error !== undefined)
      throw new CannotStart(`The service refuses this signature. ${error.message}`);
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
  readonly error?: { readonly message: string };
}

export function notSigned({ asked }: PaymentPlan): CannotStart {
  return new CannotStart(
    `${asked.asset.symbol} cannot be paid by a signature here. Choose a token that takes EIP-3009 (--asset USDC).`,
  );
}
