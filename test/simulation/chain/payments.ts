import { type Hex, encodeFunctionData } from 'viem';
import { NATIVE_COIN, encodePayerCall } from '#sandbox/chain/payer-contract.js';
import { TOKEN_ABI } from '#sandbox/chain/test-tokens.js';
import type { Payment } from '../acts/world.js';
import type { FurnishedChain } from './furnished-chain.js';
import { signTransaction } from './signed-transaction.js';

/** Enough for a transfer into an account of contract code. */
const COIN_GAS = 100_000n;
const TOKEN_GAS = 150_000n;
const CONTRACT_GAS = 400_000n;

/** Payers offer so many times the base fee. */
const OFFERED = 4n;

/**
 * A payer signs a payment and sends it to the nodes.
 * @returns the transaction's hash
 * @throws PoolRefusal where they do not take it
 */
export function pay({ chain, payers, payerContract }: FurnishedChain, payment: Payment): string {
  const payer = payers[(payment.payer ?? 0) % payers.length]!;
  const nonce = chain.pool.nextNonce(chain.head.state, payer.address);
  const maxTip = chain.suggestedTip;
  const maxFee = chain.baseFeeUpon(chain.head) * OFFERED + maxTip;
  const call = callOf(payment, payerContract);
  const { chainId } = chain;
  return chain.take(signTransaction({ chainId, nonce, maxFee, maxTip, ...call }, payer)).hash;
}

function callOf({ to, token, amount, way = 'plain' }: Payment, payerContract: string) {
  const recipient = to as Hex;
  if (way === 'plain' && token === null)
    return { to, value: amount, data: '0x' as const, gasLimit: COIN_GAS };
  if (way === 'plain') {
    const data = encodeFunctionData({ abi: TOKEN_ABI, functionName: 'transfer', args: [recipient, amount] });
    return { to: token, value: 0n, data, gasLimit: TOKEN_GAS };
  }
  const parts = way === 'inner' ? [amount] : [amount / 2n, amount - amount / 2n];
  const payments = parts.map((part) => ({
    token: (token ?? NATIVE_COIN) as Hex,
    to: recipient,
    amount: part,
  }));
  const data = encodePayerCall(token === null ? 'pay' : 'pullAndPay', payments);
  return { to: payerContract, value: token === null ? amount : 0n, data, gasLimit: CONTRACT_GAS };
}
