import { describe, expect, it } from '@jest/globals';
import { localUrl, readSandboxSettings } from './sandbox-settings.js';

describe('Where the sandbox reaches its API', () => {
  it.each([
    ['127.0.0.1', 'http://127.0.0.1:3000'],
    ['0.0.0.0', 'http://127.0.0.1:3000'],
    ['::', 'http://[::1]:3000'],
    ['::1', 'http://[::1]:3000'],
    ['localhost', 'http://localhost:3000'],
  ])('follows from HTTP_HOST %s', (HTTP_HOST, url) => {
    const settings = readSandboxSettings({ HTTP_HOST });

    expect(localUrl(settings)).toBe(url);
    expect(settings.publicUrl).toBe(url);
  });
});

describe('The port of the sandbox wallet', () => {
  it('is 8547 unless SANDBOX_WALLET_PORT says another', () => {
    expect(readSandboxSettings({}).walletPort).toBe(8547);
    expect(readSandboxSettings({ SANDBOX_WALLET_PORT: '9000' }).walletPort).toBe(9000);
    expect(() => readSandboxSettings({ SANDBOX_WALLET_PORT: '0' })).toThrow('SANDBOX_WALLET_PORT');
  });
});

describe('The sandbox’s Bitcoin', () => {
  it('has a port, a pace, and perhaps a node of the user’s own', () => {
    expect(readSandboxSettings({})).toMatchObject({ bitcoinPort: 8548, bitcoinBlockSeconds: 10 });
    const node = 'http://user:password@127.0.0.1:18443/';
    expect(readSandboxSettings({ SANDBOX_BITCOIN_RPC: node }).bitcoinRpc).toBe(node);
    expect(() => readSandboxSettings({ SANDBOX_BITCOIN_BLOCK_SECONDS: '0' })).toThrow(
      'SANDBOX_BITCOIN_BLOCK_SECONDS',
    );
    expect(() => readSandboxSettings({ SANDBOX_BITCOIN_RPC: 'btcd' })).toThrow('SANDBOX_BITCOIN_RPC');
  });
});
