import { describe, expect, it } from '@jest/globals';
import { RpcEndpointSecrets } from './rpc-endpoint-secrets.js';

/** Returns what remains of a node's error message for an endpoint with this URL. */
function left(url: string, message: string): string {
  const answer = { id: 1, error: { code: -32_000, message } };
  new RpcEndpointSecrets(url).redact(answer);
  return answer.error.message;
}

describe('The secret of an endpoint URL', () => {
  it.each([
    ['https://rpc.example/v3/0123abcd', 'project 0123abcd is unknown', 'project (secret) is unknown'],
    ['https://rpc.example/v3/0123abcd', 'POST /v3/0123ABCD', 'POST /v3/(secret)'],
    ['https://rpc.example/?key=k.y+z', 'k.y z and k.y+z', '(secret) and (secret)'],
    ['https://user:pass%3Aword@rpc.example', 'user user, pass:word', '(secret) (secret), (secret)'],
    [
      'https://user:pass%3Aword@rpc.example',
      `Basic ${Buffer.from('user:pass:word').toString('base64')}`,
      'Basic (secret)',
    ],
    [
      'https://rpc.example/0123abcd/0123abcd4567',
      '0123abcd4567, 0123abcd, 0123abcd4567',
      '(secret), (secret), (secret)',
    ],
    ['https://rpc.example/%E0%A4%A/abcdefgh%', 'abcdefgh%', '(secret)'],
  ])('is removed from a text: that of %s from "%s"', (url, message, rest) => {
    expect(left(url, message)).toBe(rest);
  });

  it.each([
    ['https://rpc.example', 'any words at all'],
    ['https://rpc.example/v1/mainnet?id=1', 'mainnet v1 has no block 1 by that id'],
    ['https://rpc.example/?apikey=a.c.e', 'the apikey abcde is not valid'],
  ])('is not suspected in a text without a secret: that of %s in "%s"', (url, message) => {
    expect(left(url, message)).toBe(message);
  });

  it('is removed from each error of a batch, and from no result', () => {
    const message = 'key 0123abcd';
    const answer = [
      { result: '0x0123abcd' },
      null,
      7,
      { error: null },
      { error: { message } },
      { error: 'no' },
    ];

    new RpcEndpointSecrets('https://rpc.example/0123abcd').redact(answer);

    expect(answer).toEqual([
      ...[{ result: '0x0123abcd' }, null, 7, { error: null }],
      ...[{ error: { message: 'key (secret)' } }, { error: 'no' }],
    ]);
  });
});
