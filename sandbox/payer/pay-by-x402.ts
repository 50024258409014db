import { outgoingFetch } from '#shared/platform/http/outgoing/outgoing-fetch.js';
import type { Address } from 'viem';
import type { SandboxFile } from '../folder/sandbox-folder.js';
import { CannotStart } from '../processes/child-process.js';
import { notSigned, type PayerSession, type Speaking } from './payer-session.js';
import type { PaymentPlan } from './payment-plan.js';
import { signTransfer } from './sign-transfer.js';

/** One of the payment options in `PAYMENT-REQUIRED` (x402 version 2). */
interface Requirements {
  readonly scheme: string;
  readonly network: string;
  readonly amount: string;
  readonly asset: Address;
  readonly payTo: Address;
  readonly extra?: { readonly name?: string; readonly version?: string };
}

interface Required {
  readonly x402Version: number;
  readonly resource?: object;
  readonly accepts: readonly Requirements[];
}

const VERSION = 2;
/** Maximum attempts with the same header, until the service has seen the transfer. */
const TRIES = 60;
const RETRY_AFTER_MS = 2_000;

export async function payByX402(
  session: PayerSession,
  plan: PaymentPlan,
  { payer }: SandboxFile,
  { output, say }: Speaking,
): Promise<void> {
  const { x402_url: url } = session;
  if (url === undefined) throw notSigned(plan);
  const first = await outgoingFetch(url);
  const offer = decoded<Required>(first.headers.get('payment-required'));
  if (first.status !== 402 || offer === undefined)
    throw new CannotStart(`${url} does not request a payment (HTTP status ${first.status}).`);
  const chain = `eip155:${plan.network.chain_id}`;
  const accepted = offer.accepts.find(({ scheme, network }) => scheme === 'exact' && network === chain);
  if (offer.x402Version !== VERSION || accepted === undefined) throw notSigned(plan);
  const { name = '', version = '' } = accepted.extra ?? {};
  const domain = { name, version, chainId: plan.network.chain_id, verifyingContract: accepted.asset };
  const asked = { to: accepted.payTo, value: accepted.amount, until: new Date(session.expires_at) };
  const payload = await signTransfer(payer!, domain, asked);
  say(`  signed    for ${accepted.payTo}, nonce ${payload.authorization.nonce}`);
  const { resource } = offer;
  const header = encoded({ x402Version: VERSION, ...(resource && { resource }), accepted, payload });
  const answer = await output.withProgress('Waiting until the service has seen the transfer', () =>
    paid(url, header),
  );
  const outcome = decoded<{ success: boolean; transaction?: string }>(answer.headers.get('payment-response'));
  if (answer.status !== 200 || outcome?.success !== true)
    throw new CannotStart(
      `The service did not accept the payment (HTTP status ${answer.status}). ${await reasonIn(answer)}`,
    );
  say(`  paid      by the service's transaction ${outcome.transaction}`);
}

/** Retries while the service is busy. The same header is paid only once. */
async function paid(url: string, header: string): Promise<Response> {
  for (let tries = 1; ; tries += 1) {
    const answer = await outgoingFetch(url, { headers: { 'PAYMENT-SIGNATURE': header } });
    const isBusy = answer.status >= 500 || answer.status === 429;
    if (!isBusy || tries === TRIES) return answer;
    await new Promise((resolve) => setTimeout(resolve, RETRY_AFTER_MS));
  }
}

/** A rejection is either another payment offer (402) or the standard error envelope. */
async function reasonIn(answer: Response): Promise<string> {
  const { error, message } = (await answer.json()) as { error?: string; message?: string };
  return error ?? message ?? 'No reason was shown.';
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64');
}

function decoded<T>(header: string | null): T | undefined {
  if (header === null) return undefined;
  return JSON.parse(Buffer.from(header, 'base64').toString('utf8')) as T;
}
