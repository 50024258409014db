import type { Random } from '../random.js';
import { emphasis } from '../emphasis.js';
import type { FaultLevel, StepFaults } from './faults.js';

/** So often a request that may change something is delivered twice, in the middle of all seeds. */
const SHARE = { none: 0, some: 0.01, all: 0.04 } as const;
/** A seed has up to so many times that, or down to one part in as many. */
const MOST_OFTEN = 4;
const MOST_PATIENCE_MS = 5_000;
const LONGEST_DELAY_MS = 20 * 60_000;

/** The second delivery of a request. `retry`: its answer is the caller's, and the first one's is lost. `copy`: the other way round. */
interface SecondDelivery {
  readonly kind: 'retry' | 'copy';
  readonly afterMs: number;
}

/** Whatever stands between callers and processes: now and then it delivers a request twice. */
export class Proxy {
  readonly counts = new Map<string, number>();
  private readonly share: number;

  constructor(
    private readonly random: Random,
    level: FaultLevel,
    private readonly faults: Pick<StepFaults, 'isQuiet' | 'only'>,
  ) {
    this.share = SHARE[level] * emphasis(random, MOST_OFTEN);
  }

  draw(): SecondDelivery | undefined {
    const isHit = this.random.chance(this.share);
    const kind = this.random.oneOf(['retry', 'copy'] as const);
    const most = kind === 'retry' ? MOST_PATIENCE_MS : LONGEST_DELAY_MS;
    // Half of the retries meet the first delivery under way.
    const afterMs = kind === 'retry' && this.random.chance(0.5) ? 0 : this.random.whole(1, most);
    const name = kind === 'retry' ? 'a request retried by a proxy' : 'a request delivered again later';
    if (!isHit || this.faults.isQuiet || this.faults.only?.includes(name) === false) return undefined;
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
    return { kind, afterMs };
  }
}
