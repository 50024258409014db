import { describe, expect, it } from '@jest/globals';
import { NetworkReadiness, type ChainReadiness } from './network-readiness.js';

describe('A network', () => {
  it.each<[string, ChainReadiness | undefined, string]>([
    ['never checked', undefined, 'to serve the right chain.'],
    ['unchecked', { kind: 'unchecked', reason: 'No answer.' }, 'to serve the right chain. No answer.'],
    ['foreign', { kind: 'foreign', reason: 'Another chain.' }, 'to serve the right chain. Another chain.'],
    ['mismatched', { kind: 'mismatched', problems: [] }, ''],
    ['ready', { kind: 'ready' }, ''],
  ])('is read if its chain is known, and takes requests if it is ready: %s', (kind, state, refusal) => {
    const readiness = new NetworkReadiness();
    if (state !== undefined) readiness.set('base', state);

    expect(readiness.acceptsPaymentRequests('base')).toBe(kind === 'ready');
    expect(readiness.isIdentified('base')).toBe(refusal === '');
    const demand = () => readiness.requireIdentified('base');
    if (refusal === '') expect(demand).not.toThrow();
    else expect(demand).toThrow(new RegExp(`${refusal}$`));
  });
});
