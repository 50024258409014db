import { describe, expect, it } from '@jest/globals';
import { Chain } from './chain.js';

describe('The simulation’s model of a chain', () => {
  it('drops every known block from a number on, also if the number is below the first known block', () => {
    const chain = new Chain({
      ...{ kind: 'network', at: 0, network: 'erc20', chainId: 1, confirmations: 3, blockSeconds: 12 },
      ...{ inclusionGraceSeconds: 60, settlementEverySeconds: 600, settlementAfterHours: 24, assets: [] },
    });
    const block = (number: number, name: string) =>
      chain.take({
        ...{ kind: 'block', network: 'erc20', number, hash: name, parentHash: 'parent' },
        ...{ time: number, at: number, transfers: [], settled: [] },
      });
    const left = [block(5, 'a'), block(6, 'b')];
    chain.unwind(3);
    const joined = block(3, 'c');

    expect([...left, joined].map((each) => chain.isOn(each, chain.head))).toEqual([false, false, true]);
  });
});
