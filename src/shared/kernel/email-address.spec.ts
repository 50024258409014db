import { describe, expect, it } from '@jest/globals';
import { requireEmail, normalizeEmailForLookup } from './email-address.js';

describe('An e-mail address', () => {
  it('is stored in lower case', () => {
    expect(requireEmail('  Anna@Shop.Example ')).toBe('anna@shop.example');
    expect(requireEmail("o'hara+tag@shop.example")).toBe("o'hara+tag@shop.example");
  });

  it.each(['kunde@bu\u0308cher.example', 'Kunde@BÜCHER.example', 'kunde@xn--bcher-kva.example'])(
    'is stored with an ASCII domain: %s',
    (text) =>
      expect([requireEmail(text), normalizeEmailForLookup(text)]).toEqual(
        Array(2).fill('kunde@xn--bcher-kva.example'),
      ),
  );

  it('has at most 254 characters', () => {
    const longest = `${'a'.repeat(64)}@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(61)}`;

    expect(requireEmail(longest)).toBe(longest);
    expect(() => requireEmail(`${longest}d`)).toThrow('must be an e-mail address');
  });

  it.each([
    ...['anna', 'böll@shop.example', 'anna@sh/op.example', 'anna@shop.example:25', '@shop.example'],
    ...['anna@', 'a b@shop.example'],
    ...['anna@shop..example', 'a@b\nbcc: c@d', '<a@b.example>', `${'a'.repeat(65)}@b.example`],
    ...['a@-b.example', 'a\x01@b.example'],
    ...['a\u202en@b.example', 'a\u200bn@b.example', 'a\ud800@b.example', 'a@b.example,c@d.example'],
  ])('is rejected if it is malformed: %j', (text) => {
    expect(() => requireEmail(text)).toThrow('must be an e-mail address');
  });
});
