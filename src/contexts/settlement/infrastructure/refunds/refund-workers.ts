import { Injectable } from '@nestjs/common';
import { BackgroundWork } from '#shared/platform/background/background-work.js';
import { LeasedLoop } from '#shared/platform/leases/leased-loop.js';
import { Leases } from '#shared/platform/leases/leases.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import {
  AdvanceFloatPayouts,
  type FloatPayoutProgress,
} from '../../application/refunds/floats/advance-float-payouts.js';
import { CancelRefundsOfReversedPayments } from '../../application/refunds/cancel-refunds-of-reversed-payments.js';
import { ExpireUnclaimedRefunds } from '../../application/refunds/expire-unclaimed-refunds.js';
import {
  CheckFloats,
  type FloatShortfall,
  type UnconfirmedBalance,
} from '../../application/refunds/floats/check-floats.js';
import { TrackMerchantRefunds } from '../../application/refunds/track-merchant-refunds.js';
import { AssignFloatAddresses } from '../../application/refunds/floats/assign-float-addresses.js';
import { OperatorLogWriter } from '#shared/platform/logging/operator-log-writer.js';
import { SETTLEMENT_LOG_EVENTS } from '../log-events.js';

const PAUSE_MS = 1_000;
/** Blocks take longer to become final. */
const CHECK_INTERVAL_MS = 2_000;
const FOLLOW_INTERVAL_MS = 10_000;

const LOG_EVENTS_BY_OUTCOME = {
  completed: 'refund_float.payout_completed',
  failed: 'refund_float.payout_failed',
} as const;

@Injectable()
export class RefundWorkers extends BackgroundWork {
  private readonly log = new OperatorLogWriter('refunds', SETTLEMENT_LOG_EVENTS);

  constructor(
    catalogue: NetworkCatalogue,
    leases: Leases,
    private readonly assignFloatAddresses: AssignFloatAddresses,
    private readonly advanceFloatPayouts: AdvanceFloatPayouts,
    private readonly checkFloats: CheckFloats,
    private readonly endReversed: CancelRefundsOfReversedPayments,
    private readonly endUnclaimed: ExpireUnclaimedRefunds,
    private readonly trackMerchantRefunds: TrackMerchantRefunds,
  ) {
    // The leases only save work. Even without them, no refund is paid twice, because each step locks what it changes.
    super(
      catalogue.networks().flatMap(({ network, deliversDirectly }) => {
        const following = { name: `following refunds on ${network}`, idleMs: FOLLOW_INTERVAL_MS };
        if (deliversDirectly) return [new LeasedLoop(following, leases, () => this.followRefundsOn(network))];
        const paying = { name: `paying refunds on ${network}`, idleMs: PAUSE_MS };
        const checking = { name: `looking at refund floats on ${network}`, idleMs: CHECK_INTERVAL_MS };
        return [
          new LeasedLoop(paying, leases, () => this.payRefunds(network)),
          new LeasedLoop(checking, leases, () => this.checkBalances(network)),
        ];
      }),
    );
  }

  private async payRefunds(network: string): Promise<boolean> {
    for (const { organizationId, says: reason } of await this.assignFloatAddresses.assign(network))
      this.log.writeOnce(`${network} ${organizationId}`, reason, 'refund_float.no_address', {
        ...{ network, organization_id: organizationId, reason },
      });
    await this.endReversed.cancel(network);
    for (const each of await this.advanceFloatPayouts.advance(network)) {
      this.logPayout(each);
      this.checkFloats.expectBalanceChange(network);
    }
    return this.endUnclaimed.expire();
  }

  private async checkBalances(network: string): Promise<boolean> {
    if (!this.checkFloats.isDue(network)) return false;
    const unsure = new Set<string>();
    for (const each of await this.checkFloats.check(network)) {
      if ('says' in each) unsure.add(this.logUnconfirmedBalance(each));
      else this.logMissingAmount(each);
    }
    for (const about of this.log.subjectsWithLoggedState(balanceSubjectPrefix(network)))
      if (!unsure.has(about)) this.log.forgetLoggedState(about);
    return false;
  }

  private async followRefundsOn(network: string): Promise<boolean> {
    for (const { refund, unavailable } of await this.trackMerchantRefunds.track(network)) {
      const { id, organizationId, status, transactionHash, failure } = refund;
      const about = { refund_id: id, network, organization_id: organizationId };
      const line = { ...about, transaction_hash: transactionHash };
      const state = `${status} ${unavailable}`;
      if (status === 'completed') this.log.writeOnce(id, state, 'merchant_refund.completed', line);
      else {
        const reason = unavailable ?? failure;
        this.log.writeOnce(id, state, 'merchant_refund.not_found', { ...line, reason });
      }
      if (unavailable === null) this.log.forgetLoggedState(id);
    }
    return false;
  }

  private logPayout({ payout, held, ended, isContradicted }: FloatPayoutProgress): void {
    const { id, kind, asset, organizationId, floatAddress } = payout;
    const about = { payout_id: id, kind, network: asset.network, organization_id: organizationId };
    const line = { ...about, float: floatAddress, reason: held };
    const unended = isContradicted ? 'refund_float.payout_contradicted' : 'refund_float.payout_held';
    this.log.writeOnce(id, `${ended} ${held}`, ended === null ? unended : LOG_EVENTS_BY_OUTCOME[ended], line);
    if (ended !== null) this.log.forgetLoggedState(id);
  }

  /** Logs an unreadable token once, even if it affects every float. */
  private logUnconfirmedBalance({ float, holding, says }: UnconfirmedBalance): string {
    const { network, address, organizationId } = float;
    const about = `${balanceSubjectPrefix(network)} ${holding}`;
    this.log.writeOnce(about, says, 'refund_float.balance_unknown', {
      ...{ network, holding, float: address, organization_id: organizationId, reason: says },
    });
    return about;
  }

  private logMissingAmount({ float, holding, amount }: FloatShortfall): void {
    const { network, organizationId, address } = float;
    this.log.write('refund_float.balance_too_low', {
      ...{ network, organization_id: organizationId, float: address },
      ...{ holding, missing: amount.toString() },
    });
  }
}

function balanceSubjectPrefix(network: string): string {
  return `balances on ${network}:`;
}
