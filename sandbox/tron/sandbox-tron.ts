import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startAnvil } from '../chain/anvil.js';
import type { ChildExit, ServerProcess } from '../processes/child-process.js';
import { freePort } from '../processes/free-port.js';
import { startTronFacade, type TronFacade } from './tron-facade.js';
import { TRON_CHAIN_ID } from './tron-network.js';

export interface TronPlace {
  readonly port: number;
  readonly folder: string;
  readonly blockSeconds: number;
}

/** A TRON network that mines at intervals, and whose blocks can be replaced and moved in time. */
export class SandboxTron {
  private facade: TronFacade | undefined;
  private aheadMs = 0;

  constructor(private readonly place: TronPlace) {}

  /** @param time the service's time, at which the chain starts or continues */
  async start(time: Date, onExit: (exit: ChildExit) => void): Promise<ServerProcess> {
    const { port, folder, blockSeconds } = this.place;
    this.aheadMs = Math.max(0, time.getTime() - Date.now());
    const stateFile = join(folder, 'chain.json.gz');
    const stopping = new AbortController();
    let facade: TronFacade | undefined;
    const stopServing = async () => {
      stopping.abort();
      await facade?.stop();
    };
    const anvil = await startAnvil({
      ...{ port: await freePort(), chainId: TRON_CHAIN_ID, inSentOrder: true, stateFile },
      clock: () => Promise.resolve(this.now()),
      onExit: (exit) => void stopServing().then(() => onExit(exit)),
    });
    const clock = () => this.now().getTime();
    const keptFile = join(folder, 'transactions');
    try {
      facade = await startTronFacade({ anvilUrl: anvil.url, port, blockSeconds, clock, keptFile });
    } catch (error) {
      await anvil.stop();
      throw error;
    }
    this.facade = facade;
    const mining = this.mine(facade, stopping.signal);
    return {
      pid: anvil.pid,
      stop: async () => {
        await stopServing();
        await mining;
        await anvil.stop();
      },
    };
  }

  get running(): TronFacade {
    if (this.facade === undefined) throw new Error('The TRON network is not running.');
    return this.facade;
  }

  readonly chainTime = (): Promise<Date> => Promise.resolve(new Date(this.running.chain.newest.timestamp));

  /** Moves the chain's clock to a time, from which later blocks continue. */
  async advanceTo(time: Date): Promise<void> {
    this.aheadMs = Math.max(this.aheadMs, time.getTime() - Date.now());
    await this.running.chain.mine();
  }

  /** @throws RangeError for a block that is solid */
  reorganize(depth: number, keep: boolean): Promise<{ changed: number[]; dropped: string[] }> {
    return this.running.chain.reorganize(depth, keep);
  }

  private now(): Date {
    return new Date(Date.now() + this.aheadMs);
  }

  /** Skips a block if anvil does not respond: it is started again. */
  private async mine({ chain }: TronFacade, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await chain.mine().catch(() => undefined);
      await pause(this.place.blockSeconds * 1_000, undefined, { signal }).catch(() => undefined);
    }
  }
}
