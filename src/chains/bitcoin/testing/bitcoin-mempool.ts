import {
  type Outpoint,
  type TransactionOutput,
  REPLACEABLE_SEQUENCE,
} from '../encoding/assemble-transaction.js';
import type { NodeTransaction } from './bitcoin-blocks.js';

export interface MempoolEntry {
  readonly transaction: NodeTransaction;
  readonly fee: bigint;
  /** Time when the transaction was accepted, in milliseconds of the node's clock. */
  readonly since: number;
}

export class Refused extends Error {}

export function outpointKey({ txid, vout }: Outpoint): string {
  return `${txid}:${vout}`;
}

/** A simulated mempool. Replaces transactions by rules 1 and 3 of BIP-125. Does not check signatures. */
export class BitcoinMempool {
  readonly entries = new Map<string, MempoolEntry>();
  private readonly spenders = new Map<string, string>();

  constructor(private readonly coins: ReadonlyMap<string, TransactionOutput>) {}

  spenderOf(outpoint: Outpoint): string | undefined {
    return this.spenders.get(outpointKey(outpoint));
  }

  accept(transaction: NodeTransaction, now: number): void {
    if (this.entries.has(transaction.txid)) throw new Refused('txn-already-in-mempool');
    const fee = this.feeOf(transaction);
    const replaced = transaction.inputs.flatMap((input) => this.spenderOf(input) ?? []);
    const leaving = new Set(replaced.flatMap((txid) => [...this.withDescendants(txid)]));
    if (replaced.some((txid) => !this.signals(txid))) throw new Refused('txn-mempool-conflict');
    const paid = [...leaving].reduce((sum, txid) => sum + this.entries.get(txid)!.fee, 0n);
    if (leaving.size > 0 && fee < paid) throw new Refused('insufficient fee, rejecting replacement');
    leaving.forEach((txid) => this.drop(txid));
    this.entries.set(transaction.txid, { transaction, fee, since: now });
    for (const input of transaction.inputs) this.spenders.set(outpointKey(input), transaction.txid);
  }

  evict(txid: string): void {
    for (const each of this.withDescendants(txid)) this.drop(each);
  }

  mined(transactions: readonly NodeTransaction[]): void {
    for (const { txid, inputs } of transactions) {
      this.drop(txid);
      for (const input of inputs) {
        const other = this.spenderOf(input);
        if (other !== undefined) this.evict(other);
      }
    }
  }

  private feeOf({ inputs, outputs }: NodeTransaction): bigint {
    const brought = inputs.map((input) => {
      const waiting = this.entries.get(input.txid)?.transaction.outputs[input.vout];
      const coin = waiting ?? this.coins.get(outpointKey(input));
      if (coin === undefined) throw new Refused('bad-txns-inputs-missingorspent');
      return coin.amount;
    });
    const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n);
    const fee = sum(brought) - sum(outputs.map(({ amount }) => amount));
    if (fee < 0n) throw new Refused('bad-txns-in-belowout');
    return fee;
  }

  ancestorsOf(entry: MempoolEntry): MempoolEntry[] {
    const found = new Set([entry]);
    for (const each of found)
      for (const { txid } of each.transaction.inputs) {
        const parent = this.entries.get(txid);
        if (parent !== undefined) found.add(parent);
      }
    return [...found];
  }

  private signals(txid: string): boolean {
    const { inputs } = this.entries.get(txid)!.transaction;
    return inputs.some(({ sequence = REPLACEABLE_SEQUENCE }) => sequence <= REPLACEABLE_SEQUENCE);
  }

  private withDescendants(txid: string): Set<string> {
    const found = new Set(this.entries.has(txid) ? [txid] : []);
    for (const each of found) {
      this.entries.get(each)!.transaction.outputs.forEach((_, vout) => {
        const spender = this.spenderOf({ txid: each, vout });
        if (spender !== undefined) found.add(spender);
      });
    }
    return found;
  }

  private drop(txid: string): void {
    const entry = this.entries.get(txid);
    if (entry === undefined) return;
    this.entries.delete(txid);
    for (const input of entry.transaction.inputs) this.spenders.delete(outpointKey(input));
  }
}
