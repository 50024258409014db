// QR codes of the displayed sale, which the service generates.
import type { SaleQrCodes } from '../http/sale-qr-codes.js';
import { callApiWithoutToken, markServiceTimeInexact, setServiceTime } from './service.browser.js';
import type { Payment } from './app-state.browser.js';

let codes: (SaleQrCodes & { readonly session: string }) | undefined;
/** State of the payment (`versionOf`) for which the codes were loaded. */
let codesVersion = '';

const versionOf = ({ session_id, status, selected, receipt_url }: Payment) =>
  JSON.stringify([session_id, status, selected?.unique_asset_id, selected?.missing_amount, receipt_url]);

export const qrCodesOf = (request: Pick<Payment, 'session_id'>) =>
  codes?.session === request.session_id ? codes : undefined;

/** After the phone slept, its clock may be wrong; the response sets it. */
export function expireQrCodes(): void {
  codesVersion = '';
  markServiceTimeInexact();
}

/** A payment that is no checkout has no codes. */
export async function refreshQrCodes(request: Payment): Promise<void> {
  const { session_id: session } = request;
  if (session === undefined || codesVersion === versionOf(request)) return;
  const answer = await callApiWithoutToken('GET', '/till/codes/{sessionId}', { id: session });
  setServiceTime(answer.now);
  codes = { ...answer, session };
  codesVersion = versionOf(request);
}
