// @ts-check
// Calls a wallet (EIP-1193) and translates its errors.
import { balanceOfData, hexQuantity, paymentOf } from './payment-calls.browser.js';

/** Milliseconds to wait for an automatic response, and for a person's confirmation in the wallet. */
const AUTOMATIC_TIMEOUT_MS = 15_000;
const CONFIRMATION_TIMEOUT_MS = 90_000;

/** Meaning of wallet error codes (EIP-1193, EIP-3326 and EIP-1474) for the payer. @type {Record<string, string>} */
const PROBLEM_BY_ERROR_CODE = {
  4001: 'rejected',
  4100: 'unauthorized',
  4200: 'unsupported',
  4900: 'disconnected',
  4901: 'disconnected',
  4902: 'unknownNetwork',
  '-32002': 'pending',
};

/** Reason why nothing was paid. `detail` is the wallet's own message. */
export class Problem extends Error {
  /** @param {string} kind @param {Record<string, string>} [words] @param {string} [detail] */
  constructor(kind, words = {}, detail = '') {
    super(kind);
    this.kind = kind;
    this.words = words;
    this.detail = detail;
  }
}

/** @param {any} error any value that a wallet threw */
export function problemOf(error) {
  if (error instanceof Problem) return error;
  const codes = [error?.data?.originalError?.code, error?.code];
  // An HTTP status shows that -32002 comes from the wallet's RPC endpoint, so the network could not be reached.
  const isEndpoint = error?.data?.httpStatus !== undefined;
  const kind = isEndpoint
    ? undefined
    : codes.map((code) => PROBLEM_BY_ERROR_CODE[String(code)]).find((known) => known);
  const detail = String(error?.message ?? error ?? '').slice(0, 200);
  if (!kind && /insufficient funds/i.test(detail)) return new Problem('tooLittleGas', {}, detail);
  return new Problem(kind ?? 'failed', {}, kind ? '' : detail);
}

/**
 * @param {any} provider
 * @param {string} method
 * @param {unknown[]} [params]
 * @param {boolean} [isByPerson] true if the payer must confirm in the wallet
 * @param {(answer: Promise<any>) => void} [take] receives the response, even after the timeout
 * @returns {Promise<any>} rejects with a `Problem`; `silent` after the timeout
 */
export async function callWallet(provider, method, params = [], isByPerson = false, take = undefined) {
  /** @type {number | undefined} */
  let timer;
  const late = new Promise((_, reject) => {
    const silent = () => reject(new Problem('silent'));
    timer = window.setTimeout(silent, isByPerson ? CONFIRMATION_TIMEOUT_MS : AUTOMATIC_TIMEOUT_MS);
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

/** Returns the wallet's chain id. Wallets spell it in hexadecimal or in decimal. */
const readChainId = async (provider) => Number(await callWallet(provider, 'eth_chainId'));

export async function connect(provider) {
  const [account] = (await callWallet(provider, 'eth_requestAccounts', [], true)) ?? [];
  if (typeof account !== 'string') throw new Problem('unauthorized');
  return account;
}

/** Verifies the chain id after the switch, because some wallets report success without switching. */
export async function switchChain(provider, facts) {
  const { chainId, chainName, nativeSymbol, rpc, explorer } = facts;
  if ((await readChainId(provider)) === chainId) return;
  const id = hexQuantity(chainId);
  const change = () => callWallet(provider, 'wallet_switchEthereumChain', [{ chainId: id }], true);
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
    await callWallet(provider, 'wallet_addEthereumChain', [network], true);
    if ((await readChainId(provider)) !== chainId) await change();
  }
  if ((await readChainId(provider)) !== chainId) throw new Problem('wrongNetwork');
}

/**
 * Balance of the asset, in smallest units.
 * @param {any} provider
 * @param {any} facts
 * @param {string} account
 */
export async function readBalance(provider, { token }, account) {
  if (!token) return BigInt(await callWallet(provider, 'eth_getBalance', [account, 'latest']));
  const call = { to: token, data: balanceOfData(account) };
  const held = await callWallet(provider, 'eth_call', [call, 'latest']);
  return BigInt(held === '0x' ? 0 : held);
}

/**
 * Estimated network fee, in smallest units of the coin.
 * @param {any} provider
 * @param {any} facts
 * @param {string} account
 * @throws {Problem} if the account has too little coin for the fee, or the transfer would fail
 */
export async function estimateFee(provider, facts, account) {
  const coin = BigInt(await callWallet(provider, 'eth_getBalance', [account, 'latest']));
  let gas;
  try {
    gas = BigInt(await callWallet(provider, 'eth_estimateGas', [paymentOf(facts, account)]));
  } catch (error) {
    const { kind, detail } = problemOf(error);
    throw kind === 'failed' ? new Problem('wouldFail', {}, detail) : error;
  }
  const fee = gas * BigInt(await callWallet(provider, 'eth_gasPrice'));
  const value = facts.token ? 0n : facts.units;
  if (coin < fee + value) throw new Problem('tooLittleGas');
  return fee;
}
