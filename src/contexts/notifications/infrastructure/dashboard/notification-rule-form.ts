import type { Asset } from '#shared/kernel/asset.js';
import { formatAmount } from '#shared/kernel/amount.js';
import { formatAmountForEditing } from '#shared/kernel/entered-amount.js';
import {
  type SelectOption,
  type FormFields,
  TIME_ZONE_FIELD,
  type SubmittedFields,
  UNRENDERED_FIELD,
  toOptions,
} from '#shared/web/dashboard/form-fields.js';
import { t, type Word } from '#shared/web/dashboard/words/text.js';
import { splitEntries } from '#shared/platform/http/dashboard/form-body.js';
import type { ChannelKind } from '../../domain/chat-channel.js';
import {
  type SubmittedRule,
  MAIL_INTERVALS_MINUTES,
  type MailIntervalMinutes,
  KIND_WORDS,
  MAX_RECIPIENTS,
  RULE_KINDS,
  type RuleKind,
} from '../../domain/notification-rule.js';
import type { NotificationRuleView } from '../persistence/notification-rule-queries.js';

const KIND_HINTS = {
  completed: 'Paid in full, overpaid, or underpaid within your tolerance.',
  underpaid: 'The payment ended with less than the amount due.',
  deposit: 'Funds received outside the payment: late, after the outcome, or in another asset.',
  refund: 'Every status change of a refund.',
  failing_webhook: 'A webhook of the account has failed for five days.',
  low_float: 'The available float is below the amount you set below.',
  weekly_report: 'On Monday morning, for the previous week.',
  monthly_report: 'On the first morning of the month, for the previous month.',
} as const satisfies Record<RuleKind, Word>;

const MAIL_INTERVAL_LABELS = { 5: '5 minutes', 60: 'hour', 1440: 'day' } as const satisfies Record<
  MailIntervalMinutes,
  Word
>;

export const RULE_FORM = {
  kinds: {
    kind: 'ticks',
    label: 'Events and reports',
    options: RULE_KINDS.map((kind) => ({ value: kind, label: KIND_WORDS[kind], hint: KIND_HINTS[kind] })),
  },
  ...(Object.fromEntries(RULE_KINDS.map((kind) => [kind, UNRENDERED_FIELD])) as Record<
    RuleKind,
    typeof UNRENDERED_FIELD
  >),
  recipients: {
    kind: 'lines',
    label: 'Recipients',
    hint: t(
      'At most {most} addresses, one per line. Addresses outside your team must confirm by email first. Leave blank to use chat channels only.',
      { most: MAX_RECIPIENTS },
    ),
  },
  every_minutes: {
    kind: 'choice',
    label: 'At most one notification per',
    options: MAIL_INTERVALS_MINUTES.map((minutes) => ({
      value: String(minutes),
      label: MAIL_INTERVAL_LABELS[minutes],
    })),
  },
  time_zone: {
    ...TIME_ZONE_FIELD,
    hint: 'For dates and times in the emails, for example Europe/Lisbon. Default: UTC.',
  },
  float_asset: { kind: 'choice', label: 'Refund float' },
  float_below: {
    label: 'Alert below',
    hint: 'An amount of that asset. Used by the low refund float notification.',
    inputmode: 'decimal',
  },
} satisfies FormFields;

export const CHANNEL_LABELS = {
  slack: 'Slack, Mattermost or Discord',
  telegram: 'Telegram',
  ntfy: 'ntfy',
} as const satisfies Record<ChannelKind, Word>;

export const CHANNEL_FORM = {
  kind: { kind: 'choice', label: 'Chat', options: toOptions(CHANNEL_LABELS) },
  address: {
    label: 'Address',
    hint: 'Slack: the URL of an incoming webhook (Discord: with /slack at its end). Telegram: the bot token, a space and the chat id. ntfy: the URL of the topic.',
    required: true,
    exact: true,
    maxlength: 2048,
  },
} satisfies FormFields;

export const NEW_RULE_FORM = {
  account_id: { kind: 'choice', label: 'Account' },
  ...RULE_FORM,
} satisfies FormFields;

export function floatAssetOptions(assets: readonly Asset[]): SelectOption[] {
  const options = assets.map(({ uniqueAssetId, symbol, network }) => ({
    value: uniqueAssetId,
    label: t('{symbol} on {network}', { symbol, network }),
  }));
  return [{ value: '', label: 'None' }, ...options];
}

export function toSubmittedRule(typed: SubmittedFields): SubmittedRule {
  return {
    kinds: RULE_KINDS.filter((kind) => typed[kind] === 'on'),
    recipients: splitEntries(typed['recipients']),
    everyMinutes: typed['every_minutes'] ?? '',
    timeZone: typed['time_zone'] ?? '',
    floatAsset: typed['float_asset'] ?? '',
    floatBelow: typed['float_below'] ?? '',
  };
}

export function formValuesOf(rule: NotificationRuleView, assets: readonly Asset[]): SubmittedFields {
  const { kinds, recipients, everyMinutes, timeZone, lowFloat } = rule;
  const asset = assets.find(({ uniqueAssetId }) => uniqueAssetId === lowFloat?.asset);
  return {
    ...Object.fromEntries(kinds.map((kind) => [kind, 'on'])),
    recipients: recipients.map(({ email }) => email).join('\n'),
    every_minutes: String(everyMinutes),
    time_zone: timeZone,
    ...(lowFloat && { float_asset: lowFloat.asset }),
    ...(lowFloat &&
      asset && { float_below: formatAmountForEditing(formatAmount(lowFloat.below, asset.decimals)) }),
  };
}
