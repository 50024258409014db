import type { OutputBlock, OutputTransaction } from '#contexts/networks/testing/output-chain.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

export interface ModelRequest {
  readonly id: string;
  readonly address: string;
  readonly asked: bigint;
  readonly expiresAt: number;
  status: 'created' | 'processing' | 'completed' | 'overpaid' | 'underpaid' | 'expired';
  received: bigint;
}

interface Sight {
  readonly seenAt: number;
  readonly lapsesAt: number;
}

/** A transaction as far as it pays one request. */
interface Part {
  readonly key: string;
  readonly request: ModelRequest;
  readonly transaction: OutputTransaction;
  readonly amounts: readonly bigint[];
  readonly block?: OutputBlock;
}

export interface Observed {
  readonly now: number;
  readonly blocks: readonly OutputBlock[];
  readonly pool: readonly OutputTransaction[];
  readonly isWhole: boolean;
  readonly saysAge: boolean;
}

/**
 * Works out what each request has received and how it ends, from the chain and its mempool each time that they were looked at.
 * Shares no code with the service: it keeps first sights and what waits, and works all else out anew.
 */
export class PendingModel {
  readonly requests: ModelRequest[] = [];
  private readonly sights = new Map<string, Sight>();
  /** Parts that wait for a block, as the service knows them. */
  private readonly waiting = new Map<string, Part>();
  private read: readonly OutputBlock[] = [];
  private knownTo: number;

  constructor(
    private readonly confirmations: number,
    private readonly graceMs: number,
    begun: Observed,
  ) {
    this.read = [...begun.blocks];
    this.knownTo = begun.now;
  }

  ask(request: Omit<ModelRequest, 'status' | 'received'>): void {
    this.requests.push({ ...request, status: 'created', received: 0n });
  }

  observe(seen: Observed): void {
    this.reorganize(seen);
    const before = new Map(this.waiting);
    const firstNew = this.read.length;
    this.read = [...seen.blocks];
    for (const block of seen.blocks.slice(firstNew)) this.mine(block, seen.now, before);
    const headTime = timeOf(seen.blocks.at(-1)!);
    for (const [key] of this.waiting) if (this.sights.get(key)!.lapsesAt < headTime) this.waiting.delete(key);
    for (const transaction of seen.pool)
      for (const part of this.partsOf(transaction)) this.look(part, seen, headTime);
    if (seen.isWhole) {
      this.dropReplaced(seen);
      this.knownTo = seen.now;
    }
    for (const request of this.requests) this.judge(request);
  }

  private reorganize({ blocks }: Observed): void {
    const kept = this.read.findIndex((block, i) => blocks[i]?.header.hash !== block.header.hash);
    if (kept < 0) return;
    const gone = this.read.slice(kept);
    this.read = this.read.slice(0, kept);
    for (const part of gone.flatMap(({ transactions }) => transactions.flatMap((each) => this.partsOf(each))))
      if (this.sights.get(part.key)!.lapsesAt >= timeOf(this.read.at(-1)!)) this.waiting.set(part.key, part);
  }

  private mine(block: OutputBlock, now: number, before: ReadonlyMap<string, Part>): void {
    for (const part of block.transactions.flatMap((each) => this.partsOf(each, block))) {
      const replaced = conflicting(part, before);
      const stamp = block.stamp.getTime();
      this.sight(part, replaced, Math.min(stamp, now));
      for (const { key } of [part, ...replaced]) this.waiting.delete(key);
    }
  }

  private look(part: Part, { now, saysAge, blocks }: Observed, headTime: number): void {
    const isMined = blocks.some(({ transactions }) => transactions.includes(part.transaction));
    if (isMined || this.waiting.has(part.key)) return;
    const replaced = conflicting(part, this.waiting);
    const claimed = saysAge ? part.transaction.sentAt : now;
    const graceMs = part.transaction.isCheap === true ? Math.min(this.graceMs, HOUR) : this.graceMs;
    this.sight(part, replaced, Math.min(now, Math.max(this.knownTo, claimed)), graceMs);
    if (this.sights.get(part.key)!.lapsesAt < headTime) return;
    for (const { key } of replaced) this.waiting.delete(key);
    this.waiting.set(part.key, part);
  }

