// QR codes of the visible sale. The service draws them, as it does for the hosted page.
import type { SaleCodes } from '../http/sale-codes.js';
import { ask, forgetClock, setClock } from './service.browser.js';
import type { Payment } from './app-state.browser.js';

let codes: (SaleCodes & { readonly session: string }) | undefined;
/** The payment for which the service drew the codes, as `versionOf` writes it. */
let codesVersion = '';

const versionOf = ({ session_id, status, selected, receipt_url }: Payment) =>
  JSON.stringify([session_id, status, selected?.unique_asset_id, selected?.missing_amount, receipt_url]);

/** Returns the codes of the payment once they are loaded. */
export const codesOf = (request: Pick<Payment, 'session_id'>) =>
  codes?.session === request.session_id ? codes : undefined;

/** Drops the codes after a sleep of the phone: its clocks may be wrong, and the next answer sets them. */
export function forgetCodes(): void {
  codesVersion = '';
  forgetClock();
}

/** Loads the codes of a checkout. A payment without a session has none. */
export async function refreshCodes(request: Payment): Promise<void> {
  const { session_id: session } = request;
  if (session === undefined || codesVersion === versionOf(request)) return;
  const answer = await ask('GET', '/till/codes/{sessionId}', { id: session });
  setClock(answer.now);
  codes = { ...answer, session };
  codesVersion = versionOf(request);
}
