import { setTimeout as sleep } from 'node:timers/promises';
import { expect, jest } from '@jest/globals';
import { NetworksSettings } from '../infrastructure/networks-settings.js';
import { nodeLayer } from './node-layer.js';
import { settingsFor } from './sample-configuration.js';
import { block, hex } from './stub-answers.js';
import { StubNode } from './stub-node.js';

type Layer = ReturnType<typeof nodeLayer>;

/** Three nodes of one chain at block 16, and the endpoints that a service has of them. */
export class SeveralNodes {
  readonly nodes = [new StubNode(), new StubNode(), new StubNode()];
  urls: string[] = [];

  async start(): Promise<void> {
    this.urls = await Promise.all(this.nodes.map((node) => node.start()));
    this.nodes.forEach((_, i) => this.headAt(i, 16));
  }

  async stop(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.stop()));
  }

  headAt(i: number, number: number): void {
    this.nodes[i]!.answers('eth_getBlockByNumber', block({ number: hex(number) }));
  }

  dies(i: number): void {
    this.nodes[i]!.misbehaves((response) => void response.destroy());
  }

  recovers(i: number): void {
    this.nodes[i]!.misbehaves(() => undefined, 0);
  }

  /** @param count of endpoints, the first of the nodes */
  connect(count = 2, patience: object = {}): Layer {
    const settings = settingsFor(this.urls.slice(0, count));
    return nodeLayer(
      new NetworksSettings(settings.networks, { ...settings.patience, retryAfterMs: [], ...patience }),
    );
  }
}

export const states = ({ pool }: Layer) => pool.snapshot().map(({ state }) => state);
export const uses = ({ pool }: Layer) => pool.snapshot().map(({ use }) => use);
export const head = ({ reader }: Layer) => reader.head('sandbox').catch(() => null);

/** Takes turns until it is so. */
export async function until(layer: Layer, isSo: () => boolean): Promise<void> {
  for (let turns = 0; turns < 1_000 && !isSo(); turns += 1) {
    await head(layer);
    await sleep(20);
  }
  expect(isSo()).toBe(true);
}

/** Acts as if so much time had passed at once; until `jest.restoreAllMocks`. */
export function passes(ms: number): void {
  const now = performance.now.bind(performance);
  jest.spyOn(performance, 'now').mockImplementation(() => now() + ms);
}
