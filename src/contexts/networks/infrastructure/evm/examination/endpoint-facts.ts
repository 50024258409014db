import type { Finding, Answer } from '../../../domain/finding.js';
import type { ChainIdentity, ForeignChain } from '../../../domain/foreign-chain.js';
import type { NetworkConfiguration } from '../../../domain/network-configuration.js';

/** How many blocks back a balance is asked for: so far a worker may lie behind and still find value sent by contracts. */
export const STATE_DEPTH = 100;
/** Widths that an endpoint's logs are asked in, in blocks; the first refusal ends it. */
export const LOG_RANGES: readonly number[] = [10, 100, 1_000, 10_000];
/** With less a worker that was away for an hour takes long to catch up. */
const COMFORTABLE_LOG_RANGE = 100;

/** What one endpoint answered. */
export interface EndpointFacts {
  readonly head: Answer<{ readonly number: number; readonly time: Date }>;
  /** Number of the block tagged `finalized` (null: none yet); absent where finality is not by that tag. */
  readonly finalized?: Answer<number | null>;
  /** A balance by block hash (EIP-1898), and one of `STATE_DEPTH` blocks back; absent without a native asset. */
  readonly balanceByHash?: Answer<bigint>;
  readonly balanceBack?: Answer<bigint>;
  /** Several calls in one message. */
  readonly batch: Answer<true>;
  /** The widest range of `LOG_RANGES` that was answered, in blocks; 0 for none. `refused`: of the next. */
  readonly logRange: { readonly widest: number; readonly refused?: string };
}

/** @param foreign why it is not the network's chain; null where it is */
export function identityFinding(
  endpoint: string,
  { chainId, genesisHash }: ChainIdentity,
  isStored: boolean,
  foreign: ForeignChain | null,
): Finding {
  const finding = { about: endpoint, check: 'chain' };
  if (foreign !== null) {
    return { ...finding, verdict: 'wrong', says: foreign.message, todo: 'Remove it from rpc_urls.' };
  }
  const genesis = isStored
    ? 'with the genesis that this service knows'
    : `which this service has not met yet (genesis ${genesisHash})`;
  return { ...finding, verdict: 'ok', says: `It serves chain ${chainId}, ${genesis}.` };
}

export function unreachableFinding(endpoint: string, reason: string): Finding {
  return {
    about: endpoint,
    check: 'reachable',
    verdict: 'wrong',
    says: `It does not answer: ${reason}`,
    todo: 'Correct its address in rpc_urls, mend the node, or remove it.',
  };
}

export function endpointFindings(
  endpoint: string,
  { maxLagSeconds }: NetworkConfiguration,
  facts: EndpointFacts,
  now: Date,
): Finding[] {
  const findings = [
    headFinding(facts, maxLagSeconds, now),
    ...finalizedFindings(facts),
    ...balanceFindings(facts),
    batchFinding(facts),
    logRangeFinding(facts),
  ];
  return findings.map((finding) => ({ about: endpoint, ...finding }));
}

type Unnamed = Omit<Finding, 'about'>;

function headFinding({ head }: EndpointFacts, maxLagSeconds: number, now: Date): Unnamed {
  const check = 'head';
  if ('refused' in head) {
    return {
      check,
      verdict: 'wrong',
      says: `It does not tell its newest block: ${head.refused}`,
      todo: 'Mend the node.',
    };
  }
  const age = Math.round((now.getTime() - head.answer.time.getTime()) / 1_000);
  const says = `Its newest block is ${head.answer.number}, ${age} seconds old.`;
  if (age <= maxLagSeconds) return { check, verdict: 'ok', says };
  const todo = `Wait until the node has caught up: past ${maxLagSeconds} seconds (max_lag_seconds) nothing new is taken.`;
  return { check, verdict: 'wrong', says, todo };
}

function finalizedFindings({ head, finalized }: EndpointFacts): Unnamed[] {
  const check = 'finality';
  if (finalized === undefined) return [];
  if ('refused' in finalized) {
    const says = `It does not know the block tag "finalized": ${finalized.refused}`;
    const todo = 'Use a node that does, or configure finality as {"confirmations": n}.';
    return [{ check, verdict: 'wrong', says, todo }];
  }
  if (finalized.answer === null) {
    const todo = 'Check again later: until there is one nothing completes.';
    return [{ check, verdict: 'warning', says: 'No block of its chain is final yet.', todo }];
  }
  const behind = 'answer' in head ? `, ${head.answer.number - finalized.answer} behind its newest` : '';
  return [{ check, verdict: 'ok', says: `Block ${finalized.answer} is final${behind}.` }];
}

function balanceFindings({ balanceByHash, balanceBack }: EndpointFacts): Unnamed[] {
  const findings: Unnamed[] = [];
  if (balanceByHash !== undefined) {
    const check = 'balances by block hash';
    findings.push(
      'answer' in balanceByHash
        ? { check, verdict: 'ok', says: 'It tells a balance at a block by its hash (EIP-1898).' }
        : {
            check,
            verdict: 'wrong',
            says: `It does not tell a balance at a block by its hash (EIP-1898): ${balanceByHash.refused}`,
            todo: 'Use another node, or take the native coin out: value sent by contracts would be missed.',
          },
    );
  }
  if (balanceBack !== undefined) {
    const check = 'state depth';
    findings.push(
      'answer' in balanceBack
        ? { check, verdict: 'ok', says: `It tells balances of ${STATE_DEPTH} blocks back.` }
        : {
            check,
            verdict: 'warning',
            says: `It does not tell balances of ${STATE_DEPTH} blocks back: ${balanceBack.refused}`,
            todo: 'After an outage, native value sent by contracts is found late: have one endpoint that keeps more state.',
          },
    );
  }
  return findings;
}

function batchFinding({ batch }: EndpointFacts): Unnamed {
  const check = 'batches';
  if ('answer' in batch) return { check, verdict: 'ok', says: 'It answers several calls in one message.' };
  const says = `It does not answer several calls in one message: ${batch.refused}`;
  return {
    check,
    verdict: 'warning',
    says,
    todo: 'Reading through it takes more messages; mind its rate limit.',
  };
}

function logRangeFinding({ logRange: { widest, refused } }: EndpointFacts): Unnamed {
  const check = 'log ranges';
  const more = refused === undefined ? '' : ` Wider ones are refused: ${refused}`;
  if (widest === 0) {
    const todo = 'Blocks are read one by one by their hash; catching up takes long. Prefer another endpoint.';
    return { check, verdict: 'warning', says: `It tells no logs by ranges.${more}`, todo };
  }
  const says = `It tells logs of ${widest} blocks at once.${more}`;
  if (widest >= COMFORTABLE_LOG_RANGE) return { check, verdict: 'ok', says };
  return {
    check,
    verdict: 'warning',
    says,
    todo: 'Catching up after an outage takes long. Prefer another endpoint.',
  };
}
