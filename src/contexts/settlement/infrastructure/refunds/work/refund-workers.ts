import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { newId } from '#shared/kernel/ids.js';
import { BackgroundLoop } from '#shared/platform/background/background-loop.js';
import { Leases } from '#shared/platform/leases/leases.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import {
  AdvanceFloatPayouts,
  type AdvancedPayout,
} from '#contexts/settlement/application/refunds/advance-float-payouts.js';
import { EndUnclaimedRefunds } from '#contexts/settlement/application/refunds/end-unclaimed-refunds.js';
import {
  LookAtFloats,
  type MissingFromFloat,
  type UnsureBalance,
} from '#contexts/settlement/application/refunds/look-at-floats.js';
import { OpenRefundFloats } from '#contexts/settlement/application/refunds/open-refund-floats.js';

const PAUSE_MS = 1_000;
/** Between looks at the balances of a network's floats; finality is slower. */
const LOOK_EVERY_MS = 2_000;

/** Pays refunds and watches floats, each network in one process at a time: the holder of its lease. */
@Injectable()
export class RefundWorkers implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger('refunds');
  private readonly holder = newId<string>();
  private readonly loops: readonly BackgroundLoop[];
  private readonly logged = new Map<string, string>();

  constructor(
    private readonly catalogue: NetworkCatalogue,
    private readonly leases: Leases,
    private readonly open: OpenRefundFloats,
    private readonly advance: AdvanceFloatPayouts,
    private readonly look: LookAtFloats,
    private readonly endUnclaimed: EndUnclaimedRefunds,
  ) {
    this.loops = this.catalogue
      .networks()
      .flatMap(({ network }) => [
        new BackgroundLoop({ name: payingLease(network), idleMs: PAUSE_MS }, () =>
          this.alone(payingLease(network), () => this.pay(network)),
        ),
        new BackgroundLoop({ name: lookingLease(network), idleMs: LOOK_EVERY_MS }, () =>
          this.alone(lookingLease(network), () => this.lookAt(network)),
        ),
      ]);
  }

  onApplicationBootstrap(): void {
    for (const loop of this.loops) loop.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.loops.map((loop) => loop.stop()));
    const names = this.catalogue
      .networks()
      .flatMap(({ network }) => [payingLease(network), lookingLease(network)]);
    await Promise.allSettled(names.map((name) => this.leases.release(name, this.holder)));
  }

  /** The lease only spares work: each step's own guard keeps two processes from paying twice. */
  private async alone(lease: string, turn: () => Promise<boolean>): Promise<boolean> {
    if ((await this.leases.acquire(lease, this.holder)) === null) return false;
    return this.leases.keepDuring(lease, this.holder, turn);
  }

  private async pay(network: string): Promise<boolean> {
    for (const { organizationId, says } of await this.open.execute(network))
      this.logOnce(`${network} ${organizationId}`, says, () =>
        this.log.warn({
          msg: 'A refund float has no address: its key is not held.',
          network,
          organizationId,
          says,
        }),
      );
    for (const each of await this.advance.execute(network)) this.report(each);
    return this.endUnclaimed.execute();
  }

  private async lookAt(network: string): Promise<boolean> {
    const unsure = new Set<string>();
    for (const each of await this.look.execute(network)) {
      if ('says' in each) unsure.add(this.warn(each));
      else this.alarm(each);
    }
    for (const about of this.logged.keys())
      if (about.startsWith(unsureOf(network)) && !unsure.has(about)) this.logged.delete(about);
    return false;
  }

  private report({ payout, held, ended, isContradicted }: AdvancedPayout): void {
    const { id, kind, asset, organizationId, floatAddress } = payout;
    const about = { id, kind, network: asset.network, organizationId, float: floatAddress };
    this.logOnce(id, `${ended} ${held}`, () => {
      if (ended === 'completed') this.log.log({ msg: 'A payout of a refund float is final.', ...about });
      else if (ended === 'failed')
        this.log.error({ msg: 'A payout of a refund float has failed.', ...about, held });
      else if (isContradicted)
        this.log.error({ msg: 'A payout of a refund float is not what was ordered.', ...about, held });
      else this.log.warn({ msg: 'A payout of a refund float is held.', ...about, held });
    });
    if (ended !== null) this.logged.delete(id);
  }

  /** Logs it once for each token, even where it concerns every float. */
  private warn({ float, holding, says }: UnsureBalance): string {
    const { network, address, organizationId } = float;
    const about = `${unsureOf(network)} ${holding}`;
    this.logOnce(about, says, () =>
      this.log.error({
        msg: 'What refund floats hold could not be compared.',
        ...{ network, holding, says, float: address, organizationId },
      }),
    );
    return about;
  }

  private alarm({ float, holding, amount }: MissingFromFloat): void {
    this.log.error({
      msg: 'A refund float holds less than the service left there: its key may be known to somebody else.',
      ...{ network: float.network, organizationId: float.organizationId, float: float.address },
      ...{ holding, missing: amount.toString() },
    });
  }

  /** Logs news about a subject once, however many turns it lasts. */
  private logOnce(about: string, news: string, log: () => void): void {
    if (this.logged.get(about) === news) return;
    this.logged.set(about, news);
    log();
  }
}

function payingLease(network: string): string {
  return `paying refunds on ${network}`;
}

function lookingLease(network: string): string {
  return `looking at refund floats on ${network}`;
}

function unsureOf(network: string): string {
  return `balances on ${network}:`;
}
