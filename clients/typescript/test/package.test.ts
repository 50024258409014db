import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { VERSION } from '../src/http-exchange.js';

interface Manifest {
  version: string;
  license: string;
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
}

const manifest = (folder: string) =>
  JSON.parse(readFileSync(join(process.cwd(), folder, 'package.json'), 'utf8')) as Manifest;

describe('The package', () => {
  it('has the version and the license of the service, and the openapi-fetch that it is tested with', () => {
    const [service, client] = [manifest('.'), manifest('clients/typescript')];

    expect([client.version, client.license]).toEqual([service.version, service.license]);
    expect(VERSION).toBe(client.version);
    expect(client.dependencies).toEqual({ 'openapi-fetch': service.devDependencies['openapi-fetch'] });
  });
});
