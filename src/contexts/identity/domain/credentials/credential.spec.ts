import { describe, expect, it } from '@jest/globals';
import { requiredText } from '#shared/kernel/text.js';
import { rolesFrom } from './credential.js';

describe('The list of roles of a credential', () => {
  it('contains each role once, in a fixed order', () => {
    expect(rolesFrom(['write', 'read', 'write'])).toEqual(['read', 'write']);
    expect(rolesFrom(['write'])).toEqual(['write']);
  });

  it.each([[[]], [['admin']], [['read', 'admin']], [['Read']], [['']]])('is rejected: %j', (words) => {
    expect(() => rolesFrom(words)).toThrow('roles: must be read, write or both.');
  });
});

describe('The label of a credential', () => {
  it('is accepted if it is one line of visible text, without the spaces around it', () => {
    expect(requiredText('name', '  Café 🥐 ', 6)).toBe('Café 🥐');
  });

  it.each(['', '   ', 'a\nb', 'a\u0000', '\ud800', 'a\u2028b', '1234567'])('is rejected: %j', (text) => {
    expect(() => requiredText('name', text, 6)).toThrow('name: must be one line of 1 to 6 characters');
  });
});
