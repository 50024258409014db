import { gaps, noLogs, removedLogs, repeats, wrongBlock } from '#test/support/rpc/rpc-logs.js';
import { emptyPastHead, prunedState } from '#test/support/rpc/rpc-knowledge.js';
import {
  hangsUp,
  limitExceeded,
  missingInBatch,
  reorderedBatch,
  serverError,
  stall,
  tooMany,
  truncated,
} from '#test/support/rpc/rpc-replies.js';
import type { Misbehaviour } from '#test/support/rpc/rpc-wire.js';
import type { Random } from '../random.js';
import { CONFIRMATIONS } from '../run/settings.js';
import type { Places, Trouble } from './troubles.js';

/** Blocks that a reorganization beyond finality takes at most: as many as come in the longest slot, so that it meets what loops have read. */
const DEEPEST = 32;
const GWEI = 10n ** 9n;

export function chainTroubles(places: Places): Trouble[] {
  const { random, chain } = places;
  const node = () => random.oneOf([...chain.nodes.values()]);
  return [
    {
      name: 'a node is away',
      weight: 2,
      begin: () => {
        const one = node();
        one.isAway = true;
        return () => void (one.isAway = false);
      },
    },
    {
      name: 'all nodes are away',
      weight: 1,
      begin: () => {
        for (const one of chain.nodes.values()) one.isAway = true;
        return () => chain.nodes.forEach((one) => (one.isAway = false));
      },
    },
    {
      name: 'a node lags',
      weight: 2,
      begin: () => {
        const one = node();
        one.view = { ...one.view, lag: random.whole(1, 10) };
        return () => void (one.view = { ...one.view, lag: 0 });
      },
    },
    {
      name: 'a node stands on another branch',
      weight: 1,
      begin: async () => {
        const one = node();
        one.view = { ...one.view, standsAt: await chain.besideHead() };
        return () => void (one.view = { ...one.view, standsAt: null });
      },
    },
    {
      name: 'a node misbehaves',
      weight: 4,
      begin: () => {
        const end = node().misbehave(lies(random));
        noteLie(places, false);
        return () => {
          end();
          noteLie(places, true);
        };
      },
    },
    {
      name: 'a node shows false receipts',
      weight: 2,
      begin: () => {
        const liar = node();
        const others = [...chain.nodes.values()].filter((one) => one !== liar);
        // Alone it decides nothing either.
        const silent = random.chance(0.5) ? others : [];
        const end = liar.misbehave(falseReceipts());
        for (const one of silent) one.isAway = true;
        return () => {
          end();
          for (const one of silent) one.isAway = false;
        };
      },
    },
    { name: 'a reorganization', weight: 4, begin: () => unwind(places, random.whole(1, CONFIRMATIONS - 1)) },
    {
      name: 'a reorganization of a payout',
      weight: 2,
      begin: () => {
        const depth = chain.depthOfLatestPayout();
        return depth < CONFIRMATIONS ? unwind(places, random.whole(depth, CONFIRMATIONS - 1)) : 'not yet';
      },
    },
    {
      name: 'a reorganization beyond finality',
      weight: 0.5,
      begin: () => {
        const depth = chain.depthOfLatestTransaction();
        return depth < CONFIRMATIONS || depth > DEEPEST
          ? 'not yet'
          : unwind(places, random.whole(depth, DEEPEST));
      },
    },
    {
      name: 'a fee spike',
      weight: 2,
      begin: () => chain.spikeFees(BigInt(random.whole(20, 900)) * GWEI),
    },
    {
      name: 'a full pool',
      weight: 1,
      begin: () => {
        chain.closePool(true);
        return () => chain.closePool(false);
      },
    },
  ];
}

function noteLie({ history, clock }: Places, isOver: boolean): void {
  history.fact({ kind: 'lying node', at: clock.now, isOver });
}

function unwind({ random, chain, history, clock, network }: Places, depth: number): void {
  const from = chain.unwind(depth, random.chance(0.7) ? 'wait' : 'drop');
  history.fact({ kind: 'unwound', at: clock.now, network, from });
}

function lies(random: Random): Misbehaviour {
  return random.oneOf([
    ...[gaps(random.whole(1, 1_000)), noLogs(), repeats(), removedLogs(), wrongBlock()],
    ...[emptyPastHead(), prunedState(2), hangsUp(), limitExceeded(), missingInBatch(random.whole(1, 1_000))],
    ...[reorderedBatch(), serverError(503), stall(), tooMany(1), truncated()],
  ]);
}

interface Receipt {
  readonly status: string;
  readonly logs: readonly unknown[];
}

/**
 * Shows each transaction with logs as one that failed. A payment in coin has none: the node that shows it first is believed, and
 * where it calls it failed, the coin is found by its balance.
 */
export function falseReceipts(): Misbehaviour {
  return {
    name: 'falseReceipts',
    methods: ['eth_getTransactionReceipt'],
    answer: async (call, ask) => {
      const answer = await ask(call);
      if (!('result' in answer) || answer.result === null) return answer;
      const receipt = answer.result as Receipt;
      return receipt.logs.length === 0 ? answer : { result: { ...receipt, status: '0x0' } };
    },
  };
}
