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
