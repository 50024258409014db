// @ts-check
// Reads the payment that the page requests, and checks that the service still requests it.
import { parseUnits } from '#shared/web/script/units.browser.js';
import { Problem } from './wallet-requests.browser.js';

const REQUEST_TIMEOUT_MS = 15_000;
/** Minimum seconds before the deadline. With less time, the payer would confirm after the deadline. */
const MIN_SECONDS_LEFT = 15;

/** @param {HTMLElement} part the page's browser wallet section */
export function readPaymentFacts(part) {
  const {
    chainId,
    chainName,
    token = '',
    decimals,
    symbol = '',
    to = '',
    units,
    session = '',
  } = part.dataset;
  const { nativeSymbol = '', rpc = '', explorer = '' } = part.dataset;
  return {
    ...{ chainId: Number(chainId), chainName, token, decimals: Number(decimals), symbol, to },
    ...{ units: BigInt(units ?? 0), session, nativeSymbol, rpc, explorer },
  };
}

/** @param {string} url @param {object} [options] */
export async function fetchJson(url, options) {
  const signal = window.AbortSignal.timeout(REQUEST_TIMEOUT_MS);
  const whole = { cache: 'no-store', credentials: 'same-origin', signal, ...options };
  const answer = await fetch(url, /** @type {any} */ (whole)).catch(() => undefined);
  const body = await answer?.json().catch(() => undefined);
  return { status: answer?.status ?? 0, body };
}

/** Returns the seconds left in the page's countdown, which follows the server's clock. */
function secondsLeft() {
  const shown = document.querySelector('[data-left]')?.textContent;
  return shown ? shown.split(':').reduce((sum, part) => sum * 60 + Number(part), 0) : Infinity;
}

/**
 * Checks with the service before a wallet request.
 * @param {ReturnType<typeof readPaymentFacts>} facts
 * @returns {Promise<any>} the session, as its poll returns it
 * @throws {Problem} `changed` if the displayed payment is no longer the requested payment, `nearlyOver` shortly before the deadline
 */
export async function requireStillRequested({ session, to, symbol, decimals, units }) {
  const { status, body } = await fetchJson(`/public/checkout/${session}`);
  if ([404, 409, 410].includes(status)) throw new Problem('changed');
  const asked = body?.data;
  if (status !== 200 || !asked) throw new Problem('unreachable');
  const { selected } = asked;
  // After the deadline, the page displays nothing to pay.
  const isShown = document.getElementById('browser-wallet')?.dataset.chainId !== undefined;
  const isOver = !isShown || document.querySelector('main.over') !== null;
  const isSame =
    !isOver &&
    ['created', 'processing'].includes(asked.status) &&
    selected?.address.toLowerCase() === to.toLowerCase() &&
    selected.symbol === symbol &&
    parseUnits(selected.missing_amount, decimals) === units;
  if (!isSame || units <= 0n) throw new Problem('changed');
  if (secondsLeft() < MIN_SECONDS_LEFT) throw new Problem('nearlyOver');
  return asked;
}
