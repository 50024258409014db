// @ts-check
// Pays with a browser wallet: exactly the missing amount, once, and only if the service still requires it.
import { forgetOld, readRecord, watchRecord, writeRecord } from './payment-record.browser.js';
import { factsOf } from './session-facts.browser.js';
import { keep, post } from './wallet-payment.browser.js';
import { ask, Problem } from './wallet-requests.browser.js';
import { screen } from './wallet-screens.browser.js';
import { changed, found, now } from './wallet-state.browser.js';
import { WalletView } from './wallet-view.browser.js';

const POLL_EVERY = 4_000;
const view = new WalletView();
const listened = new Set();

/** Checks a signed payment until it is sent, and a sent transaction until the wallet's network has it in a block. */
async function look() {
  if (!now.part) return;
  const { session, chainId } = now.facts;
  await post(session);
  const record = readRecord(session);
  const provider = (found.find(({ info }) => info.rdns === record?.wallet) ?? now.wallet)?.provider;
  now.unknown = undefined;
  if (record?.state === 'sent' && record.hash && !record.isMined && provider) {
    const isHere = Number(await ask(provider, 'eth_chainId')) === chainId;
    const receipt = isHere && (await ask(provider, 'eth_getTransactionReceipt', [record.hash]));
    if (receipt && Number(receipt.status) === 0) {
      writeRecord(session, undefined);
      now.problem = new Problem('reverted');
    } else if (receipt) keep(session, { ...record, isMined: true });
    else if (isHere && (await ask(provider, 'eth_getTransactionByHash', [record.hash])) === null)
      now.unknown = record.hash;
  }
  forgetPart();
  changed();
}

/** Removes the stored wallet request after a partial payment, because the page now requests the remaining amount. */
function forgetPart() {
  const { session, units } = now.facts;
  const record = readRecord(session);
  if (record?.isMined && record.units !== String(units)) writeRecord(session, undefined);
}

/** Clears the prepared payment when the wallet changes its account or network. */
function listen(provider) {
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
function attach() {
  const part = document.getElementById('browser-wallet') ?? undefined;
  if (part === now.part) return;
  now.part = part?.dataset.chainId ? part : undefined;
  if (!now.part) return;
  const before = now.facts;
  now.facts = factsOf(now.part);
  const isOther = (/** @type {any} */ shown) =>
    shown && ['units', 'to', 'token'].some((name) => shown[name] !== now.facts[name]);
  if (isOther(now.ready?.facts)) now.ready = undefined;
  // The page now requests another payment, so the conflict no longer applies.
  if (now.problem?.kind === 'conflict' && isOther(before)) now.problem = undefined;
  forgetPart();
  now.part.append(view.root);
  now.part.hidden = false;
  changed();
}

function draw() {
  if (!now.part) return;
  for (const { provider } of found) listen(provider);
  view.draw(screen());
}

const main = document.querySelector('main[data-poll]');
if (main) {
  now.draw = draw;
  new window.MutationObserver(attach).observe(main, { childList: true, subtree: true });
  attach();
  forgetOld(Date.now());
  const session = /** @type {HTMLElement} */ (main).dataset.poll?.split('/').pop() ?? '';
  watchRecord(session, changed);
  const lookAgain = () =>
    window.setTimeout(() => {
      look().then(lookAgain, lookAgain);
    }, POLL_EVERY);
  lookAgain();
  window.addEventListener('eip6963:announceProvider', () => window.setTimeout(changed));
}
