import { describe, expect, it } from '@jest/globals';
import { toFunctionSelector } from 'viem';
import { RpcSettlementSimulation } from './rpc-settlement-simulation.js';

const FACTORY = `0x${'fa'.repeat(20)}`;
const CALL = { from: `0x${'01'.repeat(20)}`, to: FACTORY, data: '0x', gas: 1n } as const;
const FEES = { maxFee: 1n, priorityFee: null };

/** Returns the events of a call that an endpoint simulates with this outcome. */
async function eventsOf(outcome: object): Promise<unknown> {
  const answer = [{ calls: [{ gasUsed: '0x5', ...outcome }] }];
  const callOnce = async (_: unknown, { read }: { read: (answer: unknown) => unknown }) => read(answer);
  const simulation = new RpcSettlementSimulation({ callOnce } as never);
  return (await simulation.simulate({} as never, CALL, { fees: FEES, upon: {} as never })).events;
}

describe('A simulated settlement', () => {
  it.each<[string, object, object[]]>([
    ['has no events where the node omits its logs', { status: '0x1' }, []],
    [
      'is stopped before its first item if it runs out of gas',
      { status: '0x0', error: { message: 'Out of gas' } },
      [{ kind: 'stopped', group: 0, item: 0 }],
    ],
    [
      'is stopped before its first item if the factory has too little gas',
      { status: '0x0', error: { message: 'reverted', data: toFunctionSelector('InsufficientGas()') } },
      [{ kind: 'stopped', group: 0, item: 0 }],
    ],
    [
      'is reverted with the data of the revert',
      { status: '0x0', error: { message: 'reverted' }, returnData: '0x0badc0de' },
      [{ kind: 'reverted', reason: '0x0badc0de' }],
    ],
    [
      'is reverted with the start of the data of the error, if that is long',
      { status: '0x0', error: { data: `0x${'ab'.repeat(69)}` }, returnData: '0x0badc0de' },
      [{ kind: 'reverted', reason: `0x${'ab'.repeat(68)}` }],
    ],
    [
      'is reverted with the message of a revert without data',
      { status: '0x0', error: { message: 'reverted', data: '0x' } },
      [{ kind: 'reverted', reason: 'reverted' }],
    ],
  ])('%s', async (_, outcome, events) => {
    expect(await eventsOf(outcome)).toEqual(events);
  });
});
