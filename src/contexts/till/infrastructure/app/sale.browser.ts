// The phone stores the sale before sending it, so that the same idempotency key finds the checkout after a restart.
import { app, type CheckoutBody, type Payment, type Sale, type SentSale } from './app-state.browser.js';
import { forgetCodes, refreshCodes } from './codes.browser.js';
import { screens, text } from './page.browser.js';
import { isEnded, isPaid, stateOf } from './payment-state.browser.js';
import { call, Refused, serviceNow, Unpaired, Unreachable } from './service.browser.js';
import { signal } from './signals.browser.js';
import { drop, keep, kept } from './store.browser.js';

export const PAYMENTS = '/v1/pos/{posID}/payment-request';
const PAYMENT = `${PAYMENTS}/{paymentRequestID}` as const;

const VISIBLE_WAIT = 2_000;
const HIDDEN_WAIT = 15_000;
const LONGEST_WAIT = 20_000;
/** The payer has left the counter, so an older unsent sale is not created. */
const OLD = 10 * 60_000;

let timer: ReturnType<typeof setTimeout> | undefined;
let isPolling = false;
let isPollDue = false;
let failures = 0;

export const stateNow = (sale: Pick<Sale, 'request' | 'isCancelling' | 'isCancelled'>) =>
  stateOf(sale, serviceNow());

const isSent = (sale: Sale): sale is SentSale => sale.request !== undefined;

async function keepAll(): Promise<void> {
  const { sale, left, abandoned } = app;
  await (sale || left.length || abandoned.length ? keep('sales', { sale, left, abandoned }) : drop('sales'));
}

export async function readKeptSales(): Promise<void> {
  Object.assign(app, await kept('sales'));
  poll();
}

export const openSale = () => screens[app.sale ? 'payment' : 'pad']?.();

export async function begin(body: CheckoutBody): Promise<void> {
  app.problem = undefined;
  app.sale = { key: crypto.randomUUID(), madeAt: Date.now(), body };
  await keepAll();
  poll();
}

/** If the call that creates the checkout has no response yet, later polls find the checkout by its reference and close it. */
export async function cancel(): Promise<void> {
  const { sale } = app;
  if (sale === undefined) return;
  if (isSent(sale)) sale.isCancelling = true;
  else {
    app.abandoned.push(sale.body.reference_id);
    app.sale = undefined;
  }
  await keepAll();
  poll();
}

/** Later polls play the signal of a payment that is not final. */
export async function goOn(): Promise<void> {
  const { sale } = app;
  if (sale && isSent(sale) && ['seen', 'partly', 'closing'].includes(stateNow(sale))) app.left.push(sale);
  app.sale = undefined;
  await keepAll();
  poll();
}

/**
 * Without a response, a sale is then only looked up, because its idempotency key belongs to the former credential.
 */
export async function keepSales(): Promise<void> {
  if (app.sale && !isSent(app.sale)) app.sale.madeAt = 0;
  await keepAll();
}

export async function forgetSales(): Promise<void> {
  Object.assign(app, { sale: undefined, left: [], abandoned: [], viewed: undefined, problem: undefined });
  await keepAll();
}

export async function view(id: string): Promise<void> {
  const request = await call('GET', PAYMENT, { id });
  app.viewed = { request };
  await refreshCodes(request);
}

const isUnderWay = () =>
  app.left.length > 0 ||
  app.abandoned.length > 0 ||
  [app.sale, app.viewed].some((sale) => sale && !isEnded(stateNow(sale)));

/** Only one poll runs at a time; a call during a poll schedules one more. */
export async function poll(): Promise<void> {
  clearTimeout(timer);
  isPollDue = isPolling;
  if (isPolling) return;
  isPolling = true;
  let wait = document.hidden ? HIDDEN_WAIT : VISIBLE_WAIT;
  let isPaired = true;
  try {
    await step();
    failures = 0;
    app.trouble = undefined;
  } catch (error) {
    wait = Math.max(waitAfter(error), wait);
    isPaired = !(error instanceof Unpaired);
  }
  isPolling = false;
  screens.redraw?.();
  if (isPollDue) return poll();
  // A revoked credential stays revoked. Pairing the phone again restarts polling.
  if (isPaired && isUnderWay()) timer = setTimeout(poll, wait);
}

