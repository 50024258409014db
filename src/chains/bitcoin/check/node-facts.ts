import { MAX_BLOCKS_BEHIND } from '#contexts/networks/domain/endpoint.js';
import {
  type EndpointAnswer,
  type NetworkCheckFinding,
  type CheckResult,
  okResult,
  warningResult,
  wrongResult,
} from '#contexts/networks/domain/finding.js';
import { checkBatchSupport, checkHead } from '../../rpc/check-endpoints.js';
import type { ChainInfo } from '../rpc/block-calls.js';

/** A node rejects blocks more than two hours ahead of its clock, and creates none behind its clock. */
const MAX_CLOCK_DIFFERENCE_SECONDS = 600;

export interface BitcoinNodeFacts {
  readonly head: EndpointAnswer<{ readonly number: number; readonly time: Date }>;
  readonly info: EndpointAnswer<ChainInfo>;
  readonly batch: EndpointAnswer<true>;
  readonly clockAhead: EndpointAnswer<number>;
  /** Null on a chain without old blocks. */
  readonly hasIndex: EndpointAnswer<boolean | null>;
  readonly waiting: EndpointAnswer<number>;
  /** Null if the node does not report it. */
  readonly relays: EndpointAnswer<boolean | null>;
  readonly namesSpenders: EndpointAnswer<boolean>;
  /** Null if the node does not report it. */
  readonly replacesAll: EndpointAnswer<boolean | null>;
}

export function nodeFindings(
  endpoint: string,
  facts: BitcoinNodeFacts,
  maxLagSeconds: number,
  now: Date,
): NetworkCheckFinding[] {
  const results = [
    checkHead(facts.head, maxLagSeconds, now),
    ...checkChain(facts),
    checkBatchSupport(facts.batch),
    ...checkClock(facts),
    ...checkIndex(facts),
    checkMempool(facts),
    ...checkReplacement(facts),
  ];
  return results.map((result) => ({ about: endpoint, ...result }));
}

function checkChain({ info }: BitcoinNodeFacts): CheckResult[] {
  if ('refused' in info) return [];
  const { number, headers, isCatchingUp, isPruned, prunedBelow } = info.answer;
  const has = `It has ${number} blocks and ${headers} headers`;
  const sync =
    isCatchingUp || headers - number > MAX_BLOCKS_BEHIND
      ? wrongResult(
          'sync',
          `${has}, so it is still syncing.`,
          'Wait until it is in sync. New requests are refused until then.',
        )
      : okResult('sync', `${has}.`);
  if (!isPruned) return [sync, okResult('blocks', 'It keeps all blocks.')];
  const says = `It is pruned and has no blocks below ${prunedBelow}.`;
  const todo =
    'After an outage longer than it keeps blocks, reading stops. Prune less, or add an unpruned endpoint.';
  return [sync, warningResult('blocks', says, todo)];
}

function checkClock({ clockAhead }: BitcoinNodeFacts): CheckResult[] {
  if ('refused' in clockAhead) {
    const says = `It does not return its time: ${clockAhead.refused}`;
    return [warningResult('clock', says, 'Compare its clock manually.')];
  }
  const seconds = Math.abs(clockAhead.answer);
  const says = `Its clock is ${seconds} seconds ${clockAhead.answer < 0 ? 'behind' : 'ahead of'} the service’s.`;
  if (seconds <= MAX_CLOCK_DIFFERENCE_SECONDS) return [okResult('clock', says)];
  return [
    warningResult(
      'clock',
      says,
      'Synchronize both with NTP. A node whose clock is far behind rejects new blocks.',
    ),
  ];
}

function checkIndex({ hasIndex }: BitcoinNodeFacts): CheckResult[] {
  if ('answer' in hasIndex && hasIndex.answer === null) return [];
  if ('answer' in hasIndex && hasIndex.answer === true)
    return [okResult('transaction index', 'It finds transactions of all blocks by id.')];
  const reason = 'refused' in hasIndex ? `: ${hasIndex.refused}` : '.';
  const todo =
    'Set txindex=1 (btcd: --txindex). Without it, refunds by merchants are not proven, and a replaced payment counts as ' +
    'pending until its inclusion grace ends.';
  return [
    warningResult('transaction index', `It does not find transactions of old blocks by id${reason}`, todo),
  ];
}

function checkMempool({ waiting, relays }: BitcoinNodeFacts): CheckResult {
  const todo = 'Remove blocksonly from its settings. With it, payments are only seen when they are mined.';
  if ('refused' in waiting)
    return wrongResult('mempool', `It does not return its mempool: ${waiting.refused}`, todo);
  if ('answer' in relays && relays.answer === false)
    return wrongResult('mempool', 'It accepts no transactions from other nodes.', todo);
  return okResult('mempool', `Its mempool has ${waiting.answer} transactions.`);
}

function checkReplacement({ namesSpenders, replacesAll }: BitcoinNodeFacts): CheckResult[] {
  const names = 'the pending transaction that spends an output (gettxspendingprevout)';
  const results: CheckResult[] = [];
  if ('answer' in namesSpenders && namesSpenders.answer) {
    results.push(okResult('replacements', `It returns ${names}.`));
  } else {
    const reason = 'refused' in namesSpenders ? `: ${namesSpenders.refused}` : '.';
    const todo =
      'Use Bitcoin Core 24 or later, or btcd. Otherwise a replaced payment counts as pending until it is mined.';
    results.push(warningResult('replacements', `It does not return ${names}${reason}`, todo));
  }
  if ('answer' in replacesAll && replacesAll.answer === false) {
    const says = 'It accepts replacements only of transactions that signal them (BIP-125).';
    const todo =
      'Set mempoolfullrbf=1. Miners accept all replacements, and the service would only see them when they are mined.';
    results.push(warningResult('relay of replacements', says, todo));
  }
  return results;
}
