import { describe, expect, it } from '@jest/globals';
import type { CredentialId } from '#shared/kernel/ids.js';
import { isKeyIdOf, keyIdOf } from './key-id.js';

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
