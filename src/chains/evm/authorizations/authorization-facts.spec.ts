import { describe, expect, it } from '@jest/globals';
import {
  type AuthorizationFacts,
  authorizationRefusal,
  signatureRefusal,
  type SignatureFacts,
} from './authorization-facts.js';

const NOW = 1_900_000_000n;
const authorization = {
  ...{ from: `0x${'0a'.repeat(20)}`, to: `0x${'0b'.repeat(20)}`, value: 10n, nonce: `0x${'00'.repeat(32)}` },
  ...{ validAfter: NOW - 1n, validBefore: NOW + 37n },
};
const facts: AuthorizationFacts & SignatureFacts = {
  ...{ hasCode: false, isAccepted: false, isUsed: false, balance: 10n, headTime: NOW },
  ...{ flaw: null, isWrapped: false, isSigners: true, now: new Date(Number(NOW) * 1_000), blockSeconds: 12 },
};
const ofContract = { hasCode: true, isSigners: false, flaw: 'not 65 bytes' };

function refusalOf(changes: object, others: object) {
  const [one, all] = [
    { ...authorization, ...changes },
    { ...facts, ...others },
  ];
  return signatureRefusal(one.from, all) ?? authorizationRefusal(one, all);
}

describe('A signed authorization', () => {
  it.each([
    ['as it is', {}, {}],
    ['with 37 seconds left, where three blocks take 36', { validBefore: NOW + 37n }, {}],
    ['with 7 seconds left on a fast chain', { validBefore: NOW + 7n }, { blockSeconds: 0.25 }],
    ['by a contract that accepts it', {}, { ...ofContract, isAccepted: true }],
    ['by the key of a delegated account', {}, { hasCode: true }],
  ])('is sent %s', (_, changes, others) => {
    expect(refusalOf(changes, others)).toBeNull();
  });

  it.each([
    ['of nothing', { value: 0n }, {}, 'token'],
    ['of more than there is', { value: 11n }, {}, 'balance'],
    ['used already', {}, { isUsed: true }, 'used'],
    ['at the time of the newest block', { validAfter: NOW }, {}, 'time'],
    ['with 36 seconds left', { validBefore: NOW + 36n }, {}, 'time'],
    [
      'with 37 seconds left, where three blocks take a little more than 36',
      {},
      { blockSeconds: 12.1 },
      'time',
    ],
    ['with 6 seconds left on a fast chain', { validBefore: NOW + 6n }, { blockSeconds: 0.25 }, 'time'],
    ['expired by our clock', {}, { now: new Date(Number(NOW + 30n) * 1_000) }, 'time'],
    ['expired by the chain', {}, { headTime: NOW + 30n }, 'time'],
    ['by another key', {}, { isSigners: false }, 'signature'],
    ['in a form that no account has', {}, { flaw: 'short' }, 'signature'],
    ['wrapped, of no contract', {}, { isWrapped: true }, 'signature'],
    ['of a contract that does not accept it', {}, ofContract, 'signature'],
  ])('is not sent %s', (_, changes, others, reason) => {
    expect(refusalOf(changes, others)).toMatchObject({ reason });
  });
});
