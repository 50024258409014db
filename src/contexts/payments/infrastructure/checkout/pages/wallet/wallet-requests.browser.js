// @ts-check
// Asks a wallet (EIP-1193), and tells what its refusals mean.
import { balanceOfData, hexQuantity, paymentOf } from './payment-calls.browser.js';

/** Milliseconds that a wallet has to answer by itself, and a person to answer in the wallet. */
const BY_ITSELF = 15_000;
const BY_PERSON = 90_000;

/** Codes of EIP-1193, EIP-3326 and EIP-1474, and what each means to a payer. @type {Record<string, string>} */
const PROBLEMS = {
  4001: 'rejected',
  4100: 'unauthorized',
  4200: 'unsupported',
  4900: 'disconnected',
  4901: 'disconnected',
  4902: 'unknownNetwork',
  '-32002': 'pending',
};

/** A reason why nothing was paid; `detail` is what the wallet said. */
export class Problem extends Error {
  /** @param {string} kind @param {Record<string, string>} [words] @param {string} [detail] */
  constructor(kind, words = {}, detail = '') {
    super(kind);
    this.kind = kind;
    this.words = words;
    this.detail = detail;
  }
}

/** @param {any} error whatever a wallet has thrown */
export function problemOf(error) {
  if (error instanceof Problem) return error;
  const codes = [error?.data?.originalError?.code, error?.code];
  // With the status of an endpoint, -32002 is not the wallet's own: its network could not be reached.
  const isEndpoint = error?.data?.httpStatus !== undefined;
  const kind = isEndpoint ? undefined : codes.map((code) => PROBLEMS[String(code)]).find((known) => known);
  const detail = String(error?.message ?? error ?? '').slice(0, 200);
  if (!kind && /insufficient funds/i.test(detail)) return new Problem('tooLittleGas', {}, detail);
  return new Problem(kind ?? 'failed', {}, kind ? '' : detail);
}

/**
 * @param {any} provider @param {string} method @param {unknown[]} [params] @param {boolean} [isByPerson] the payer answers it
 * @param {(answer: Promise<any>) => void} [take] is handed the answer, also one that comes too late
 * @returns {Promise<any>} rejected with a `Problem`, `silent` where no answer has come in time
 */
export async function ask(provider, method, params = [], isByPerson = false, take = undefined) {
  /** @type {number | undefined} */
  let timer;
  const late = new Promise((_, reject) => {
    const silent = () => reject(new Problem('silent'));
    timer = window.setTimeout(silent, isByPerson ? BY_PERSON : BY_ITSELF);
  });
  const answer = Promise.resolve().then(() => provider.request({ method, params }));
  take?.(answer);
  try {
    return await Promise.race([answer, late]);
  } catch (error) {
    throw problemOf(error);
  } finally {
    window.clearTimeout(timer);
  }
}

/** Whichever spelling a wallet has for it. @param {any} provider */
const chainOf = async (provider) => Number(await ask(provider, 'eth_chainId'));

/** The payer's account, the first of those that the wallet shows. @param {any} provider @returns {Promise<string>} */
export async function connect(provider) {
  const [account] = (await ask(provider, 'eth_requestAccounts', [], true)) ?? [];
  if (typeof account !== 'string') throw new Problem('unauthorized');
  return account;
}

/** Proven by the wallet's own word afterwards: some answer that they have switched, and have not. @param {any} provider @param {any} facts */
export async function switchChain(provider, facts) {
  const { chainId, chainName, nativeSymbol, rpc, explorer } = facts;
  if ((await chainOf(provider)) === chainId) return;
  const id = hexQuantity(chainId);
  const change = () => ask(provider, 'wallet_switchEthereumChain', [{ chainId: id }], true);
  try {
    await change();
  } catch (error) {
    const { kind } = problemOf(error);
    if (kind === 'unsupported') throw new Problem('wrongNetwork');
    if (kind !== 'unknownNetwork' || !rpc || !nativeSymbol) throw error;
    const network = {
      chainId: id,
      chainName,
      rpcUrls: [rpc],
      nativeCurrency: { name: nativeSymbol, symbol: nativeSymbol, decimals: 18 },
      ...(explorer && { blockExplorerUrls: [explorer] }),
    };
    await ask(provider, 'wallet_addEthereumChain', [network], true);
    if ((await chainOf(provider)) !== chainId) await change();
  }
  if ((await chainOf(provider)) !== chainId) throw new Problem('wrongNetwork');
}

/** @param {any} provider @param {any} facts @param {string} account what it holds of the asset, in smallest units */
export async function heldBy(provider, { token }, account) {
  if (!token) return BigInt(await ask(provider, 'eth_getBalance', [account, 'latest']));
  const call = { to: token, data: balanceOfData(account) };
  const held = await ask(provider, 'eth_call', [call, 'latest']);
  return BigInt(held === '0x' ? 0 : held);
}

/**
 * About what the network takes for the transfer, in smallest units of its coin.
 * @param {any} provider @param {any} facts @param {string} account
 * @throws {Problem} where the account holds too little coin for it, or the transfer would fail
 */
export async function feeOf(provider, facts, account) {
  const coin = BigInt(await ask(provider, 'eth_getBalance', [account, 'latest']));
  let gas;
  try {
    gas = BigInt(await ask(provider, 'eth_estimateGas', [paymentOf(facts, account)]));
  } catch (error) {
    const { kind, detail } = problemOf(error);
    throw kind === 'failed' ? new Problem('wouldFail', {}, detail) : error;
  }
  const fee = gas * BigInt(await ask(provider, 'eth_gasPrice'));
  const value = facts.token ? 0n : facts.units;
  if (coin < fee + value) throw new Problem('tooLittleGas');
  return fee;
}
