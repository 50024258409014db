import { describe, expect, it } from '@jest/globals';
import { requiredText } from '#shared/kernel/text.js';
import { rolesFrom } from './credential.js';

describe('A list of roles', () => {
  it('contains each role once, in a fixed order', () => {
    expect(rolesFrom(['write', 'read', 'write'])).toEqual(['read', 'write']);
    expect(rolesFrom(['write'])).toEqual(['write']);
  });

  it.each([[[]], [['admin']], [['read', 'admin']], [['Read']], [['']]])('rejects %j', (words) => {
    expect(() => rolesFrom(words)).toThrow('roles: must be read, write or both.');
  });
});

describe('A label', () => {
  it('accepts one visible line', () => {
    expect(requiredText('name', '  Café 🥐 ', 6)).toBe('Café 🥐');
  });

  it.each(['', '   ', 'a\nb', 'a\u0000', '\ud800', 'a\u2028b', '1234567'])('rejects %j', (text) => {
    expect(() => requiredText('name', text, 6)).toThrow('name: must be one line of 1 to 6 characters');
  });
});
