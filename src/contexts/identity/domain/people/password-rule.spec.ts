import { describe, expect, it } from '@jest/globals';
import { requireAcceptablePassword } from './password-rule.js';

const OWNER = { email: 'anna.berg@shop.example', organizationName: 'Corner Shop' };
const demand = (password: string) =>
  requireAcceptablePassword(password, OWNER, (text) => text === 'qwertyuiop');

describe('A password', () => {
  it.each([
    'kettle harbour lantern',
    'aB3$xY9!',
    '  spaces are kept  ',
    '🐴🔋📎✅ and more',
    'x1'.repeat(99) + 'yz',
  ])('is accepted: %j', (password) => {
    expect(demand(password)).toBe(password);
  });

  it.each([
    ['short', '8 to 200 characters'],
    ['x'.repeat(201), '8 to 200 characters'],
    ['QWERTYuiop', 'too common'],
    ['abababababab', 'too common'],
    ['anna.berg@shop.example', 'easy to guess'],
    ['Anna.Berg2026', 'easy to guess'],
    ['corner-shop-1!', 'easy to guess'],
    ['Payments2026', 'easy to guess'],
  ])('is rejected: %j', (password, sentence) => {
    expect(() => demand(password)).toThrow(sentence);
  });
});
