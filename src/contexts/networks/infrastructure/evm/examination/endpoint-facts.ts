import {
  type Answer,
  type Finding,
  type Judgement,
  ok,
  warning,
  wrong,
} from '#contexts/networks/domain/finding.js';
import { batchJudgement, headJudgement } from '../../endpoints/endpoint-judgements.js';
import type { NetworkConfiguration } from '#contexts/networks/domain/network-configuration.js';

/** How many blocks back a balance is asked for: so far a worker may lie behind and still find value sent by contracts. */
export const STATE_DEPTH = 100;
/** Widths that an endpoint's logs are asked in, in blocks; the first refusal ends it. */
export const LOG_RANGES: readonly number[] = [10, 100, 1_000, 10_000];
/** With less a worker that was away for an hour takes long to catch up. */
const COMFORTABLE_LOG_RANGE = 100;

/** The answers of one endpoint. */
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

export function endpointFindings(
  endpoint: string,
  { maxLagSeconds }: NetworkConfiguration,
  facts: EndpointFacts,
  now: Date,
): Finding[] {
  const judgements = [
    headJudgement(facts.head, maxLagSeconds, now),
    ...finalizedJudgement(facts),
    ...balanceJudgements(facts),
    batchJudgement(facts.batch),
    logRangeJudgement(facts),
  ];
  return judgements.map((judgement) => ({ about: endpoint, ...judgement }));
}

function finalizedJudgement({ head, finalized }: EndpointFacts): Judgement[] {
  if (finalized === undefined) return [];
  if ('refused' in finalized) {
    const says = `It does not know the block tag "finalized": ${finalized.refused}`;
    const todo = 'Use a node that does, or configure finality as {"confirmations": n}.';
    return [wrong('finality', says, todo)];
  }
  if (finalized.answer === null) {
    const todo = 'Check again later: until there is one nothing completes.';
    return [warning('finality', 'No block of its chain is final yet.', todo)];
  }
  const behind = 'answer' in head ? `, ${head.answer.number - finalized.answer} behind its newest` : '';
  return [ok('finality', `Block ${finalized.answer} is final${behind}.`)];
}

function balanceJudgements({ balanceByHash, balanceBack }: EndpointFacts): Judgement[] {
  const judgements: Judgement[] = [];
  if (balanceByHash !== undefined) {
    const tells = 'a balance at a block by its hash (EIP-1898)';
    const todo = 'Use another node, or take the native coin out: value sent by contracts would be missed.';
    judgements.push(
      'answer' in balanceByHash
        ? ok('balances by block hash', `It tells ${tells}.`)
        : wrong('balances by block hash', `It does not tell ${tells}: ${balanceByHash.refused}`, todo),
    );
  }
  if (balanceBack !== undefined) {
    const tells = `balances of ${STATE_DEPTH} blocks back`;
    const todo =
      'After an outage, native value sent by contracts is found late: have one endpoint that keeps more state.';
    judgements.push(
      'answer' in balanceBack
        ? ok('state depth', `It tells ${tells}.`)
        : warning('state depth', `It does not tell ${tells}: ${balanceBack.refused}`, todo),
    );
  }
  return judgements;
}

function logRangeJudgement({ logRange: { widest, refused } }: EndpointFacts): Judgement {
  const more = refused === undefined ? '' : ` Wider ones are refused: ${refused}`;
  if (widest === 0) {
    const todo = 'Blocks are read one by one by their hash; catching up takes long. Prefer another endpoint.';
    return warning('log ranges', `It tells no logs by ranges.${more}`, todo);
  }
  const says = `It tells logs of ${widest} blocks at once.${more}`;
  if (widest >= COMFORTABLE_LOG_RANGE) return ok('log ranges', says);
  return warning('log ranges', says, 'Catching up after an outage takes long. Prefer another endpoint.');
}
