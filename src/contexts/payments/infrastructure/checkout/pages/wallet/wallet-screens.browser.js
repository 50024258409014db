// @ts-check
// Builds the wallet section's texts and buttons for the current state.
import { filled } from '#shared/web/script/elements.browser.js';
import { formatUnits } from '#shared/web/script/units.browser.js';
import { formatFee } from './payment-calls.browser.js';
import { readRecord, writeRecord } from './payment-record.browser.js';
import { preparePayment, runTask, sendPayment, signPayment } from './wallet-payment.browser.js';
import { changed, found, now, text } from './wallet-state.browser.js';
import { walletName } from './wallet-view.browser.js';

/** Milliseconds until a payer who cancelled can pay again, if the network does not know the transaction. */
const STUCK_AFTER_MS = 120_000;
const NATIVE_DECIMALS = 18;

const shownAmount = (/** @type {bigint} */ units) => {
  const [whole, fraction = ''] = formatUnits(units, now.facts.decimals).split('.');
  return `${whole}${text.decimal}${fraction.padEnd(2, '0')}\u00a0${now.facts.symbol}`;
};
const nameOf = (/** @type {any} */ wallet, otherwise = text.thisWallet) =>
  walletName(wallet?.info, otherwise);

/** @returns {import('./wallet-view.browser.js').View} */
export function currentScreen() {
  const record = readRecord(now.facts.session);
  if (record && !(now.work && record.state === 'asked')) return recordScreen(record);
  const { chainName: network = '', units } = now.facts;
  const words = { wallet: nameOf(now.wallet), network, amount: shownAmount(units) };
  if (now.work) return { note: filled(text[now.work], words), actions: [] };
  if (now.problem) return problemScreen(now.problem, words);
  return now.ready ? readyScreen(now.ready, words) : { note: text.choose, actions: walletChoices() };
}

function walletChoices() {
  return found.map((wallet, index) => ({
    id: `wallet-choice-${index}`,
    label: filled(text.continueWith, { wallet: nameOf(wallet) }),
    act: () => runTask(() => preparePayment(wallet)),
    info: wallet.info,
    isMain: index === 0,
  }));
}

/** @param {any} problem @param {Record<string, string>} words */
function problemScreen({ kind, words: { held }, detail }, words) {
  const template = text[kind] ?? text.failed;
  const note = filled(template, {
    ...words,
    ...(template.startsWith('{wallet}') && { wallet: nameOf(now.wallet, text.thisWalletFirst) }),
    held: held === undefined ? '' : shownAmount(held),
  });
  const { wallet } = now;
  if (kind === 'conflict') return { note, more: [detail], isBad: true, actions: [] };
  const again = { id: 'wallet-retry', label: text.retry, act: () => runTask(() => preparePayment(wallet)) };
  const others = walletChoices().filter((_, index) => found[index] !== wallet);
  return { note, more: [detail], isBad: true, actions: wallet ? [again, ...others] : others };
}

/** @param {import('./wallet-state.browser.js').Ready} ready @param {Record<string, string>} words */
function readyScreen({ account, held, fee, signature }, words) {
  const shown = { ...words, held: shownAmount(held), account: `${account.slice(0, 6)}…${account.slice(-4)}` };
  const coin = now.facts.nativeSymbol || text.networkCoin;
  const pay = {
    id: 'wallet-pay',
    label: filled(text.pay, words),
    act: () => runTask(sendPayment),
    isMain: true,
  };
  const paySigned = {
    id: 'wallet-sign',
    label: filled(text.paySigned, words),
    act: () => runTask(signPayment),
  };
  const feeText =
    fee === undefined
      ? text.noCoin
      : filled(text.fee, {
          fee: `${formatFee(fee, NATIVE_DECIMALS).replace('.', text.decimal)}\u00a0${coin}`,
        });
  return {
    note: filled(text.ready, shown),
    more: [feeText, signature ? text.signedNote : ''],
    actions: [...(fee === undefined ? [] : [pay]), ...(signature ? [paySigned] : [])],
  };
}

/** @param {any} record */
function recordScreen({ state, hash, at, isMined, isTaken }) {
  const { explorer, session } = now.facts;
  // Without a transaction hash, the script cannot ask the network whether it knows the transaction.
  const isUnknown = !hash || hash === now.unknown;
  const isLost = state === 'sent' && !isMined && isUnknown && Date.now() - at > STUCK_AFTER_MS;
  const startAgain = () => {
    writeRecord(session, undefined);
    changed({ problem: undefined, ready: undefined });
  };
  const href = /^https:\/\//.test(explorer) && hash ? `${explorer}/tx/${hash}` : undefined;
  const isUnsure = state === 'asked';
  return {
    note: isUnsure ? text.maybe : state === 'sent' ? text.sent : isTaken ? text.signed : text.handingOver,
    more: [now.problem?.detail ?? '', isLost ? text.stuck : ''],
    link: hash && { label: text.transaction, hash, href },
    isBad: isUnsure,
    actions:
      isUnsure || isLost
        ? [{ id: 'wallet-again', label: isLost ? text.cancelled : text.startAgain, act: startAgain }]
        : [],
  };
}