  /**
   * The first sight stays. Who raises a fee has paid when he first did; who pays more has not.
   * @param graceMs by its fee when a mempool shows it; absent for one that a block shows
   */
  private sight(
    { key, request, amounts }: Part,
    replaced: readonly Part[],
    seenAt: number,
    graceMs?: number,
  ): void {
    if (this.sights.has(key)) return;
    const lapse = (since: number, grace: number) => Math.max(since, request.expiresAt) + grace;
    const own = { seenAt, lapsesAt: lapse(seenAt, graceMs ?? this.graceMs) };
    const isNoMore = replaced.length > 0 && sum(amounts) <= sum(replaced.flatMap((each) => each.amounts));
    const latest = replaced.map((each) => this.sights.get(each.key)!).sort((a, b) => b.seenAt - a.seenAt)[0];
    if (!isNoMore) return void this.sights.set(key, own);
    const lapses = [latest!.lapsesAt, ...(graceMs === undefined ? [] : [lapse(latest!.seenAt, graceMs)])];
    this.sights.set(key, { seenAt: latest!.seenAt, lapsesAt: Math.max(...lapses) });
  }

  private dropReplaced({ pool, blocks }: Observed): void {
    const all = [...pool, ...blocks.flatMap(({ transactions }) => transactions)];
    for (const [key, { transaction }] of this.waiting) {
      const isHeld = pool.includes(transaction);
      if (!isHeld && all.some((other) => other !== transaction && doConflict(other, transaction)))
        this.waiting.delete(key);
    }
  }

  private judge(request: ModelRequest): void {
    if (request.status !== 'created' && request.status !== 'processing') return;
    const head = this.read.at(-1)!;
    const finalNumber = head.header.number - this.confirmations + 1;
    const mined = this.read.flatMap((block) =>
      block.transactions
        .flatMap((each) => this.partsOf(each, block))
        .filter((part) => part.request === request),
    );
    const counted = [
      ...mined,
      ...[...this.waiting.values()].filter((part) => part.request === request),
    ].filter((part) => this.arrivedAt(part) <= request.expiresAt);
    const outputs = counted.flatMap((part) =>
      part.amounts.map((amount) => ({ amount, block: part.block?.header.number ?? Infinity })),
    );
    if (outputs.length > 0) request.status = 'processing';
    request.received = sum(outputs.map(({ amount }) => amount));
    const isFinal = ({ amount, block }: { amount: bigint; block: number }) =>
      block + Math.max(0, depthOf(amount > request.asked ? amount : request.asked) - this.confirmations) <=
      finalNumber;
    const firstOpen = Math.min(...outputs.filter((output) => !isFinal(output)).map(({ block }) => block));
    for (const block of [...new Set(outputs.map((output) => output.block))].sort((a, b) => a - b)) {
      if (block >= firstOpen) break;
      const paid = sum(outputs.filter((output) => output.block <= block).map(({ amount }) => amount));
      if (paid < request.asked) continue;
      request.status = paid === request.asked ? 'completed' : 'overpaid';
      request.received = paid;
      return;
    }
    const knownTo = Math.max(this.knownTo, timeOf(head) - DAY);
    const readTo = request.status === 'created' ? head : this.read[finalNumber]!;
    if (Math.min(timeOf(readTo), knownTo) <= request.expiresAt || firstOpen !== Infinity) return;
    if (outputs.some(({ block }) => block === Infinity)) return;
    request.status = outputs.length > 0 ? 'underpaid' : 'expired';
  }

  private arrivedAt({ key, block }: Part): number {
    const { seenAt, lapsesAt } = this.sights.get(key)!;
    const stamp = block?.stamp.getTime();
    if (stamp === undefined) return seenAt;
    return stamp > lapsesAt ? stamp : Math.min(seenAt, stamp);
  }

  private partsOf(transaction: OutputTransaction, block?: OutputBlock): Part[] {
    return this.requests.flatMap((request) => {
      const amounts = transaction.outputs.flatMap(({ to, amount }) => (to === request.address ? amount : []));
      const key = `${transaction.id} ${request.id}`;
      return amounts.length === 0 ? [] : { key, request, transaction, amounts, ...(block && { block }) };
    });
  }
}

function conflicting(part: Part, waiting: ReadonlyMap<string, Part>): Part[] {
  return [...waiting.values()].filter(
    ({ request, transaction }) =>
      request === part.request &&
      transaction !== part.transaction &&
      doConflict(transaction, part.transaction),
  );
}

function doConflict(one: OutputTransaction, other: OutputTransaction): boolean {
  return one.spends.some((spent) => other.spends.includes(spent));
}

function depthOf(amount: bigint): number {
  if (amount <= 1_000n) return 1;
  return amount <= 10_000n ? 3 : 6;
}

function timeOf({ header }: OutputBlock): number {
  return header.time.getTime();
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((all, amount) => all + amount, 0n);
}
