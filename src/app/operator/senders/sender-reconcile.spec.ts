import { describe, expect, it } from '@jest/globals';
import {
  ReconcileSender,
  type ReconcileSenderInput,
} from '#contexts/networks/application/outbound/reconcile-sender.js';
import { RefundFloats } from '#contexts/settlement/infrastructure/refunds/persistence/refund-floats.js';
import { SingleCommand } from '../testing/lone-command.js';
import { reconcileSendingKeyCommand } from './sender-reconcile.js';

const OWNER = '0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f';
const KEY = `float:${OWNER}`;
const [ELSEWHERE, OLD, NEW] = ['1', '2', '3'].map((digit) => `0x${digit.repeat(40)}`);
const FLOATS = [
  { network: 'polygon', organizationId: OWNER, address: ELSEWHERE, replacedAt: null },
  { network: 'base', organizationId: OWNER, address: OLD, replacedAt: new Date(0) },
  { network: 'base', organizationId: OWNER, address: NEW, replacedAt: null },
];

/** Runs the command. @returns the order that it passes to the use case, and its exit status */
async function reconciled(values: object, outcome = 'adopted') {
  const orders: ReconcileSenderInput[] = [];
  const execute = async (order: ReconcileSenderInput) => {
    orders.push(order);
    return [{ nonce: 0, outcome, use: null, sending: null }];
  };
  const command = new SingleCommand([reconcileSendingKeyCommand], 'sender reconcile', [
    [RefundFloats, { list: async () => FLOATS }],
    [ReconcileSender, { reconcile: execute }],
  ]);
  const { exitCode = 0 } = await command.answer({ network: 'base', key: KEY, ...values });
  return { ...orders[0]!, exitCode };
}

describe('The command "sender reconcile"', () => {
  it('selects the current float of the network, or a replaced float by its address', async () => {
    expect((await reconciled({})).account.address).toBe(NEW);
    expect((await reconciled({ key: OLD })).account).toMatchObject({ key: KEY, address: OLD });
  });

  it('accepts hashes in any spelling', async () => {
    expect((await reconciled({ 'accept-unknown': '0xAB,0xcd' })).accepted).toEqual(['0xab', '0xcd']);
  });

  it('ends with 1 while a nonce is not resolved', async () => {
    expect([(await reconciled({})).exitCode, (await reconciled({}, 'waits')).exitCode]).toEqual([0, 1]);
  });
});
