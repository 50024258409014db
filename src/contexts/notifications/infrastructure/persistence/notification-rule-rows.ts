import type { NotificationRule } from '../../domain/notification-rule.js';

export const RULE_COLUMNS =
  'id, organization_id, account_id, kinds, every_minutes, time_zone, float_asset, float_below, created_at';

export interface RuleRow extends Omit<NotificationRule, 'lowFloat'> {
  readonly floatAsset: string | null;
  readonly floatBelow: bigint | null;
}

export function ruleOf<Row extends RuleRow>({ floatAsset, floatBelow, ...row }: Row) {
  const lowFloat =
    floatAsset === null || floatBelow === null ? null : { asset: floatAsset, below: floatBelow };
  return { ...row, lowFloat };
}
