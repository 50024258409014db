import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { newId } from '../../../../shared/kernel/ids.js';
import { BackgroundLoop } from '../../../../shared/platform/background/background-loop.js';
import { Leases } from '../../../../shared/platform/leases/leases.js';
import { ChainFamilies } from '../../application/chain-families.js';
import {
  AdvanceNetworkSendings,
  type AdvancedSending,
} from '../../application/sending/advance-network-sendings.js';
import { Sendings } from '../../application/sending/sendings.js';

/** Some chains have several blocks in a second; nothing is sent so often. */
const LEAST_PAUSE_MS = 1_000;

/** Carries on what is being sent, each network in one process at a time: the holder of its lease. */
@Injectable()
export class SendingWorkers implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger('sending');
  private readonly holder = newId<string>();
  private readonly loops: ReadonlyMap<string, BackgroundLoop>;
  private readonly logged = new Map<string, string>();

  constructor(
    families: ChainFamilies,
    private readonly leases: Leases,
    private readonly sendings: Sendings,
    private readonly advance: AdvanceNetworkSendings,
  ) {
    this.loops = new Map(
      families.sendingOn().map(({ network, blockSeconds }) => {
        const options = {
          name: `sending ${network}`,
          idleMs: Math.max(LEAST_PAUSE_MS, blockSeconds * 1_000),
        };
        return [network, new BackgroundLoop(options, () => this.turn(network))];
      }),
    );
  }

  onApplicationBootstrap(): void {
    this.sendings.onReserved((network) => this.loops.get(network)?.wake());
    for (const loop of this.loops.values()) loop.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all([...this.loops.values()].map((loop) => loop.stop()));
    const names = [...this.loops.keys()].map(leaseOf);
    await Promise.allSettled(names.map((name) => this.leases.release(name, this.holder)));
  }

  /** The lease spares the nodes two askers; that two of them send nothing twice is kept by each step's own guard. */
  async turn(network: string): Promise<boolean> {
    const lease = leaseOf(network);
    if ((await this.leases.acquire(lease, this.holder)) === null) return false;
    const advanced = await this.leases.keepDuring(lease, this.holder, () => this.advance.execute(network));
    for (const each of advanced) this.report(each);
    return false;
  }

  private report({ before, after, error }: AdvancedSending): void {
    const { id: sending, network, sender, nonce } = before;
    const about = { sending, network, sender, nonce };
    if (after === null) {
      this.logOnce(sending, String(error), () =>
        this.log.warn({ msg: 'A step of a sending failed.', ...about, error: String(error) }),
      );
      return;
    }
    const { state, attempts, response } = after;
    const news = `${state} ${attempts} ${response ?? ''}`;
    this.logOnce(sending, news, () => {
      const line = { ...about, state, attempts, response };
      if (state === 'foreign')
        this.log.error({ msg: 'Another transaction used the nonce of a sending.', ...line });
      else if (state === 'reverted') this.log.error({ msg: 'A sending was reverted.', ...line });
      else this.log.log({ msg: 'A sending goes on.', ...line });
    });
    if (['final', 'reverted', 'foreign'].includes(state)) this.logged.delete(sending);
  }

  /** What lasts is not repeated with every block. */
  private logOnce(sending: string, news: string, log: () => void): void {
    if (this.logged.get(sending) === news) return;
    this.logged.set(sending, news);
    log();
  }
}

function leaseOf(network: string): string {
  return `sending ${network}`;
}
