import { createHash } from 'node:crypto';
import type { ChainPayout, ChainTransfer, FetchedBlock } from '#contexts/networks/contract/chain-reader.js';
import type { PaymentRequestView } from '#contexts/payments/application/requests/payment-request-view.js';

/** A payout from the deposit address of a request. One tenth of the amount is the fee. */
export const sentPayout = (
  { address }: PaymentRequestView,
  token: string,
  amount: bigint,
  given: Partial<SentMovement> = {},
): SentMovement => ({ to: address, token, amount, kind: 'payout', fee: amount / 10n, ...given });

export interface SentMovement {
  readonly to: string;
  readonly amount: bigint;
  readonly token: string;
  /** Movements with the same name are in one transaction. Absent: the movement is in its own transaction. */
  readonly transaction?: string;
  /**
   * Default: `log`. `call`: the value of a transaction. `internal`: native value inside a contract call. `payout`:
   * a payout from address `to`.
   */
  readonly kind?: 'log' | 'call' | 'internal' | 'payout';
  readonly fee?: bigint;
  readonly from?: string;
  /** True if the transaction failed. It still contains the value it would have moved. */
  readonly reverted?: boolean;
}

export const PAYING_CONTRACT = `0x${'fa'.repeat(20)}`;

export interface ModelBlock extends FetchedBlock {
  readonly failed: ReadonlySet<string>;
  /** Balances after this block: native balances by address, token balances by token and address. */
  readonly balances: ReadonlyMap<string, bigint>;
}

/**
 * Builds a block with these movements on top of `parent`.
 * @param parent absent: builds the first block
 * @param fresh returns a new hash for a name
 */
export function buildBlockOn(
  parent: ModelBlock | undefined,
  time: Date,
  sent: readonly SentMovement[],
  fresh: (what: string) => string,
): ModelBlock {
  const number = parent === undefined ? 0 : parent.header.number + 1;
  const parentHash = parent?.header.hash ?? `0x${'0'.repeat(64)}`;
  const header = { number, hash: fresh('block'), parentHash, time };
  const transfers: ChainTransfer[] = [];
  const payouts: ChainPayout[] = [];
  const failed = new Set<string>();
  const balances = new Map(parent?.balances);
  for (const [index, each] of sent.entries()) {
    const { to, amount, token, transaction, kind = 'log', reverted, fee = 0n, from = PAYING_CONTRACT } = each;
    const address = to.toLowerCase();
    const transactionHash = transaction === undefined ? fresh('transaction') : hashOf(transaction);
    if (reverted) failed.add(transactionHash);
    const paid = { from, address, token, toSettlement: amount - fee, toFee: fee };
    if (kind === 'payout') payouts.push({ transactionHash, logIndex: index, ...paid });
    else if (kind !== 'internal')
      transfers.push({
        kind,
        transactionHash,
        index,
        token,
        from: `0x${'f'.repeat(40)}`,
        to: address,
        amount,
      });
    const held = token.startsWith('0x') ? `${token} ${address}` : address;
    const change = reverted ? 0n : kind === 'payout' ? -amount : amount;
    balances.set(held, (balances.get(held) ?? 0n) + change);
  }
  return { header, transfers, payouts, failed, balances };
}

export function hashOf(text: string): string {
  return `0x${createHash('sha256').update(text).digest('hex')}`;
}
