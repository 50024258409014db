// @ts-check
// The sale that is under way. It is kept on the phone before it is sent: after a lost connection, or in a page that was killed, the same
// idempotency key finds what was created.
/* global crypto */
import { forgetCodes, refreshCodes } from './codes.browser.js';
import { screens, text } from './page.browser.js';
import { isEnded, isPaid, stateOf } from './payment-state.browser.js';
import { call, pointOfSale, Refused, serviceNow, Unpaired, Unreachable } from './service.browser.js';
import { signal } from './signals.browser.js';
import { drop, keep, kept } from './store.browser.js';

/**
 * @typedef {{ key: string, madeAt: number, body: any, request?: any, isCancelling?: boolean, isCancelled?: boolean, rung?: string }} Sale
 */

const SEEN = 2_000;
const UNSEEN = 15_000;
const LONGEST = 20_000;
/** A sale that waited longer for its answer is not created any more, only looked for: nobody stands at the till for it. */
const OLD = 10 * 60_000;

export const now = {
  /** @type {Sale | undefined} */
  sale: undefined,
  /** Sales that were seen and not final when the cashier went on. @type {Sale[]} */
  left: [],
  /** References of sales that were given up before an answer came. @type {string[]} */
  abandoned: [],
  /** One of the list. @type {{ request: any } | undefined} */
  looked: undefined,
  /** Why there is no sale. @type {string | undefined} */
  problem: undefined,
  /** Why the service asks to try again. @type {string | undefined} */
  trouble: undefined,
  draw: () => {},
};

/** @type {number | undefined} */
let next;
let isTurning = false;
let isWanted = false;
let failures = 0;

const requests = () => `${pointOfSale()}/payment-request`;

/** @param {Sale | { request: any }} sale */
export const stateNow = (sale) => stateOf(sale, serviceNow());

async function keepAll() {
  const { sale, left, abandoned } = now;
  await (sale || left.length || abandoned.length ? keep('sales', { sale, left, abandoned }) : drop('sales'));
}

export async function readKeptSales() {
  Object.assign(now, await kept('sales'));
  turn();
}

/** @param {object} body of the checkout that is to be created */
export async function begin(body) {
  now.problem = undefined;
  now.sale = { key: crypto.randomUUID(), madeAt: Date.now(), body };
  await keepAll();
  turn();
}

/** Gives the sale up: one that was not answered is looked for later, any other ends now. */
export async function cancel() {
  const { sale } = now;
  if (sale === undefined) return;
  if (sale.request) sale.isCancelling = true;
  else leaveSale(sale);
  await keepAll();
  turn();
}

/** @param {Sale} sale */
function leaveSale(sale) {
  now.abandoned.push(sale.body.reference_id);
  now.sale = undefined;
}

/** Goes on to the next sale. One that is seen and not final rings when it is. */
export async function goOn() {
  const { sale } = now;
  if (sale?.request && ['seen', 'partly', 'closing'].includes(stateNow(sale))) now.left.push(sale);
  now.sale = undefined;
  await keepAll();
  turn();
}

/** A key finds nothing that another credential created: a sale without an answer is not created any more, only looked for. */
export async function keepSales() {
  if (now.sale && now.sale.request === undefined) now.sale.madeAt = 0;
  await keepAll();
}

/** Leaves the sales of a point of sale that the phone is not paired with any more. */
export async function forgetSales() {
  Object.assign(now, { sale: undefined, left: [], abandoned: [], looked: undefined, problem: undefined });
  await keepAll();
}

/** @param {string} id */
export async function look(id) {
  const request = await call('GET', `${requests()}/${id}`);
  now.looked = { request };
  await refreshCodes(request);
}

const isUnderWay = () =>
  now.left.length > 0 ||
  now.abandoned.length > 0 ||
  [now.sale, now.looked].some((sale) => sale && !isEnded(stateNow(sale)));

