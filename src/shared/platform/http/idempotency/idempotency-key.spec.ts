import { describe, expect, it } from '@jest/globals';
import { newId, type CredentialId } from '#shared/kernel/ids.js';
import { toIdempotentExecution } from './idempotency-key.js';

const REQUEST = {
  method: 'POST',
  path: '/v1/pos/:posID/payment-request',
  params: { posID: '0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f' },
  body: { amount: '12.5', reference_id: 'order-1' },
};
const principal = { credentialId: newId<CredentialId>(), at: new Date(0) };

function digestOf(changes: Partial<typeof REQUEST> = {}): string {
  const { method, path, params, body } = { ...REQUEST, ...changes };
  const use = toIdempotentExecution(
    { principal, method, route: { path }, params, body } as never,
    'order-1042',
  );
  return Buffer.from(use.requestDigest).toString('hex');
}

describe('The digest of a request under an idempotency key', () => {
  it.each([
    ['the method', { method: 'PUT' }],
    ['the operation on the same object', { path: '/v1/pos/:posID/payment-link' }],
    ['the object', { params: { posID: newId<string>() } }],
    ['the body', { body: { amount: '12.5', reference_id: 'order-2' } }],
  ])('differs if only this differs: %s', (_, changes) => {
    expect(digestOf(changes)).not.toBe(digestOf());
  });

  it.each([
    ['the case of the id', { params: { posID: REQUEST.params.posID.toUpperCase() } }],
    ['the order of the fields', { body: { reference_id: 'order-1', amount: '12.5' } }],
  ])('equals that of a request with another form of %s', (_, changes) => {
    expect(digestOf(changes)).toBe(digestOf());
  });
});
