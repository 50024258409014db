import { describe, expect, it } from '@jest/globals';
import { domainSeparator } from 'viem';
import {
  type Eip712DomainAnswers,
  eip712DomainOfAnswers,
  checkSignatureSupport,
} from './token-domain-facts.js';

const token = `0x${'0a'.repeat(20)}` as const;
const separatorOf = (name: string, chainId = 1, version = '2') =>
  domainSeparator({ domain: { name, version, chainId, verifyingContract: token } });
const byName: Eip712DomainAnswers = {
  ...{ chainId: 1, token, authorizationState: false, eip712Domain: null, typeHash: null },
  ...{ name: 'USD Coin', version: '2', domainSeparator: separatorOf('USD Coin') },
};
const domain = ['0x0f', 'Other Coin', '2', 1n, token, `0x${'00'.repeat(32)}`, []];
const byDomain = { ...byName, eip712Domain: domain, domainSeparator: separatorOf('Other Coin') };
const changed = (at: number, value: unknown) => domain.map((each, i) => (i === at ? value : each));

describe('The domain of a token', () => {
  it('is that of EIP-5267 if there is one, else of name and version', () => {
    const common = { version: '2', chainId: 1, verifyingContract: expect.stringMatching(/^0x0a/i) };

    expect(eip712DomainOfAnswers(byName)).toEqual({ name: 'USD Coin', ...common });
    expect(eip712DomainOfAnswers(byDomain)).toEqual({ name: 'Other Coin', ...common });
    const spelled = { ...byDomain, eip712Domain: changed(4, `0x${'0A'.repeat(20)}`) };
    expect(eip712DomainOfAnswers(spelled)).toEqual({ name: 'Other Coin', ...common });
    const typeHash = '0x7c7c6cdb67a18743f49ec6fa9b35f50d52ed05cbed4cc592e13b44501c1a2267';
    const long = { name: 'x'.repeat(100), domainSeparator: separatorOf('x'.repeat(100)) };
    expect(eip712DomainOfAnswers({ ...byName, ...long, typeHash })).toEqual({ name: long.name, ...common });
  });

  it.each([
    ['no authorizationState', { ...byName, authorizationState: null }, 'absent'],
    ['no name', { ...byName, name: null }, 'unproven'],
    ['no version', { ...byName, version: null }, 'unproven'],
    ['no separator', { ...byName, domainSeparator: null }, 'unproven'],
    ['the separator of another name', { ...byName, name: 'USDC' }, 'unproven'],
    [
      'the separator of another chain',
      { ...byName, domainSeparator: separatorOf('USD Coin', 137) },
      'unproven',
    ],
    ['another type hash', { ...byName, typeHash: `0x${'00'.repeat(32)}` }, 'unproven'],
    [
      'a name without end',
      { ...byName, name: 'x'.repeat(101), domainSeparator: separatorOf('x'.repeat(101)) },
      'unproven',
    ],
    [
      'a version without end',
      { ...byName, version: 'x'.repeat(101), domainSeparator: separatorOf('USD Coin', 1, 'x'.repeat(101)) },
      'unproven',
    ],
    ['a salt in its domain', { ...byDomain, eip712Domain: changed(0, '0x1f') }, 'unproven'],
    ['the chain id of another', { ...byDomain, eip712Domain: changed(3, 137n) }, 'unproven'],
    ['the address of another', { ...byDomain, eip712Domain: changed(4, `0x${'0b'.repeat(20)}`) }, 'unproven'],
  ])('is missing or unproven if the token has %s', (_, answers, kind) => {
    expect(eip712DomainOfAnswers(answers)).toMatchObject({ kind });
  });
});

describe('The result of network check for signatures of a token', () => {
  const taken = {
    kind: 'taken',
    domain: { name: 'USD Coin', version: '2', chainId: 1, verifyingContract: token },
  } as const;

  it.each([
    [
      { answer: { ...taken, forms: new Set(['vrs', 'bytes'] as const) } },
      true,
      'ok',
      'from accounts and contracts. Its domain is "USD Coin"',
    ],
    [{ answer: { ...taken, forms: new Set(['vrs'] as const) } }, true, 'ok', 'from accounts only'],
    [
      { answer: { kind: 'absent', says: 'It has none.' } },
      true,
      'ok',
      'no payments by signature. It has none.',
    ],
    [{ answer: { kind: 'unproven', says: 'It lies.' } }, true, 'warning', 'It lies.'],
    [{ answer: { kind: 'unproven', says: 'It lies.' } }, false, 'ok', 'It lies.'],
    [{ refused: 'it was silent.' }, false, 'warning', 'Not checked: it was silent.'],
  ] as const)(
    'depends on the proof and on whether payments are sponsored: case %#',
    (signatures, isSponsored, verdict, says) => {
      expect(checkSignatureSupport(signatures, isSponsored)).toMatchObject({
        ...{ check: 'signature', verdict },
        says: expect.stringContaining(says),
      });
    },
  );
});
