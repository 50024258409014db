// The phone stores the sale before sending it, so that the same idempotency key finds the checkout after a restart.
import { appState, type CheckoutBody, type Payment, type Sale, type SentSale } from './app-state.browser.js';
import { expireQrCodes, refreshQrCodes } from './codes.browser.js';
import { screens, pageTexts } from './page.browser.js';
import { isEnded, isPaid, saleStateOf } from './payment-state.browser.js';
import { callApi, RequestRefused, serviceNow, Unpaired, Unreachable } from './service.browser.js';
import { playSignal } from './signals.browser.js';
import { deleteStored, writeStored, readStored } from './store.browser.js';

export const PAYMENT_REQUESTS_PATH = '/v1/pos/{posID}/payment-request';
const PAYMENT = `${PAYMENT_REQUESTS_PATH}/{paymentRequestID}` as const;

const VISIBLE_WAIT = 2_000;
const HIDDEN_WAIT = 15_000;
const LONGEST_WAIT = 20_000;
/** The payer has left the counter, so an older unsent sale is not created. */
const OLD = 10 * 60_000;

let timer: ReturnType<typeof setTimeout> | undefined;
let isPolling = false;
let isPollDue = false;
let failures = 0;

export const saleStateNow = (sale: Pick<Sale, 'request' | 'isCancelling' | 'isCancelled'>) =>
  saleStateOf(sale, serviceNow());

const isSent = (sale: Sale): sale is SentSale => sale.request !== undefined;

async function keepAll(): Promise<void> {
  const { sale, left, abandoned } = appState;
  await (sale || left.length || abandoned.length
    ? writeStored('sales', { sale, left, abandoned })
    : deleteStored('sales'));
}

export async function loadStoredSales(): Promise<void> {
  Object.assign(appState, await readStored('sales'));
  poll();
}

export const showCurrentSaleOrPad = () => screens[appState.sale ? 'payment' : 'pad']?.();

export async function startSale(body: CheckoutBody): Promise<void> {
  appState.problem = undefined;
  appState.sale = { key: crypto.randomUUID(), madeAt: Date.now(), body };
  await keepAll();
  poll();
}

/** If the call that creates the checkout has no response yet, later polls find the checkout by its reference and close it. */
export async function cancelSale(): Promise<void> {
  const { sale } = appState;
  if (sale === undefined) return;
  if (isSent(sale)) sale.isCancelling = true;
  else {
    appState.abandoned.push(sale.body.reference_id);
    appState.sale = undefined;
  }
  await keepAll();
  poll();
}

/** Later polls play the signal of a payment that is not final. */
export async function leaveSale(): Promise<void> {
  const { sale } = appState;
  if (sale && isSent(sale) && ['seen', 'partly', 'closing'].includes(saleStateNow(sale)))
    appState.left.push(sale);
  appState.sale = undefined;
  await keepAll();
  poll();
}

/**
 * Without a response, a sale is then only looked up, because its idempotency key belongs to the former credential.
 */
export async function keepSalesForNewPairing(): Promise<void> {
  if (appState.sale && !isSent(appState.sale)) appState.sale.madeAt = 0;
  await keepAll();
}

export async function deleteStoredSales(): Promise<void> {
  Object.assign(appState, {
    sale: undefined,
    left: [],
    abandoned: [],
    viewed: undefined,
    problem: undefined,
  });
  await keepAll();
}

export async function viewPayment(id: string): Promise<void> {
  const request = await callApi('GET', PAYMENT, { id });
  appState.viewed = { request };
  await refreshQrCodes(request);
}