/** Asks how things stand, one turn at a time. */
export async function turn() {
  clearTimeout(next);
  isWanted = isTurning;
  if (isTurning) return;
  isTurning = true;
  let wait = document.hidden ? UNSEEN : SEEN;
  let isPaired = true;
  try {
    await step();
    failures = 0;
    now.trouble = undefined;
  } catch (error) {
    wait = Math.max(waitAfter(error), wait);
    isPaired = !(error instanceof Unpaired);
  }
  isTurning = false;
  now.draw();
  if (isWanted) return turn();
  // A credential that is good no more stays so: the pairing screen goes on.
  if (isPaired && isUnderWay()) next = setTimeout(turn, wait);
}

/** @param {unknown} error @returns milliseconds */
function waitAfter(error) {
  failures += 1;
  now.trouble = error instanceof Unreachable ? error.message : undefined;
  if (error instanceof Unpaired) screens.pairing?.(text.unpaired);
  else if (error instanceof Refused) now.problem = error.message;
  else if (!(error instanceof Unreachable)) /** @type {any} */ (window).reportError(error);
  const backOff = Math.min(LONGEST, 1000 * 2 ** Math.min(failures, 5));
  return error instanceof Unreachable ? Math.max(error.wait, backOff) : backOff;
}

async function step() {
  if (now.sale) await stepSale(now.sale);
  if (now.looked && !isEnded(stateNow(now.looked))) await look(now.looked.request.id);
  for (const sale of [...now.left]) await stepLeft(sale);
  for (const reference of [...now.abandoned]) await closeAbandoned(reference);
}

/** @param {Sale} sale */
async function stepSale(sale) {
  if (sale.request === undefined) return create(sale);
  if (isEnded(stateNow(sale))) return refreshCodes(sale.request);
  if (sale.isCancelling && !sale.isCancelled) await expire(sale);
  await take(sale, await call('GET', `${requests()}/${sale.request.id}`));
}

/** @param {Sale} sale */
async function create(sale) {
  let request;
  try {
    const isOld = Math.abs(Date.now() - sale.madeAt) > OLD;
    request = isOld
      ? await find(sale.body.reference_id)
      : await call('POST', `${requests()}-checkout`, { body: sale.body, key: sale.key });
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    now.problem = error.message;
  }
  if (now.sale !== sale) return;
  if (request !== undefined) return take(sale, request);
  now.problem ??= text.notSent;
  now.sale = undefined;
  await keepAll();
  screens.pad?.();
}

/** @param {Sale} sale @param {any} request */
async function take(sale, request) {
  sale.request = { ...sale.request, ...request };
  const state = stateNow(sale);
  const name = isPaid(state) ? 'paid' : state === 'seen' ? 'seen' : isEnded(state) ? 'bad' : undefined;
  if (name !== undefined && sale.rung !== name) {
    sale.rung = name;
    signal(name);
  }
  await keepAll();
  now.draw();
  if (sale === now.sale && !now.looked) await refreshCodes(sale.request);
}

/** @param {Sale} sale */
async function stepLeft(sale) {
  await take(sale, await call('GET', `${requests()}/${sale.request.id}`));
  if (!isEnded(stateNow(sale))) return;
  now.left = now.left.filter((one) => one !== sale);
  await keepAll();
}

/** @param {Sale} sale */
async function expire(sale) {
  try {
    sale.request = await call('POST', `${requests()}/${sale.request.id}/expire`);
    sale.isCancelled = true;
  } catch (error) {
    // Something was seen, or it has ended: the sale goes on as it stands.
    if (!(error instanceof Refused)) throw error;
    sale.isCancelling = false;
  }
  await keepAll();
}

/** @param {string} reference */
async function find(reference) {
  const { data } = await call(
    'GET',
    `${requests()}?reference_id=${encodeURIComponent(reference)}&page_size=1`,
  );
  return data[0] && call('GET', `${requests()}/${data[0].id}`);
}

/** @param {string} reference */
async function closeAbandoned(reference) {
  const request = await find(reference);
  const isOpen = request && ['pending', 'created'].includes(request.status);
  if (isOpen) await call('POST', `${requests()}/${request.id}/expire`).catch(unlessRefused);
  now.abandoned = now.abandoned.filter((one) => one !== reference);
  await keepAll();
}

/** @param {unknown} error */
function unlessRefused(error) {
  if (!(error instanceof Refused)) throw error;
}

/** The phone woke up, or has its network back. */
export function wake() {
  forgetCodes();
  turn();
}
