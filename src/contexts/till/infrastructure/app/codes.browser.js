// @ts-check
// QR codes of the sale that is shown. The service draws them, as it does for the hosted page.
import { ask, forgetClock, setClock } from './service.browser.js';

/** @type {any} */
let codes;
/** What the codes were drawn for. */
let drawnFor = '';

/** @param {any} request */
const markOf = ({ session_id, status, selected, receipt_url }) =>
  JSON.stringify([session_id, status, selected?.unique_asset_id, selected?.missing_amount, receipt_url]);

/** The codes of this request, as far as they are here. @param {any} request */
export const codesOf = (request) => (codes?.session === request?.session_id ? codes : undefined);

/** After a sleep of the phone its clocks may be wrong, and the next answer sets them. */
export function forgetCodes() {
  drawnFor = '';
  forgetClock();
}

/** @param {any} request one without a session is no checkout, and has no codes */
export async function refreshCodes(request) {
  const { session_id: session } = request;
  if (session === undefined || drawnFor === markOf(request)) return;
  const answer = await ask('GET', `/till/codes/${session}`);
  setClock(answer.now);
  codes = { ...answer, session };
  drawnFor = markOf(request);
}

/** @param {any} request @param {string} asset */
export const selectAsset = ({ session_id: session }, asset) =>
  ask('POST', `/public/checkout/${session}/select-asset`, { unique_asset_id: asset });
