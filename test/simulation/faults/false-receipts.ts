import type { Misbehaviour } from '#test/support/rpc/rpc-wire.js';

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
