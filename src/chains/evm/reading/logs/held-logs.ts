import { isDeepStrictEqual } from 'node:util';
import { type Recipient, recipientKey } from '#contexts/networks/contract/deposit-addresses.js';
import type { OwnAddresses } from '#contexts/networks/contract/chain-reader.js';
import type { Endpoint } from '#contexts/networks/domain/endpoint.js';
import { EndpointFailure } from '#chains/rpc/rpc-failures.js';
import type { AnsweredLog } from '../../rpc/log-answers.js';

/** A few megabytes, whose recipients fit into one SQL statement. */
export const MAX_HELD_TRANSFERS = 5_000;

/**
 * Looks up recipients and drops transfers of third parties when it holds too many, because anyone can fill blocks
 * with transfers.
 */
export class HeldLogs {
  private readonly shown = new Set<string>();
  /** Blocks for which all relevant logs are proven to have been returned. */
  private readonly proven = new Set<string>();
  private readonly kept = new Map<string, AnsweredLog[]>();
  private readonly places = new Map<string, AnsweredLog>();
  private readonly disputed: AnsweredLog[] = [];
  private unasked: AnsweredLog[] = [];

  constructor(
    private readonly ours: OwnAddresses | undefined,
    private readonly most: number,
  ) {}

  another(): HeldLogs {
    return new HeldLogs(this.ours, this.most);
  }

  add(log: AnsweredLog): void {
    this.shown.add(log.block.hash);
    // Ignores transfers of zero, because anyone can emit an unlimited number of them.
    if (isMovement(log)) this.unasked.push(log);
  }

  ownOf(logs: readonly AnsweredLog[]): Promise<readonly AnsweredLog[]> {
    return onlyOurs(logs.filter(isMovement), recipientOf, this.ours);
  }

  async settle(): Promise<void> {
    if (this.unasked.length < this.most) return;
    const some = this.unasked;
    this.unasked = [];
    for (const log of await onlyOurs(some, recipientOf, this.ours)) this.keep(log);
  }

  take(other: HeldLogs): void {
    for (const hash of other.shown) this.shown.add(hash);
    for (const logs of other.kept.values()) for (const log of logs) this.keep(log);
    this.disputed.push(...other.disputed);
    for (const log of other.unasked) this.unasked.push(log);
  }

  isShown(hash: string): boolean {
    return this.shown.has(hash) || this.proven.has(hash);
  }

  prove(hash: string): void {
    this.proven.add(hash);
  }

  async byBlock({ network }: Endpoint): Promise<ReadonlyMap<string, readonly AnsweredLog[]>> {
    for (const log of this.unasked) this.keep(log);
    this.unasked = [];
    const [own] = await this.ownOf(this.disputed);
    if (own !== undefined) {
      const reason = `the logs of block ${own.block.number} contradict one another`;
      throw new EndpointFailure(network, reason, 'malformed');
    }
    for (const logs of this.kept.values()) logs.sort((a, b) => a.index - b.index);
    return this.kept;
  }

  /** Two valid logs of one transaction never have the same index. */
  private keep(log: AnsweredLog): void {
    const place = placeOf(log);
    const known = this.places.get(place);
    if (known !== undefined) {
      if (!isDeepStrictEqual(movementOf(known), movementOf(log))) this.disputed.push(known, log);
      return;
    }
    this.places.set(place, log);
    const sameBlock = this.kept.get(log.block.hash);
    if (sameBlock === undefined) this.kept.set(log.block.hash, [log]);
    else sameBlock.push(log);
  }
}

function isMovement({ transfer, payout }: AnsweredLog): boolean {
  return transfer !== null || payout !== null;
}

function movementOf({ transfer, payout }: AnsweredLog) {
  return { transfer, payout };
}

function placeOf({ block, index, transfer, payout }: AnsweredLog): string {
  const { transactionHash } = (transfer ?? payout)!;
  return `${block.hash} ${transactionHash} ${index}`;
}

export async function onlyOurs<T>(
  movements: readonly T[],
  of: (movement: T) => Recipient,
  ours: OwnAddresses | undefined,
): Promise<readonly T[]> {
  if (ours === undefined || movements.length === 0) return movements;
  const recipients = new Map(movements.map((each) => [recipientKey(of(each)), of(each)]));
  const own = await ours([...recipients.values()]);
  return movements.filter((each) => own.has(recipientKey(of(each))));
}

function recipientOf({ transfer, payout }: AnsweredLog): Recipient {
  return transfer === null ? { address: payout!.address } : { address: transfer.to, tag: transfer.toTag };
}
