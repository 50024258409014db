import type { ChainState } from './chain-state.js';
import { intrinsicGas } from './machine.js';
import { type SignedTransaction, priceIn } from './signed-transaction.js';

export interface PoolLimits {
  /** The pool holds so many at most: one that pays more takes the place of the one that pays least. */
  readonly capacity: number;
  readonly isClosed: boolean;
  readonly leastTip: bigint;
  readonly mostGas: bigint;
}

interface Waiting {
  readonly signed: SignedTransaction;
  readonly came: number;
}

export class PoolRefusal extends Error {}

export class Pool {
  limits: PoolLimits = { capacity: 5_000, isClosed: false, leastTip: 0n, mostGas: 30_000_000n };
  private readonly senders = new Map<string, Map<number, Waiting>>();
  private readonly hashes = new Map<string, SignedTransaction>();
  private came = 0;

  get size(): number {
    return this.hashes.size;
  }

  find(hash: string): SignedTransaction | undefined {
    return this.hashes.get(hash);
  }

  /** The count of an account with what waits for it without a gap. */
  nextNonce(state: ChainState, sender: string): number {
    const waiting = this.senders.get(sender);
    let next = Number(state.account(sender).nonce);
    while (waiting?.has(next)) next += 1;
    return next;
  }

  /** @throws PoolRefusal */
  add(signed: SignedTransaction, state: ChainState): void {
    if (this.hashes.has(signed.hash)) throw new PoolRefusal('already known');
    this.requireGood(signed, state);
    const replaced = this.senders.get(signed.from)?.get(signed.nonce)?.signed;
    if (replaced !== undefined && !outbids(signed, replaced))
      throw new PoolRefusal('replacement transaction underpriced');
    if (replaced === undefined) this.makeRoom(signed);
    else this.remove(replaced);
    this.put(signed);
  }

  takeBack(signed: SignedTransaction): void {
    if (this.hashes.has(signed.hash) || this.senders.get(signed.from)?.has(signed.nonce)) return;
    this.put(signed);
  }

  remove({ hash, from, nonce }: SignedTransaction): void {
    if (!this.hashes.delete(hash)) return;
    const waiting = this.senders.get(from)!;
    waiting.delete(nonce);
    if (waiting.size === 0) this.senders.delete(from);
  }

  forgetUsed(state: ChainState, senders: Iterable<string>): void {
    for (const sender of senders) {
      for (const { signed } of [...(this.senders.get(sender)?.values() ?? [])]) {
        if (BigInt(signed.nonce) < state.account(sender).nonce) this.remove(signed);
      }
    }
  }

  all(): SignedTransaction[] {
    const waiting = [...this.senders.values()].flatMap((each) => [...each.values()]);
    return waiting.sort((a, b) => a.came - b.came).map(({ signed }) => signed);
  }

  /** The one that the next place in a block goes to: the highest tip of those whose turn it is, then who came first. */
  best(
    state: ChainState,
    baseFee: bigint,
    mayBe: (signed: SignedTransaction) => boolean,
  ): SignedTransaction | null {
    let best: Waiting | null = null;
    for (const [sender, byNonce] of this.senders) {
      const { nonce, balance } = state.account(sender);
      const next = byNonce.get(Number(nonce));
      if (next === undefined || next.signed.maxFee < baseFee || !mayBe(next.signed)) continue;
      if (balance < costOf(next.signed)) continue;
      if (best === null || goesBefore(next, best, baseFee)) best = next;
    }
    return best?.signed ?? null;
  }

  private requireGood(signed: SignedTransaction, state: ChainState): void {
    const { from, nonce, gasLimit, maxFee, maxTip } = signed;
    const { leastTip, mostGas } = this.limits;
    const account = state.account(from);
    const least = intrinsicGas(signed);
    if (gasLimit > mostGas) throw new PoolRefusal('exceeds block gas limit');
    if (maxTip > maxFee)
      throw new PoolRefusal(`max priority fee per gas higher than max fee per gas: ${maxTip} > ${maxFee}`);
    if (gasLimit < least)
      throw new PoolRefusal(`intrinsic gas too low: gas ${gasLimit}, minimum needed ${least}`);
    if (BigInt(nonce) < account.nonce)
      throw new PoolRefusal(`nonce too low: next nonce ${account.nonce}, tx nonce ${nonce}`);
    if (maxTip < leastTip)
      throw new PoolRefusal(`transaction underpriced: gas tip cap ${maxTip}, minimum needed ${leastTip}`);
    const cost = costOf(signed);
    if (account.balance < cost)
      throw new PoolRefusal(
        `insufficient funds for gas * price + value: balance ${account.balance}, tx cost ${cost}, overshot ${cost - account.balance}`,
      );
    if (this.limits.isClosed) throw new PoolRefusal('txpool is full');
  }

  private makeRoom(signed: SignedTransaction): void {
    if (this.size < this.limits.capacity) return;
    const [cheapest] = this.all().sort((a, b) => (a.maxTip < b.maxTip ? -1 : a.maxTip > b.maxTip ? 1 : 0));
    if (cheapest === undefined || cheapest.maxTip >= signed.maxTip)
      throw new PoolRefusal('transaction underpriced');
    this.remove(cheapest);
  }

  private put(signed: SignedTransaction): void {
    const waiting = this.senders.get(signed.from) ?? new Map<number, Waiting>();
    this.senders.set(signed.from, waiting);
    waiting.set(signed.nonce, { signed, came: (this.came += 1) });
    this.hashes.set(signed.hash, signed);
  }
}

function costOf({ gasLimit, maxFee, value }: SignedTransaction): bigint {
  return gasLimit * maxFee + value;
}

function outbids(signed: SignedTransaction, replaced: SignedTransaction): boolean {
  const isMore = (one: bigint, other: bigint) => one > other && one * 10n >= other * 11n;
  return isMore(signed.maxFee, replaced.maxFee) && isMore(signed.maxTip, replaced.maxTip);
}

function goesBefore(one: Waiting, other: Waiting, baseFee: bigint): boolean {
  const [price, otherPrice] = [priceIn(baseFee, one.signed), priceIn(baseFee, other.signed)];
  return price === otherPrice ? one.came < other.came : price > otherPrice;
}
