// @ts-check
// Steps of a payment: connect, check balances, ask the service again, then send or sign once.
import { hexBytes, isHash, paymentOf, typedTransfer } from './payment-calls.browser.js';
import { beginRecord, readRecord, writeRecord } from './payment-record.browser.js';
import { fetchJson, requireStillRequested } from './session-facts.browser.js';
import {
  callWallet,
  connect,
  estimateFee,
  readBalance,
  Problem,
  problemOf,
  switchChain,
} from './wallet-requests.browser.js';
import { changed, now } from './wallet-state.browser.js';

/** Errors after which a wallet has certainly sent nothing. After any other error, it may have sent the payment. */
const NOTHING_SENT = ['rejected', 'unauthorized', 'unsupported', 'unknownNetwork', 'tooLittleGas'];

/** Seconds after the deadline until which a signature is valid, so that the service can still send it in time. */
const SIGNATURE_GRACE_SECONDS = 60;

/** Runs one task at a time. Ignores presses while a task is running. */
export async function runTask(task) {
  if (now.work) return;
  now.problem = undefined;
  try {
    await task();
  } catch (error) {
    now.problem = problemOf(error);
  }
  changed({ work: undefined });
}

/** Connects to the wallet, switches its network and checks the balances. Requests no payment yet. */
export async function preparePayment(wallet) {
  const { facts } = now;
  const { provider } = wallet;
  changed({ wallet, ready: undefined, work: 'connecting' });
  const account = await connect(provider);
  changed({ work: 'switching' });
  await switchChain(provider, facts);
  changed({ work: 'checking' });
  const signature = (await requireStillRequested(facts)).selected.signature_payment;
  const held = await readBalance(provider, facts, account);
  if (held < facts.units) throw new Problem('tooLittle', { held });
  const ready = { account, held, signature, facts };
  try {
    now.ready = { ...ready, fee: await estimateFee(provider, facts, account) };
  } catch (error) {
    // A payment by signature needs no coin for the network fee.
    if (!signature || problemOf(error).kind !== 'tooLittleGas') throw error;
    now.ready = ready;
  }
}

/**
 * Checks again that the displayed payment is unchanged, and stores the session's only record.
 * @returns {Promise<any>} undefined if another press or tab was first
 */
async function beginPayment() {
  changed({ work: 'checking' });
  const { account, facts } = /** @type {any} */ (now.ready);
  const { provider, info } = /** @type {any} */ (now.wallet);
  const [first] = (await callWallet(provider, 'eth_accounts')) ?? [];
  if (String(first).toLowerCase() !== account.toLowerCase()) throw new Problem('accountChanged');
  if (Number(await callWallet(provider, 'eth_chainId')) !== facts.chainId) throw new Problem('wrongNetwork');
  const session = await requireStillRequested(facts);
  const record = { state: 'asked', at: Date.now(), units: String(facts.units), wallet: info?.rdns };
  return (await beginRecord(facts.session, record))
    ? { account, facts, provider, session, record }
    : undefined;
}

export async function sendPayment() {
  const begun = await beginPayment();
  if (!begun) return;
  const { provider, facts, account, record } = begun;
  const take = (/** @type {Promise<any>} */ answer) =>
    answer.then(
      (hash) =>
        saveRecord(facts.session, {
          ...record,
          at: Date.now(),
          state: 'sent',
          ...(isHash(hash) && { hash }),
        }),
      (error) => forgetUnsent(facts.session, record, problemOf(error)),
    );
  changed({ work: 'confirming' });
  await callWallet(provider, 'eth_sendTransaction', [paymentOf(facts, account)], true, take).catch(
    () => undefined,
  );
}

/** Lets the wallet sign an authorization (EIP-3009), which the service executes. */
export async function signPayment() {
  const begun = await beginPayment();
  if (!begun) return;
  const { provider, facts, account, record, session } = begun;
  try {
    const authorization = authorizationOf(facts, account, session);
    const { domain, to } = session.selected.signature_payment;
    changed({ work: 'signing' });
    const message = JSON.stringify(typedTransfer(domain, authorization, to));
    const signature = await callWallet(provider, 'eth_signTypedData_v4', [account, message], true);
    saveRecord(facts.session, { ...record, state: 'signed', body: { authorization, signature } });
  } catch (error) {
    // A signature that was not posted pays nothing, so the payer can sign again.
    writeRecord(facts.session, undefined);
    throw error;
  }
  await postSignedPayment(facts.session);
}

/** @param {any} facts @param {string} from @param {any} session */
function authorizationOf(facts, from, session) {
  const { domain, to, value } = session.selected.signature_payment ?? {};
  const isSame =
    domain?.chain_id === facts.chainId &&
    domain.verifying_contract.toLowerCase() === facts.token.toLowerCase() &&
    to.toLowerCase() === facts.to.toLowerCase() &&
    BigInt(value) === facts.units;
  if (!isSame) throw new Problem('notSponsored');
  const until = Math.floor(Date.parse(session.expires_at) / 1000) + SIGNATURE_GRACE_SECONDS;
  const nonce = hexBytes(window.crypto.getRandomValues(new Uint8Array(32)));
  return { from, value, valid_after: '0', valid_before: String(until), nonce };
}

/** Posts the signed payment. Repeating it is safe: the service treats the same body as the same payment. */
export async function postSignedPayment(session) {
  const record = readRecord(session);
  if (record?.state !== 'signed' || record.isMined) return;
  const body = JSON.stringify(record.body);
  const options = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
  const answer = await fetchJson(`/public/checkout/${session}/authorization`, options);
  if (answer.status === 0 || answer.status === 429 || answer.status >= 500) return;
  if (answer.status < 400) {
    const { status, transaction_hash: hash } = answer.body?.data ?? {};
    saveRecord(session, {
      ...record,
      isTaken: true,
      isMined: status === 'seen',
      ...(isHash(hash) && { hash }),
    });
    return;
  }
  const refusal = answer.body ?? {};
  // The service executes a payment that it has accepted, even if the session has changed.
  if (refusal.code === 'state_conflict' && record.isTaken) return;
  writeRecord(session, undefined);
  changed({ ready: undefined, problem: problemOfRefusal(refusal, record) });
}

/** @param {any} refusal error of the service @param {any} record */
function problemOfRefusal({ code, message = '' }, { hash }) {
  if (code === 'not_sponsored') return new Problem('notSponsored');
  if (code === 'state_conflict') return new Problem('conflict', {}, String(message));
  return hash ? new Problem('reverted', {}, String(message)) : new Problem('refused', {}, String(message));
}

/** @param {string} session @param {any} record */
export function saveRecord(session, record) {
  writeRecord(session, record);
  changed({ problem: undefined });
}

/**
 * @param {string} session
 * @param {any} record record of the refused request
 * @param {Problem} problem
 */
function forgetUnsent(session, record, problem) {
  const stored = readRecord(session);
  const isOwn = stored?.state === 'asked' && stored.at === record.at;
  if (isOwn && NOTHING_SENT.includes(problem.kind)) writeRecord(session, undefined);
  if (isOwn) changed({ problem });
}
