import { describe, expect, it } from '@jest/globals';
import { validateBrandingTexts } from './branding-texts.js';

describe('A branding text', () => {
  it('is trimmed, and absent if it is blank', () => {
    const typed = {
      displayName: ' Café ',
      postalAddress: ' Rua 1 \r\n\r\n1000 Lisboa\n',
      colour: '#1D4ED8',
      support: ' Help@Shop.example',
    };

    expect(validateBrandingTexts({ ...typed, taxId: '  ' })).toEqual({
      displayName: 'Café',
      taxId: null,
      postalAddress: 'Rua 1\n1000 Lisboa',
      colour: '#1d4ed8',
      support: 'help@shop.example',
    });
  });

  it('is accepted up to its limit', () => {
    const longest = {
      postalAddress: '1\n2\n3\n4\n5\n6',
      support: 'https://shop.example/'.padEnd(254, 'a'),
    };

    expect(validateBrandingTexts(longest)).toMatchObject(longest);
  });

  it.each([
    ['display_name', 'text', { displayName: 'Shop\u202egnp.exe' }],
    ['display_name', 'text', { displayName: 'Shop\u0000' }],
    ['display_name', 'text', { displayName: 'a'.repeat(201) }],
    ['tax_id', 'text', { taxId: 'DE\r\nBcc: x@y.example' }],
    ['postal_address', 'text', { postalAddress: 'Rua 1\n\u2066Lisboa' }],
    ['postal_address', 'lines', { postalAddress: '1\n2\n3\n4\n5\n6\n7' }],
    ['support', 'contact', { support: 'http://shop.example' }],
    ['support', 'contact', { support: 'javascript:alert(1)' }],
    ['support', 'contact', { support: 'a@b.example\r\nBcc: x@y.example' }],
    ['support', 'contact', { support: 'https://shop.example/'.padEnd(255, 'a') }],
    ['colour', 'colour', { colour: 'red' }],
    ['colour', 'colour', { colour: '#fff' }],
    ['colour', 'colour', { colour: '#000000;}body{display:none' }],
  ])('is rejected with the field and the rule that it breaks: field %s, rule %s', (field, rule, typed) => {
    expect(() => validateBrandingTexts(typed)).toThrow(
      expect.objectContaining({ errors: [expect.objectContaining({ field, rule })] }),
    );
  });
});
