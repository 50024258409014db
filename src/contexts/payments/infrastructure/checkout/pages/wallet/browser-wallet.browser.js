// @ts-check
// Pays with a browser wallet: exactly the missing amount, once, and only if the service still requires it.
import { forgetOldRecords, readRecord, watchRecord, writeRecord } from './payment-record.browser.js';
import { readPaymentFacts } from './session-facts.browser.js';
import { saveRecord, postSignedPayment } from './wallet-payment.browser.js';
import { callWallet, Problem } from './wallet-requests.browser.js';
import { currentScreen } from './wallet-screens.browser.js';
import { changed, found, now } from './wallet-state.browser.js';
import { WalletView } from './wallet-view.browser.js';

const POLL_EVERY_MS = 4_000;
const view = new WalletView();
const listened = new Set();

/** Checks a signed payment until it is sent, and a sent transaction until the wallet's network has it in a block. */
async function checkPaymentProgress() {
  if (!now.part) return;
  const { session, chainId } = now.facts;
  await postSignedPayment(session);
  const record = readRecord(session);
  const provider = (found.find(({ info }) => info.rdns === record?.wallet) ?? now.wallet)?.provider;
  now.unknown = undefined;
  if (record?.state === 'sent' && record.hash && !record.isMined && provider) {
    const isHere = Number(await callWallet(provider, 'eth_chainId')) === chainId;
    const receipt = isHere && (await callWallet(provider, 'eth_getTransactionReceipt', [record.hash]));
    if (receipt && Number(receipt.status) === 0) {
      writeRecord(session, undefined);
      now.problem = new Problem('reverted');
    } else if (receipt) saveRecord(session, { ...record, isMined: true });
    else if (isHere && (await callWallet(provider, 'eth_getTransactionByHash', [record.hash])) === null)
      now.unknown = record.hash;
  }
  forgetPartialPayment();
  changed();
}

/** Removes the stored wallet request after a partial payment, because the page now requests the remaining amount. */
function forgetPartialPayment() {
  const { session, units } = now.facts;
  const record = readRecord(session);
  if (record?.isMined && record.units !== String(units)) writeRecord(session, undefined);
}

/** Clears the prepared payment when the wallet changes its account or network. */
function listenToWallet(provider) {
  if (listened.has(provider) || typeof provider?.on !== 'function') return;
  listened.add(provider);
  const ends = (/** @type {string} */ kind) => {
    if (provider !== now.wallet?.provider || now.work || !now.ready) return;
    changed({ ready: undefined, problem: new Problem(kind) });
  };
  provider.on('accountsChanged', (/** @type {any} */ accounts) => {
    const isSame = String(accounts?.[0]).toLowerCase() === now.ready?.account.toLowerCase();
    if (!isSame) ends('accountChanged');
  });
  provider.on('chainChanged', (/** @type {any} */ chain) => {
    if (Number(chain) !== now.facts?.chainId) ends('wrongNetwork');
  });
  provider.on('disconnect', () => ends('disconnected'));
}

/** Moves the wallet view into the new section when the page replaces its section. */
function attachView() {
  const part = document.getElementById('browser-wallet') ?? undefined;
  if (part === now.part) return;
  now.part = part?.dataset.chainId ? part : undefined;
  if (!now.part) return;
  const before = now.facts;
  now.facts = readPaymentFacts(now.part);
  const isOther = (/** @type {any} */ shown) =>
    shown && ['units', 'to', 'token'].some((name) => shown[name] !== now.facts[name]);
  if (isOther(now.ready?.facts)) now.ready = undefined;
  // The page now requests another payment, so the conflict no longer applies.
  if (now.problem?.kind === 'conflict' && isOther(before)) now.problem = undefined;
  forgetPartialPayment();
  now.part.append(view.root);
  now.part.hidden = false;
  changed();
}

function draw() {
  if (!now.part) return;
  for (const { provider } of found) listenToWallet(provider);
  view.draw(currentScreen());
}

const main = document.querySelector('main[data-poll]');
if (main) {
  now.draw = draw;
  new window.MutationObserver(attachView).observe(main, { childList: true, subtree: true });
  attachView();
  forgetOldRecords(Date.now());
  const session = /** @type {HTMLElement} */ (main).dataset.poll?.split('/').pop() ?? '';
  watchRecord(session, changed);
  const lookAgain = () =>
    window.setTimeout(() => {
      checkPaymentProgress().then(lookAgain, lookAgain);
    }, POLL_EVERY_MS);
  lookAgain();
  window.addEventListener('eip6963:announceProvider', () => window.setTimeout(changed));
}
