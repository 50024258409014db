import { Logger } from '@nestjs/common';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { spokenEndpoint } from '../../domain/endpoint.js';
import { ForeignChain } from '../../domain/foreign-chain.js';
import { CheckedNetworks, passOnTo, until } from '../../testing/checked-networks.js';
import { OTHER_HASH, block } from '../../testing/stub-answers.js';
import { StubNode } from '../../testing/stub-node.js';
import type { EndpointPool } from '../endpoints/endpoint-pool.js';
import { EndpointFailure } from '../json-rpc/rpc-failures.js';

let networks: CheckedNetworks;

beforeAll(async () => {
  Logger.overrideLogger(false);
  networks = await CheckedNetworks.start();
});
afterAll(() => networks.chain.stop());
beforeEach(() => networks.openDatabase());
afterEach(() => networks.platform.close());

describe('Checking a network of several endpoints', () => {
  const nodes: StubNode[] = [];
  afterEach(async () => {
    await Promise.all(nodes.splice(0).map((node) => node.stop()));
  });

  /** A node of another chain, by its genesis or its id too. */
  async function foreignNode(chainId: number, genesis = OTHER_HASH): Promise<string> {
    const node = new StubNode();
    nodes.push(node);
    node.answers('eth_chainId', `0x${chainId.toString(16)}`);
    node.answers('eth_getBlockByNumber', block({ number: '0x0', hash: genesis }));
    return node.start();
  }

  const states = (pool: EndpointPool) => pool.snapshot().map(({ state }) => state);

  it.each([
    ['chain id', 1],
    ['genesis', 31_337],
  ])('goes on with the others where one serves another %s, whichever it is', async (_, chainId) => {
    await networks.checksOf(networks.settingsOf()).checks.checkAll();
    const foreign = await foreignNode(chainId);
    const last = networks.checksOf(
      networks.settingsOf({
        rpc_urls: [networks.chain.url, networks.chain.url.replace('127.0.0.1', 'localhost'), foreign],
      }),
    );
    const first = networks.checksOf(networks.settingsOf({ rpc_urls: [foreign, networks.chain.url] }));

    await Promise.all([last.checks.checkAll(), first.checks.checkAll()]);

    expect([last.readiness.get('sandbox').kind, first.readiness.get('sandbox').kind]).toEqual([
      'ready',
      'ready',
    ]);
    expect(states(last.pool)).toEqual(['well', 'well', 'foreign']);
    expect(states(first.pool)).toEqual(['foreign', 'well']);
    expect(first.pool.snapshot()[0]?.reason).toMatch(/endpoint 1 \(127.0.0.1:\d+\) serves chain/);
  });

  it('logs the foreign one once, by its place and host', async () => {
    const error = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const { checks } = networks.checksOf(
      networks.settingsOf({ rpc_urls: [networks.chain.url, await foreignNode(1)] }),
    );

    await checks.checkAll();
    await checks.checkAll();

    expect(error.mock.calls.map(([line]) => line as unknown)).toEqual([
      expect.objectContaining({
        event: 'rpc.wrong_chain',
        reason: expect.stringMatching(/endpoint 2 \(127.0.0.1:\d+\) serves chain 1 /),
      }),
    ]);
    error.mockRestore();
  });

  it('refuses to start where all of them serve another chain', async () => {
    const { checks, readiness } = networks.checksOf(
      networks.settingsOf({ rpc_urls: [await foreignNode(1), await foreignNode(10)] }),
    );

    await expect(checks.checkAll()).rejects.toBeInstanceOf(ForeignChain);
    expect(readiness.get('sandbox').kind).toBe('foreign');
  });

  it('starts where one serves another chain and the other does not answer', async () => {
    const { checks, readiness } = networks.checksOf(
      networks.settingsOf({ rpc_urls: [await foreignNode(1), 'http://127.0.0.1:9'] }),
    );

    await checks.checkAll();

    expect(readiness.get('sandbox').kind).toBe('unchecked');
  });

  it('takes neither of two chains with the right id for a network that is met for the first time', async () => {
    const { checks, pool } = networks.checksOf(
      networks.settingsOf({ rpc_urls: [networks.chain.url, await foreignNode(31_337)] }),
    );

    await expect(checks.checkAll()).rejects.toThrow('its endpoints serve different chains with id 31337');
    expect(states(pool)).toEqual(['foreign', 'foreign']);
    expect(await networks.platform.database.query('SELECT network FROM networks.known_chains')).toEqual([]);
  });

  it('uses no endpoint that has not shown its chain, and admits it once it has', async () => {
    const proxy = new StubNode();
    nodes.push(proxy);
    proxy.misbehaves((response) => void response.destroy());
    const { checks, readiness, pool } = networks.checksOf(
      networks.settingsOf({ rpc_urls: [networks.chain.url, await proxy.start()] }),
    );

    await checks.onApplicationBootstrap();
    const before = states(pool);
    proxy.misbehaves(passOnTo(networks.chain.url));
    await until(() => states(pool)[1] === 'well');
    await checks.beforeApplicationShutdown();

    expect(before).toEqual(['well', 'unproven']);
    expect(readiness.get('sandbox')).toEqual({ kind: 'ready' });
  });

  it('shuts a network also by what it knows of a foreign one that it leaves alone for now', async () => {
    const proxy = new StubNode();
    nodes.push(proxy);
    proxy.misbehaves(passOnTo(networks.chain.url));
    const settings = networks.settingsOf({ rpc_urls: [await foreignNode(1), await proxy.start()] });
    const { checks, check, readiness, pool } = networks.checksOf(settings);
    await checks.checkAll();
    const before = readiness.get('sandbox').kind;
    const [left, last] = pool.snapshot().map(spokenEndpoint);

    proxy.misbehaves(passOnTo(await foreignNode(1)));
    pool.failed(pool.reading('sandbox'), new EndpointFailure('sandbox', 'no connection', 'connection'));
    const { foreign } = await check.proveAgain(settings.networks[0]!, new Set([left!]));

    expect(before).toBe('ready');
    expect(foreign.map(({ endpointName }) => endpointName)).toEqual([last]);
    expect(readiness.get('sandbox').kind).toBe('foreign');
  });

  it.each([
    ['keeps out an endpoint that comes back as another chain', 2, 'ready'],
    ['shuts the network when its only endpoint comes back as another chain', 1, 'foreign'],
  ])('%s', async (_, count, kind) => {
    const proxy = new StubNode();
    nodes.push(proxy);
    proxy.misbehaves(passOnTo(networks.chain.url));
    const other = await foreignNode(1);
    const rpc_urls = [await proxy.start(), networks.chain.url].slice(0, count);
    const { checks, readiness, pool } = networks.checksOf(networks.settingsOf({ rpc_urls }));
    await checks.onApplicationBootstrap();
    const before = [readiness.get('sandbox').kind, ...states(pool)];

    proxy.misbehaves(passOnTo(other));
    pool.failed(pool.reading('sandbox'), new EndpointFailure('sandbox', 'no connection', 'connection'));
    await until(() => states(pool)[0] === 'foreign');
    await checks.beforeApplicationShutdown();

    expect(before).toEqual(['ready', ...rpc_urls.map(() => 'well')]);
    expect(readiness.get('sandbox').kind).toBe(kind);
    expect(states(pool)[0]).toBe('foreign');
  });
});
