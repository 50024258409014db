import { isDeepStrictEqual } from 'node:util';
import type { Recipient } from '#contexts/networks/contract/deposit-addresses.js';
import type { OwnAddressLookup } from '#contexts/networks/contract/chain-reader.js';
import type { Endpoint } from '#contexts/networks/domain/endpoint.js';
import { EndpointFailure } from '#chains/rpc/rpc-failures.js';
import { selectOwnMovements } from '#chains/rpc/reading/own-movements.js';
import type { ParsedLog } from '#chains/ethereum-rpc/log-answers.js';

/**
 * Looks up recipients and drops transfers of third parties when it holds too many, because anyone can fill blocks
 * with transfers.
 */
export class LogBuffer {
  private readonly shown = new Set<string>();
  /** Blocks for which all relevant logs are proven to have been returned. */
  private readonly proven = new Set<string>();
  private readonly kept = new Map<string, ParsedLog[]>();
  private readonly places = new Map<string, ParsedLog>();
  private readonly disputed: ParsedLog[] = [];
  private unasked: ParsedLog[] = [];

  constructor(
    private readonly ours: OwnAddressLookup | undefined,
    private readonly most: number,
  ) {}

  createEmpty(): LogBuffer {
    return new LogBuffer(this.ours, this.most);
  }

  add(log: ParsedLog): void {
    this.shown.add(log.block.hash);
    // Ignores transfers of zero, because anyone can emit an unlimited number of them.
    if (isMovement(log)) this.unasked.push(log);
  }

  selectOwn(logs: readonly ParsedLog[]): Promise<readonly ParsedLog[]> {
    return selectOwnMovements(logs.filter(isMovement), recipientOf, this.ours);
  }

  async keepOnlyOwnLogs(): Promise<void> {
    if (this.unasked.length < this.most) return;
    const some = this.unasked;
    this.unasked = [];
    for (const log of await selectOwnMovements(some, recipientOf, this.ours)) this.keep(log);
  }

  merge(other: LogBuffer): void {
    for (const hash of other.shown) this.shown.add(hash);
    for (const logs of other.kept.values()) for (const log of logs) this.keep(log);
    this.disputed.push(...other.disputed);
    for (const log of other.unasked) this.unasked.push(log);
  }

  isBlockCovered(hash: string): boolean {
    return this.shown.has(hash) || this.proven.has(hash);
  }

  markComplete(hash: string): void {
    this.proven.add(hash);
  }

  async byBlock({ network }: Endpoint): Promise<ReadonlyMap<string, readonly ParsedLog[]>> {
    for (const log of this.unasked) this.keep(log);
    this.unasked = [];
    const [own] = await this.selectOwn(this.disputed);
    if (own !== undefined) {
      const reason = `the logs of block ${own.block.number} contradict one another`;
      throw new EndpointFailure(network, reason, 'malformed');
    }
    for (const logs of this.kept.values()) logs.sort((a, b) => a.index - b.index);
    return this.kept;
  }

  /** Two valid logs of one transaction never have the same index. */
  private keep(log: ParsedLog): void {
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

function isMovement({ transfer, payout }: ParsedLog): boolean {
  return transfer !== null || payout !== null;
}

function movementOf({ transfer, payout }: ParsedLog) {
  return { transfer, payout };
}

function placeOf({ block, index, transfer, payout }: ParsedLog): string {
  const { transactionHash } = (transfer ?? payout)!;
  return `${block.hash} ${transactionHash} ${index}`;
}

function recipientOf({ transfer, payout }: ParsedLog): Recipient {
  return transfer === null ? { address: payout!.address } : { address: transfer.to, tag: transfer.toTag };
}