/** @returns milliseconds to wait before the next poll */
function waitAfter(error: unknown): number {
  failures += 1;
  app.trouble = error instanceof Unreachable ? error.message : undefined;
  if (error instanceof Unpaired) screens.pairing?.(text.unpaired);
  else if (error instanceof Refused) app.problem = error.message;
  else if (!(error instanceof Unreachable)) window.reportError(error);
  const backOff = Math.min(LONGEST_WAIT, 1000 * 2 ** Math.min(failures, 5));
  return error instanceof Unreachable ? Math.max(error.wait, backOff) : backOff;
}

async function step(): Promise<void> {
  if (app.sale) await (isSent(app.sale) ? stepSale(app.sale) : create(app.sale));
  if (app.viewed && !isEnded(stateNow(app.viewed))) await view(app.viewed.request.id);
  for (const sale of [...app.left]) await stepLeft(sale);
  for (const reference of [...app.abandoned]) await closeAbandoned(reference);
}

async function stepSale(sale: SentSale): Promise<void> {
  if (isEnded(stateNow(sale))) return refreshCodes(sale.request);
  if (sale.isCancelling && !sale.isCancelled) await expire(sale);
  await update(sale, await call('GET', PAYMENT, { id: sale.request.id }));
}

async function create(sale: Sale): Promise<void> {
  let request: Payment | undefined;
  try {
    const { body, key } = sale;
    const isOld = Math.abs(Date.now() - sale.madeAt) > OLD;
    request = isOld
      ? await find(body.reference_id)
      : await call('POST', `${PAYMENTS}-checkout`, { body, key });
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    app.problem = error.message;
  }
  if (app.sale !== sale) return;
  if (request !== undefined) return update(sale, request);
  app.problem ??= text.notSent;
  app.sale = undefined;
  await keepAll();
  screens.pad?.();
}

async function update(sale: Sale, request: Payment): Promise<void> {
  const merged = (sale.request = { ...sale.request, ...request });
  const state = stateNow(sale);
  const name = isPaid(state) ? 'paid' : state === 'seen' ? 'seen' : isEnded(state) ? 'bad' : undefined;
  if (name !== undefined && sale.rung !== name) {
    sale.rung = name;
    signal(name);
  }
  await keepAll();
  screens.redraw?.();
  if (sale === app.sale && !app.viewed) await refreshCodes(merged);
}

async function stepLeft(sale: SentSale): Promise<void> {
  await update(sale, await call('GET', PAYMENT, { id: sale.request.id }));
  if (!isEnded(stateNow(sale))) return;
  app.left = app.left.filter((one) => one !== sale);
  await keepAll();
}

async function expire(sale: SentSale): Promise<void> {
  try {
    sale.request = await call('POST', `${PAYMENT}/expire`, { id: sale.request.id });
    sale.isCancelled = true;
  } catch (error) {
    // A detected payment or ended request cannot be cancelled.
    if (!(error instanceof Refused)) throw error;
    sale.isCancelling = false;
  }
  await keepAll();
}

async function find(reference_id: string): Promise<Payment | undefined> {
  const { data } = await call('GET', PAYMENTS, { query: { reference_id, page_size: 1 } });
  return data[0] && call('GET', PAYMENT, { id: data[0].id });
}

async function closeAbandoned(reference: string): Promise<void> {
  const request = await find(reference);
  if (request && ['pending', 'created'].includes(request.status))
    await call('POST', `${PAYMENT}/expire`, { id: request.id }).catch(unlessRefused);
  app.abandoned = app.abandoned.filter((one) => one !== reference);
  await keepAll();
}

function unlessRefused(error: unknown): void {
  if (!(error instanceof Refused)) throw error;
}

export function wake(): void {
  forgetCodes();
  poll();
}
