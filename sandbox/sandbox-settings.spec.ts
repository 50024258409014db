import { describe, expect, it } from '@jest/globals';
import { localUrl, readSandboxSettings } from './sandbox-settings.js';

describe('The API URL of the sandbox', () => {
  it.each([
    ['0.0.0.0', 'http://127.0.0.1:3000'],
    ['localhost', 'http://localhost:3000'],
  ])('uses a loopback address for HTTP_HOST %s', (HTTP_HOST, url) => {
    const settings = readSandboxSettings({ HTTP_HOST });

    expect(localUrl(settings)).toBe(url);
    expect(settings.publicUrl).toBe(url);
  });
});

describe('The parser of the Bitcoin settings of the sandbox', () => {
  it('accepts a node of the user, and rejects a pace of zero', () => {
    expect(readSandboxSettings({})).toMatchObject({ bitcoinPort: 8548, bitcoinBlockSeconds: 10 });
    const node = 'http://user:password@127.0.0.1:18443/';
    expect(readSandboxSettings({ SANDBOX_BITCOIN_RPC: node }).bitcoinRpc).toBe(node);
    expect(() => readSandboxSettings({ SANDBOX_BITCOIN_BLOCK_SECONDS: '0' })).toThrow(
      'SANDBOX_BITCOIN_BLOCK_SECONDS',
    );
    expect(() => readSandboxSettings({ SANDBOX_BITCOIN_RPC: 'btcd' })).toThrow('SANDBOX_BITCOIN_RPC');
  });
});
