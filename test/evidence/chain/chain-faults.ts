import type { SeededRandom } from '#shared/kernel/testing/seeded-random.js';
import { emptyPastHead, lag, narrowRanges } from '../../support/rpc/rpc-knowledge.js';
import {
  allRemoved,
  gaps,
  invents,
  noLogs,
  removedLogs,
  repeats,
  wrongBlock,
} from '../../support/rpc/rpc-logs.js';
import {
  flapping,
  hangsUp,
  limitExceeded,
  missingInBatch,
  refusesBatches,
  reorderedBatch,
  serverError,
  tooMany,
  truncated,
} from '../../support/rpc/rpc-replies.js';
import type { Misbehaviour } from '../../support/rpc/rpc-wire.js';
import type { ChainWorld, Issued } from './chain-world.js';

type Draw = (random: SeededRandom) => Misbehaviour[];

/** These faults do not make an endpoint rest; workers have the patience of real ones. */
const QUIET: readonly Draw[] = [
  (random) => [lag(random.whole(1, 4))],
  (random) => [emptyPastHead(), lag(random.whole(1, 8))],
  () => [repeats()],
  () => [removedLogs()],
  (random) => [narrowRanges(random.whole(1, 20))],
  () => [reorderedBatch()],
  () => [refusesBatches()],
];
const OTHERS: readonly Draw[] = [
  (random) => [lag(random.whole(5, 40))],
  () => [allRemoved()],
  () => [wrongBlock()],
  () => [serverError(503)],
  () => [limitExceeded()],
  () => [tooMany(0)],
  () => [truncated()],
  () => [hangsUp()],
  (random) => [missingInBatch(random.whole(1, 1e9))],
  (random) => [flapping(random.whole(1, 1e9), [lag(2), repeats(), serverError(500), truncated(), hangsUp()])],
];
/** The endpoint answers a transfer that never was; it is made where it is drawn. */
const INVENTS: Draw = () => [];
/** Leaves out what is there, or invents what is not: only a sound endpoint can show it. */
const LIES: readonly Draw[] = [
  () => [noLogs()],
  (random) => [gaps(random.whole(1, 1e9))],
  (random) => [flapping(random.whole(1, 1e9), [gaps(random.whole(1, 1e9)), lag(3), truncated()])],
  INVENTS,
];

/** A transfer to be invented. */
export interface Invention {
  readonly request: Issued;
  /** That the chain has. */
  readonly blockNumber: number;
}

/** The endpoints before the node, which go bad and good again. None of it takes long: a thousand runs have to end. */
export class Faults {
  /** Somebody has left out what is there, or invented what is not, at some time until now. */
  wereLies = false;
  areLies = false;

  constructor(
    private readonly world: ChainWorld,
    private readonly random: SeededRandom,
  ) {}

  /** @param asked how many endpoints there are to the service @returns what it is, in words */
  misbehave(asked: number, bears: 'all' | 'quiet', { request, blockNumber }: Invention): string {
    const endpoint = this.random.whole(0, asked - 1);
    // Who has but one endpoint's word, and its word again, believes it.
    const isLie = bears === 'all' && asked > 1 && this.random.chance(0.35);
    const faults = isLie ? LIES : bears === 'all' ? [...QUIET, ...OTHERS] : QUIET;
    const draw = faults[this.random.whole(0, faults.length - 1)]!;
    // The other one is sound meanwhile.
    if (isLie || this.areLies) this.behave();
    this.areLies = isLie;
    this.wereLies ||= isLie;
    const { coin, address, amount } = request;
    const invented = { from: address, to: address, token: coin.token, amount, blockNumber };
    const transactionHash = `0x${this.random.bits(256).toString(16).padStart(64, '0')}`;
    const faulty = draw === INVENTS ? [invents({ ...invented, transactionHash })] : draw(this.random);
    this.world.endpoints[endpoint]!.misbehave(...faulty);
    return `endpoint ${endpoint} ${faulty.map(({ name }) => name).join(', ')}`;
  }

  behave(): void {
    this.areLies = false;
    for (const endpoint of this.world.endpoints) endpoint.behave();
  }
}
