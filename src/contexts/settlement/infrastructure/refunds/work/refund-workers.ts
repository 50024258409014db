import { Injectable, Logger } from '@nestjs/common';
import { BackgroundWork, LogOnce } from '#shared/platform/background/background-work.js';
import { LeasedLoop } from '#shared/platform/leases/leased-loop.js';
import { Leases } from '#shared/platform/leases/leases.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import {
  AdvanceFloatPayouts,
  type AdvancedPayout,
} from '#contexts/settlement/application/refunds/floats/advance-float-payouts.js';
import { EndReversedRefunds } from '#contexts/settlement/application/refunds/end-reversed-refunds.js';
import { EndUnclaimedRefunds } from '#contexts/settlement/application/refunds/end-unclaimed-refunds.js';
import {
  LookAtFloats,
  type MissingFromFloat,
  type UnsureBalance,
} from '#contexts/settlement/application/refunds/floats/look-at-floats.js';
import { FollowMerchantRefunds } from '#contexts/settlement/application/refunds/follow-merchant-refunds.js';
import { OpenRefundFloats } from '#contexts/settlement/application/refunds/floats/open-refund-floats.js';

const PAUSE_MS = 1_000;
/** Between looks at the balances of a network's floats; finality is slower. */
const LOOK_EVERY_MS = 2_000;
const FOLLOW_EVERY_MS = 10_000;

/** Pays refunds and watches floats, or follows what merchants' own wallets refund, each network in one process at a time: the holder of its lease. */
@Injectable()
export class RefundWorkers extends BackgroundWork {
  private readonly log = new Logger('refunds');
  protected readonly loops: readonly LeasedLoop[];
  private readonly logOnce = new LogOnce();

  constructor(
    catalogue: NetworkCatalogue,
    leases: Leases,
    private readonly open: OpenRefundFloats,
    private readonly advance: AdvanceFloatPayouts,
    private readonly look: LookAtFloats,
    private readonly endReversed: EndReversedRefunds,
    private readonly endUnclaimed: EndUnclaimedRefunds,
    private readonly follow: FollowMerchantRefunds,
  ) {
    super();
    // The leases spare work; that two processes pay nothing twice is kept by each step's own guard.
    this.loops = catalogue.networks().flatMap(({ network, deliversDirectly }) => {
      const following = { name: `following refunds on ${network}`, idleMs: FOLLOW_EVERY_MS };
      if (deliversDirectly) return [new LeasedLoop(following, leases, () => this.followOn(network))];
      const paying = { name: `paying refunds on ${network}`, idleMs: PAUSE_MS };
      const looking = { name: `looking at refund floats on ${network}`, idleMs: LOOK_EVERY_MS };
      return [
        new LeasedLoop(paying, leases, () => this.pay(network)),
        new LeasedLoop(looking, leases, () => this.lookAt(network)),
      ];
    });
  }

  private async pay(network: string): Promise<boolean> {
    for (const { organizationId, says } of await this.open.execute(network))
      this.logOnce.news(`${network} ${organizationId}`, says, () =>
        this.log.warn({
          msg: 'A refund float has no address: its key is not held.',
          network,
          organizationId,
          says,
        }),
      );
    await this.endReversed.execute(network);
    for (const each of await this.advance.execute(network)) this.report(each);
    return this.endUnclaimed.execute();
  }

  private async lookAt(network: string): Promise<boolean> {
    const unsure = new Set<string>();
    for (const each of await this.look.execute(network)) {
      if ('says' in each) unsure.add(this.warn(each));
      else this.alarm(each);
    }
    for (const about of this.logOnce.among(unsureOf(network)))
      if (!unsure.has(about)) this.logOnce.forget(about);
    return false;
  }

  private async followOn(network: string): Promise<boolean> {
    for (const { refund, unavailable } of await this.follow.execute(network)) {
      const { id, organizationId, status, transactionHash, failure } = refund;
      const about = { id, network, organizationId, transactionHash };
      this.logOnce.news(id, `${status} ${unavailable}`, () => {
        if (status === 'completed') this.log.log({ msg: 'A refund by its merchant is final.', ...about });
        else
          this.log.warn({
            msg: 'A refund by its merchant is not shown.',
            ...about,
            says: unavailable ?? failure,
          });
      });
      if (unavailable === null) this.logOnce.forget(id);
    }
    return false;
  }

  private report({ payout, held, ended, isContradicted }: AdvancedPayout): void {
    const { id, kind, asset, organizationId, floatAddress } = payout;
    const about = { id, kind, network: asset.network, organizationId, float: floatAddress };
    this.logOnce.news(id, `${ended} ${held}`, () => {
      if (ended === 'completed') this.log.log({ msg: 'A payout of a refund float is final.', ...about });
      else if (ended === 'failed')
        this.log.error({ msg: 'A payout of a refund float has failed.', ...about, held });
      else if (isContradicted)
        this.log.error({ msg: 'A payout of a refund float is not what was ordered.', ...about, held });
      else this.log.warn({ msg: 'A payout of a refund float is held.', ...about, held });
    });
    if (ended !== null) this.logOnce.forget(id);
  }

  /** Logs it once for each token, even where it concerns every float. */
  private warn({ float, holding, says }: UnsureBalance): string {
    const { network, address, organizationId } = float;
    const about = `${unsureOf(network)} ${holding}`;
    this.logOnce.news(about, says, () =>
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
}

function unsureOf(network: string): string {
  return `balances on ${network}:`;
}
