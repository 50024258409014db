import type { MinedBlock } from './chain-timeline.js';
import type { Effect, Sent } from './chain-payers.js';
import type { Issued } from './chain-world.js';

/** How far the service has read, and what of that it takes for final, as its cursor says. */
export interface Reading {
  readonly headNumber: number;
  readonly headHash: string;
  readonly finalNumber: number;
  /** Transactions that are not final yet though their blocks are: a second endpoint has yet to show the same. */
  readonly awaiting: ReadonlySet<string>;
  /** Ids of requests that ended as expired. */
  readonly expired: ReadonlySet<string>;
  /** The last block read was asked what addresses hold of the native coin. */
  readonly areBalancesKnown: boolean;
  /** Seconds since 1970: the time of the last block of which they are. Null where none was asked for. */
  readonly balancesKnownTo: number | null;
}

const DAY = 86_400;

/** A transfer as the chain has it. */
export interface Standing extends Effect {
  readonly transaction: string;
  readonly block: MinedBlock;
}

export interface Expected {
  readonly status: string;
  readonly received: bigint;
}

interface Fate {
  seen: boolean;
  outcome: Expected | null;
  /** Each key was counted in an outcome or taken for a deposit. */
  readonly counted: Set<string>;
  readonly deposits: Set<string>;
}

/**
 * This says what must become of requests, by the chain and the time in its blocks alone; it is written from the rules, not from
 * the code. It looks each time before blocks are taken back, since what was final then has been decided for good.
 */
export class Expectation {
  /** Keys of what was booked and is gone. */
  readonly reversed = new Set<string>();
  /** Ids of requests that were paid in time and expired because the only one to be asked left the payment out. */
  readonly misled = new Set<string>();
  /** An endpoint has left out what is there, or invented what is not, at some time until now. */
  isLiedTo = false;
  private readonly fates = new Map<string, Fate>();

  constructor(private readonly sent: ReadonlyMap<string, Sent>) {}

  /** @param blocks all canonical ones of the run, and the one before */
  look(requests: readonly Issued[], blocks: readonly MinedBlock[], reading: Reading): void {
    // It has read another fork, which was looked at before it disappeared, and this one not yet.
    if (!blocks.some(({ hash }) => hash === reading.headHash)) return;
    const read = blocks.filter(({ number }) => number <= reading.headNumber);
    const standing = this.standing(read);
    for (const request of requests) {
      const own = standing.filter(({ to }) => to === request.address);
      this.follow(request, own, read, reading);
    }
  }

  of({ id }: Issued): Expected {
    const { outcome } = this.fates.get(id)!;
    return outcome ?? { status: 'undecided', received: 0n };
  }

  /** Keys, as all that follows. */
  counted({ id }: Issued): string[] {
    return [...this.fates.get(id)!.counted];
  }

  deposits({ id }: Issued): string[] {
    return [...this.fates.get(id)!.deposits];
  }

  /** Everything that canonical blocks bring to anybody, in chain order. */
  standing(blocks: readonly MinedBlock[]): Standing[] {
    return blocks.flatMap((block) =>
      block.transactions.flatMap((transaction) =>
        (this.sent.get(transaction)?.effects ?? []).map((effect) => ({ ...effect, transaction, block })),
      ),
    );
  }

