import { describe, expect, it } from '@jest/globals';
import { requireText } from '#shared/kernel/text.js';
import type { CredentialId } from '#shared/kernel/ids.js';
import { rolesFrom, isKeyIdOf, keyIdOf } from './credential.js';

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
    expect(requireText('name', '  Café 🥐 ', 6)).toBe('Café 🥐');
  });

  it.each(['', '   ', 'a\nb', 'a\u0000', '\ud800', 'a\u2028b', '1234567'])('is rejected: %j', (text) => {
    expect(() => requireText('name', text, 6)).toThrow('name: must be one line of 1 to 6 characters');
  });
});

const id = '0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f' as CredentialId;

describe('A key id', () => {
  it('has the prefix of its environment', () => {
    expect(keyIdOf('development', id)).toBe(`svc.dev.${id}`);
    expect(keyIdOf('staging', id)).toBe(`svc.stg.${id}`);
    expect(keyIdOf('production', id)).toBe(`svc.prd.${id}`);
  });

  it.each([
    `svc.prd.${id}`,
    id,
    `svc.dev.${id.toUpperCase()}`,
    `svc.dev.${id} `,
    `svc.dev.${id}\u0000`,
    'svc.dev.',
    'svc.dev.nobody',
    '',
  ])('is not recognized in development: %j', (text) => {
    expect(isKeyIdOf('development', text)).toBe(false);
    expect(isKeyIdOf('development', keyIdOf('development', id))).toBe(true);
  });
});
