import { describe, expect, it } from '@jest/globals';
import { isKnownToNodes, classifyBroadcastError, mostConclusiveResponse } from './broadcast-response.js';

describe('A node’s refusal of a transaction', () => {
  it.each([
    ['already known', 'already_known'],
    ['AlreadyKnown', 'already_known'],
    ['transaction already imported', 'already_known'],
    ['Transaction with the same hash was already imported.', 'already_known'],
    ['existing tx with same hash', 'already_known'],
    ['replacement transaction underpriced', 'replacement_underpriced'],
    ['ReplacementNotAllowed', 'replacement_underpriced'],
    ['could not replace existing tx', 'replacement_underpriced'],
    ['OwnNonceAlreadyUsed', 'replacement_underpriced'],
    ['nonce too low', 'nonce_too_low'],
    ['nonce too low: next nonce 5, tx nonce 3', 'nonce_too_low'],
    ['OldNonce', 'nonce_too_low'],
    ['Transaction nonce is too low. Try incrementing the nonce.', 'nonce_too_low'],
    ['nonce too high', 'nonce_too_high'],
    ['Transaction nonce is too distant from current sender nonce', 'nonce_too_high'],
    ['NonceGap', 'nonce_too_high'],
    ['insufficient funds for gas * price + value', 'insufficient_funds'],
    ['InsufficientFunds', 'insufficient_funds'],
    ['Upfront cost exceeds account balance', 'insufficient_funds'],
    ['not enough funds for gas', 'insufficient_funds'],
    ['transaction underpriced', 'underpriced'],
    ['transaction underpriced: tip needed 25000000000, tip permitted 1', 'underpriced'],
    ['FeeTooLowToCompete', 'underpriced'],
    ['fee too low', 'underpriced'],
    ['Gas price below configured minimum gas price', 'underpriced'],
    ['max fee per gas less than block base fee', 'underpriced'],
    ['exceeds block gas limit', 'refused'],
    ['intrinsic gas too low', 'refused'],
    ['txpool is full', 'refused'],
  ])('is classified by its text: “%s” as %s', (message, meaning) => {
    expect(classifyBroadcastError(message)).toBe(meaning);
  });
});

describe('The choice among the responses of several endpoints', () => {
  it('prefers the response that says most about the nonce', () => {
    expect(mostConclusiveResponse(['unreachable', 'nonce_too_low', 'accepted'])).toBe('accepted');
    expect(mostConclusiveResponse(['nonce_too_low', 'nonce_too_high'])).toBe('nonce_too_high');
    expect(mostConclusiveResponse(['refused', 'insufficient_funds'])).toBe('insufficient_funds');
    expect(mostConclusiveResponse([])).toBe('unreachable');
  });

  it('tells responses by which a node has the nonce in a pool or block from all others', () => {
    const withNodes = [
      'accepted',
      'already_known',
      'replacement_underpriced',
      'nonce_too_high',
      'nonce_too_low',
    ];
    expect(withNodes.every((each) => isKnownToNodes(each as never))).toBe(true);
    const without = ['underpriced', 'insufficient_funds', 'refused', 'unreachable'];
    expect(without.some((each) => isKnownToNodes(each as never))).toBe(false);
  });
});
