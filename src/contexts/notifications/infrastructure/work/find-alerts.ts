import { Injectable } from '@nestjs/common';
import { isNative } from '#shared/kernel/asset.js';
import { Clock } from '#shared/kernel/clock.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { groupNotifications, type Notification } from '../../domain/notification.js';
import {
  PostgresNotificationAlerts,
  type FloatFreeBalance,
  type LowFloatRule,
} from '../persistence/postgres-notification-alerts.js';
import { PendingNotifications } from '../persistence/pending-notifications.js';

/** Settlement's token for a float in the native coin. */
const NATIVE_COIN_HOLDING = 'native';

interface RaisedAlert {
  readonly ruleId: string;
  readonly notice: Omit<Notification, 'occurredAt'>;
}

/** Once each time a webhook starts failing or a float becomes low. */
@Injectable()
export class FindAlerts {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly alerts: PostgresNotificationAlerts,
    private readonly pending: PendingNotifications,
    private readonly catalogue: NetworkCatalogue,
  ) {}

  async find(): Promise<void> {
    await this.unitOfWork.run(async () => {
      const occurredAt = await this.clock.now();
      const raised = [...(await this.takeFailing()), ...(await this.takeLow())];
      const rules = await this.pending.lockRulesOfAccounts([
        ...new Set(raised.map(({ notice }) => notice.accountId)),
      ]);
      // Groups the alerts of each rule separately, because an alert belongs to a single rule.
      const groups = rules.flatMap((rule) => {
        const own = raised.filter(({ ruleId }) => ruleId === rule.id);
        return groupNotifications(
          own.map(({ notice }) => ({ ...notice, occurredAt })),
          [rule],
        );
      });
      await this.pending.add(groups);
      await this.alerts.deleteExpiredRows();
    });
  }

  private async takeFailing(): Promise<RaisedAlert[]> {
    const failing = await this.alerts.takeFailingWebhooks();
    return failing.map(({ ruleId, organizationId, accountId, webhookId: id, host: reference }) => ({
      ruleId,
      notice: { organizationId, accountId, kind: 'failing_webhook', state: '', id, reference },
    }));
  }

  private async takeLow(): Promise<RaisedAlert[]> {
    const watched = await this.alerts.lowFloatRules();
    if (watched.length === 0) return [];
    const floats = await this.alerts.freeFloatBalances([
      ...new Set(watched.map((each) => each.organizationId)),
    ]);
    const found = watched.flatMap((rule) => this.checkFloat(rule, floats));
    const changed = (isLow: boolean) =>
      found.filter((each) => each.isLow === isLow && each.rule.wasLow !== isLow);
    await this.alerts.markFloatsLow(
      changed(true).map(({ rule }) => rule.ruleId),
      true,
    );
    await this.alerts.markFloatsLow(
      changed(false).map(({ rule }) => rule.ruleId),
      false,
    );
    return changed(true).map(({ rule, notice }) => ({ ruleId: rule.ruleId, notice }));
  }

  /** None if the asset is no longer configured. */
  private checkFloat(rule: LowFloatRule, floats: readonly FloatFreeBalance[]) {
    const asset = this.catalogue.asset(rule.asset);
    if (asset === undefined) return [];
    const { network, uniqueAssetId, decimals, symbol: currency } = asset;
    const holding = isNative(asset) ? NATIVE_COIN_HOLDING : asset.token;
    const free =
      floats.find(
        (float) =>
          float.organizationId === rule.organizationId &&
          float.network === network &&
          float.holding === holding,
      )?.free ?? 0n;
    const { organizationId, accountId } = rule;
    const notice = {
      ...{ organizationId, accountId, kind: 'low_float' as const, state: '', id: network },
      money: { uniqueAssetId, network, currency, decimals, amount: free },
    };
    return [{ rule, isLow: free < rule.below, notice }];
  }
}
