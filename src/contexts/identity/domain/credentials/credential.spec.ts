import { describe, expect, it } from '@jest/globals';
import { requiredText } from '#shared/kernel/text.js';
import { rolesFrom } from './credential.js';

describe('The roles of a credential', () => {
  it('are read, write or both, once each and in one order', () => {
    expect(rolesFrom(['write', 'read', 'write'])).toEqual(['read', 'write']);
    expect(rolesFrom(['write'])).toEqual(['write']);
  });

  it.each([[[]], [['admin']], [['read', 'admin']], [['Read']], [['']]])('are never %j', (words) => {
    expect(() => rolesFrom(words)).toThrow('roles: must be read, write or both.');
  });
});

describe('A label', () => {
  it('is one visible line', () => {
    expect(requiredText('name', '  Café 🥐 ', 6)).toBe('Café 🥐');
  });

  it.each(['', '   ', 'a\nb', 'a\u0000', '\ud800', 'a\u2028b', '1234567'])('is never %j', (text) => {
    expect(() => requiredText('name', text, 6)).toThrow('name: must be one line of 1 to 6 characters');
  });
});