const isUnderWay = () =>
  appState.left.length > 0 ||
  appState.abandoned.length > 0 ||
  [appState.sale, appState.viewed].some((sale) => sale && !isEnded(saleStateNow(sale)));

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
    appState.trouble = undefined;
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
  appState.trouble = error instanceof Unreachable ? error.message : undefined;
  if (error instanceof Unpaired) screens.pairing?.(pageTexts.unpaired);
  else if (error instanceof RequestRefused) appState.problem = error.message;
  else if (!(error instanceof Unreachable)) window.reportError(error);
  const backOff = Math.min(LONGEST_WAIT, 1000 * 2 ** Math.min(failures, 5));
  return error instanceof Unreachable ? Math.max(error.wait, backOff) : backOff;
}

async function step(): Promise<void> {
  if (appState.sale) await (isSent(appState.sale) ? stepSale(appState.sale) : create(appState.sale));
  if (appState.viewed && !isEnded(saleStateNow(appState.viewed)))
    await viewPayment(appState.viewed.request.id);
  for (const sale of [...appState.left]) await stepLeft(sale);
  for (const reference of [...appState.abandoned]) await closeAbandoned(reference);
}

async function stepSale(sale: SentSale): Promise<void> {
  if (isEnded(saleStateNow(sale))) return refreshQrCodes(sale.request);
  if (sale.isCancelling && !sale.isCancelled) await expire(sale);
  await update(sale, await callApi('GET', PAYMENT, { id: sale.request.id }));
}

async function create(sale: Sale): Promise<void> {
  let request: Payment | undefined;
  try {
    const { body, key } = sale;
    const isOld = Math.abs(Date.now() - sale.madeAt) > OLD;
    request = isOld
      ? await find(body.reference_id)
      : await callApi('POST', `${PAYMENT_REQUESTS_PATH}-checkout`, { body, key });
  } catch (error) {
    if (!(error instanceof RequestRefused)) throw error;
    appState.problem = error.message;
  }
  if (appState.sale !== sale) return;
  if (request !== undefined) return update(sale, request);
  appState.problem ??= pageTexts.notSent;
  appState.sale = undefined;
  await keepAll();
  screens.pad?.();
}

async function update(sale: Sale, request: Payment): Promise<void> {
  const merged = (sale.request = { ...sale.request, ...request });
  const state = saleStateNow(sale);
  const name = isPaid(state) ? 'paid' : state === 'seen' ? 'seen' : isEnded(state) ? 'bad' : undefined;
  if (name !== undefined && sale.rung !== name) {
    sale.rung = name;
    playSignal(name);
  }
  await keepAll();
  screens.redraw?.();
  if (sale === appState.sale && !appState.viewed) await refreshQrCodes(merged);
}

async function stepLeft(sale: SentSale): Promise<void> {
  await update(sale, await callApi('GET', PAYMENT, { id: sale.request.id }));
  if (!isEnded(saleStateNow(sale))) return;
  appState.left = appState.left.filter((one) => one !== sale);
  await keepAll();
}

async function expire(sale: SentSale): Promise<void> {
  try {
    sale.request = await callApi('POST', `${PAYMENT}/expire`, { id: sale.request.id });
    sale.isCancelled = true;
  } catch (error) {
    // A detected payment or ended request cannot be cancelled.
    if (!(error instanceof RequestRefused)) throw error;
    sale.isCancelling = false;
  }
  await keepAll();
}

async function find(reference_id: string): Promise<Payment | undefined> {
  const { data } = await callApi('GET', PAYMENT_REQUESTS_PATH, { query: { reference_id, page_size: 1 } });
  return data[0] && callApi('GET', PAYMENT, { id: data[0].id });
}

async function closeAbandoned(reference: string): Promise<void> {
  const request = await find(reference);
  if (request && ['pending', 'created'].includes(request.status))
    await callApi('POST', `${PAYMENT}/expire`, { id: request.id }).catch(unlessRefused);
  appState.abandoned = appState.abandoned.filter((one) => one !== reference);
  await keepAll();
}

function unlessRefused(error: unknown): void {
  if (!(error instanceof RequestRefused)) throw error;
}

export function resumePolling(): void {
  expireQrCodes();
  poll();
}
