import {
  type EndpointAnswer,
  type NetworkCheckFinding,
  type CheckResult,
  okResult,
  warningResult,
  wrongResult,
} from '#contexts/networks/domain/finding.js';
import { checkBatchSupport, checkHead } from '../../rpc/check-endpoints.js';
import type { NetworkConfiguration } from '#contexts/networks/domain/network-configuration.js';

/** A worker that lags this far behind still needs balances to find value sent by contracts. */
export const STATE_DEPTH_BLOCKS = 100;
export const PROBED_LOG_RANGES_BLOCKS: readonly number[] = [10, 100, 1_000, 10_000];
/** With a smaller range, a worker that was down for an hour takes long to catch up. */
const SUFFICIENT_LOG_RANGE_BLOCKS = 100;

export interface EndpointFacts {
  readonly head: EndpointAnswer<{ readonly number: number; readonly time: Date }>;
  /** Null if no block is final yet. Absent if the network does not use the `finalized` tag. */
  readonly finalized?: EndpointAnswer<number | null>;
  /** The same for the tag `safe`. Present if confirmations by amount use it. */
  readonly safe?: EndpointAnswer<number | null>;
  /** Requested by block hash (EIP-1898), and `STATE_DEPTH` blocks back. Absent if the network has no native asset. */
  readonly balanceByHash?: EndpointAnswer<bigint>;
  readonly balanceBack?: EndpointAnswer<bigint>;
  readonly batch: EndpointAnswer<true>;
  /**
   * `widest`: the widest range of `LOG_RANGES` that succeeded, in blocks, or 0. `refused`: the error for the next wider
   * range.
   */
  readonly logRange: { readonly widest: number; readonly refused?: string };
}

export function endpointFindings(
  endpoint: string,
  { maxLagSeconds }: NetworkConfiguration,
  facts: EndpointFacts,
  now: Date,
): NetworkCheckFinding[] {
  const results = [
    checkHead(facts.head, maxLagSeconds, now),
    ...checkFinality(facts),
    ...checkSafeTag(facts),
    ...checkBalances(facts),
    checkBatchSupport(facts.batch),
    checkLogRange(facts),
  ];
  return results.map((result) => ({ about: endpoint, ...result }));
}

function checkFinality({ head, finalized }: EndpointFacts): CheckResult[] {
  if (finalized === undefined) return [];
  if ('refused' in finalized) {
    const says = `It does not support the block tag "finalized": ${finalized.refused}`;
    const todo = 'Use a node that supports it, or set finality to {"confirmations": n}.';
    return [wrongResult('finality', says, todo)];
  }
  if (finalized.answer === null) {
    const todo = 'Check again later. No payment completes before a block is final.';
    return [warningResult('finality', 'The chain has no final block yet.', todo)];
  }
  const behind = 'answer' in head ? `, ${head.answer.number - finalized.answer} behind the newest` : '';
  return [okResult('finality', `Block ${finalized.answer} is final${behind}.`)];
}

function checkSafeTag({ safe }: EndpointFacts): CheckResult[] {
  if (safe === undefined) return [];
  if ('answer' in safe && safe.answer !== null)
    return [okResult('safe blocks', `Block ${safe.answer} is safe.`)];
  const todo = 'Use another node. Until then, payments that require a safe block wait until it is finalized.';
  return [warningResult('safe blocks', 'It returns no block with the tag "safe".', todo)];
}

function checkBalances({ balanceByHash, balanceBack }: EndpointFacts): CheckResult[] {
  const results: CheckResult[] = [];
  if (balanceByHash !== undefined) {
    const tells = 'balances by block hash (EIP-1898)';
    const todo = 'Use another node, or remove the native coin: internal transfers would be missed.';
    results.push(
      'answer' in balanceByHash
        ? okResult('balances by block hash', `It returns ${tells}.`)
        : wrongResult(
            'balances by block hash',
            `It does not return ${tells}: ${balanceByHash.refused}`,
            todo,
          ),
    );
  }
  if (balanceBack !== undefined) {
    const tells = `balances at blocks ${STATE_DEPTH_BLOCKS} back`;
    const todo = 'After an outage, internal transfers are found late. Add an endpoint that keeps more state.';
    results.push(
      'answer' in balanceBack
        ? okResult('state depth', `It returns ${tells}.`)
        : warningResult('state depth', `It does not return ${tells}: ${balanceBack.refused}`, todo),
    );
  }
  return results;
}

function checkLogRange({ logRange: { widest, refused } }: EndpointFacts): CheckResult {
  const more = refused === undefined ? '' : ` Wider ranges are rejected: ${refused}`;
  if (widest === 0) {
    const todo = 'Blocks are read one by one, so catching up takes long. Prefer another endpoint.';
    return warningResult('log ranges', `It returns no logs by block range.${more}`, todo);
  }
  const says = `It returns logs of up to ${widest} blocks per call.${more}`;
  if (widest >= SUFFICIENT_LOG_RANGE_BLOCKS) return okResult('log ranges', says);
  return warningResult(
    'log ranges',
    says,
    'Catching up after an outage takes long. Prefer another endpoint.',
  );
}