  private follow(
    request: Issued,
    own: readonly Standing[],
    read: readonly MinedBlock[],
    reading: Reading,
  ): void {
    const { finalNumber, awaiting, expired } = reading;
    const fate = this.fates.get(request.id) ?? born();
    this.fates.set(request.id, fate);
    this.reverseWhatIsGone(fate, own);
    const asked = own.filter(({ coin, block }) => coin === request.coin && block.time <= request.countsUntil);
    if (fate.outcome === null && asked.length > 0 && this.isLiedTo && expired.has(request.id)) {
      // What no transfer was seen for expires with the first reading; only the second one is another endpoint's.
      this.misled.add(request.id);
      fate.outcome = EXPIRED;
    }
    if (fate.outcome === null) {
      fate.seen ||= isPayment(request, sum(asked));
      const final = read.filter(({ number }) => number <= finalNumber);
      const outcome = decide(request, asked, final, awaiting);
      if (outcome !== null) {
        fate.outcome = outcome;
        for (const each of outcome.by) fate.counted.add(keyOf(each, own));
      } else if (!fate.seen && (read.at(-1)?.time ?? 0) > request.countsUntil) {
        // What was seen of a payment that never was makes it wait for finality too.
        if (!this.isLiedTo || expired.has(request.id)) fate.outcome = EXPIRED;
      }
    }
    if (fate.outcome === null) return;
    for (const each of own) {
      const key = keyOf(each, own);
      const isFinal = each.block.number <= finalNumber && !awaiting.has(each.transaction);
      const isDust = each.amount < each.coin.minimum;
      if (isFinal && !fate.counted.has(key) && (!isDust || isDayOver(each.block, read, reading)))
        fate.deposits.add(key);
    }
  }

  private reverseWhatIsGone(fate: Fate, own: readonly Standing[]): void {
    const there = new Set(own.map((each) => keyOf(each, own)));
    for (const booked of [fate.counted, fate.deposits]) {
      for (const key of [...booked].filter((each) => !there.has(each))) {
        booked.delete(key);
        this.reversed.add(key);
      }
    }
  }
}

/** A day is over when all that came on the UTC day of that block is final, and nothing of it can be missing. */
function isDayOver(
  { time }: MinedBlock,
  read: readonly MinedBlock[],
  { finalNumber, balancesKnownTo }: Reading,
): boolean {
  const final = read.find(({ number }) => number === finalNumber)!.time;
  const known = balancesKnownTo === null ? final : Math.max(balancesKnownTo, read.at(-1)!.time - DAY);
  return Math.min(final, known) >= (Math.floor(time / DAY) + 1) * DAY;
}

const EXPIRED = { status: 'expired', received: 0n, by: [] as Standing[] };

function born(): Fate {
  return { seen: false, outcome: null, counted: new Set(), deposits: new Set() };
}

/** A sum below the minimum of its asset changes nothing. */
function isPayment({ amount, coin }: Issued, received: bigint): boolean {
  return received >= coin.minimum || received >= amount;
}

/** Block after block: the first final one at which the sum reaches the amount ends it, or the deadline does. */
function decide(
  request: Issued,
  asked: readonly Standing[],
  final: readonly MinedBlock[],
  awaiting: ReadonlySet<string>,
) {
  const { amount, countsUntil } = request;
  let received = 0n;
  const by: Standing[] = [];
  for (const block of final) {
    const arrived = asked.filter((each) => each.block.number === block.number);
    if (arrived.some(({ transaction }) => awaiting.has(transaction))) return null;
    by.push(...arrived);
    received += sum(arrived);
    if (received < amount || arrived.length === 0) continue;
    return { status: received === amount ? 'completed' : 'overpaid', received, by };
  }
  if ((final.at(-1)?.time ?? 0) <= countsUntil) return null;
  return isPayment(request, received) ? { status: 'underpaid', received, by } : EXPIRED;
}

/** A transaction of a block may pay the same twice. @param own all of the same request */
export function keyOf(standing: Standing, own: readonly Standing[]): string {
  const same = own.filter((each) => nameOf(each) === nameOf(standing));
  return `${nameOf(standing)} ${same.indexOf(standing)}`;
}

function nameOf({ kind, transaction, block, to, coin, amount }: Standing): string {
  return `${kind} ${transaction} in ${block.hash} ${amount} ${coin.symbol} to ${to}`;
}

export function sum(of: readonly { readonly amount: bigint }[]): bigint {
  return of.reduce((total, { amount }) => total + amount, 0n);
}
